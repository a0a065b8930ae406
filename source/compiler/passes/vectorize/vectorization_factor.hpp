/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The size of vectors. */
#ifndef COMPILER_PASSES_VECTORIZE_VECTORIZATION_FACTOR_HPP
#define COMPILER_PASSES_VECTORIZE_VECTORIZATION_FACTOR_HPP

#include <llvm/Analysis/TargetTransformInfo.h>

#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** Most lanes of a body that are no sub-group. */
constexpr unsigned largest_width = 64;

/** The machine that vectors are for. */
struct VectorTarget {
  const llvm::TargetTransformInfo &costs;
  /** Gathers, and scatters, take less time than to go lane by lane; else about as much. */
  bool gathers_fast, scatters_fast;
};

/** Of the machine's vector registers. */
unsigned register_bits(const llvm::TargetTransformInfo &tti);

/** What a vector form costs hangs on. */
struct VectorUnit {
  unsigned register_bits;
  /** Has instructions for words of 32 bits that lie anywhere; else lanes go one by one. */
  bool gathers, scatters;
  /** As in VectorTarget. */
  bool gathers_fast, scatters_fast;
  /** Loads and stores rows of such words, and of narrower elements, of which some lanes are off; else lanes go one by
   * one. */
  bool masks_words, masks_bytes;
  /** Loads of lanes that lie anywhere are best made by gathers, whatever each lane loads. */
  bool takes_lanes_together() const { return gathers && gathers_fast; }
};
VectorUnit vector_unit(const VectorTarget &tti, llvm::LLVMContext &context, unsigned width);

/** An atomic, or a call of a function: what the lanes may have to do one after the other. */
bool may_be_scalarized(const llvm::Instruction &instruction);

/** Lanes that suit a body and the machine. */
unsigned choose_width(const ItemBody &body, const ShapeAnalysis &analysis, const PrivateMemory &memory,
                      const llvm::TargetTransformInfo &tti);

/** Vectors per turn of the loop over work-items; `is_jammed`: the body does the work of several rows. */
unsigned choose_interleave_count(const ShapeAnalysis &analysis, bool is_jammed);

}  // namespace quern

#endif
