/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vectorization factor, interleave count, and what the target offers to vectors. */
#ifndef COMPILER_PASSES_VECTORIZE_VECTORIZATION_FACTOR_HPP
#define COMPILER_PASSES_VECTORIZE_VECTORIZATION_FACTOR_HPP

#include <llvm/Analysis/TargetTransformInfo.h>

#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/target_description.h"

namespace quern {

/** The largest vectorization factor, for vectors that are not sub-groups. */
constexpr unsigned largest_width = 64;

/** The target of the vector code. */
struct VectorTarget {
  const llvm::TargetTransformInfo &costs;
  /** Complete (complete_target_costs). */
  target_costs_t table;
};

/** Registers that code needs beside the values which live in it: for constants, masks as vectors, and temporaries. */
constexpr unsigned spare_registers = 4;

/** The size of a vector register in bits. */
unsigned register_bits(const llvm::TargetTransformInfo &tti);

/** The number of registers for vectors of `width` lanes. */
unsigned register_count_for(const llvm::TargetTransformInfo &tti, llvm::LLVMContext &context, unsigned width);

/** The target features on which the cost and the code of vector memory accesses depend. */
struct VectorUnit {
  /** The size of a vector register in bits, and their number. */
  unsigned register_bits, registers;
  /** Gather and scatter instructions for 32-bit words are legal; else these accesses are scalarized. */
  bool gathers, scatters;
  /** Masked loads and stores of contiguous 32-bit words, and of narrower elements, are legal; else these accesses are
   * scalarized. */
  bool masks_words, masks_bytes;
  /** Conversions between 64-bit integers and doubles are instructions of their own; else they are scalarized. */
  bool converts_longs;
  /** target_costs_t::has_128_bit_parts. */
  bool has_128_bit_parts;
  lane_costs_t lanes;
  /** Gathers are faster than one wide load per lane, whatever each lane loads. */
  bool prefers_gathers() const { return gathers && lanes.gather < lanes.emulated_gather; }
  /** Bytes that an iteration of a loop over bytes loads at once: what is gathered, or a register for each lane. */
  unsigned wide_load_bytes() const { return masks_words && !prefers_gathers() ? 16 : 4; }
};
/** The features for vectors of `width` lanes. */
VectorUnit vector_unit(const VectorTarget &tti, llvm::LLVMContext &context, unsigned width);

/** True for an atomic or a call of a function: lanes may have to execute it serially. */
bool may_be_scalarized(const llvm::Instruction &instruction);

/** True when two thirds of the varying values of a body are integers or floating-point numbers below 32 bits. */
bool has_mostly_narrow_values(const ItemBody &body, const ShapeAnalysis &analysis);

/** The vectorization factor for a body: as many lanes as fill a register with its most frequent element size. */
unsigned choose_width(const ItemBody &body, const ShapeAnalysis &analysis, const PrivateMemory &memory,
                      const llvm::TargetTransformInfo &tti);

/** The interleave count: vectors per iteration of the item loop (1, 2 or 4). `is_jammed`: the body consists of jammed
 * iterations of the y loop. */
unsigned choose_interleave_count(const ShapeAnalysis &analysis, bool is_jammed);

}  // namespace quern

#endif
