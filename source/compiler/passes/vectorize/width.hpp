/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The size of vectors. */
#ifndef COMPILER_PASSES_VECTORIZE_WIDTH_HPP
#define COMPILER_PASSES_VECTORIZE_WIDTH_HPP

#include <llvm/Analysis/TargetTransformInfo.h>

#include "compiler/passes/vectorize/lane_analysis.hpp"
#include "compiler/passes/vectorize/private_memory.hpp"

namespace quern {

/** Most lanes of a body that are no sub-group. */
constexpr unsigned largest_width = 64;

/** The machine that vectors are for. */
struct VectorMachine {
  const llvm::TargetTransformInfo &costs;
  /** Gathers, and scatters, take less time than to go lane by lane; else about as much. */
  bool gathers_fast, scatters_fast;
};

/** Of the machine's vector registers. */
unsigned register_bits(const llvm::TargetTransformInfo &machine);

/** What a vector form costs hangs on. */
struct VectorUnit {
  unsigned register_bits;
  /** Has instructions for words of 32 bits that lie anywhere; else lanes go one by one. */
  bool gathers, scatters;
  /** As in VectorMachine. */
  bool gathers_fast, scatters_fast;
  /** Loads and stores rows of such words, and of narrower elements, of which some lanes are off; else lanes go one by
   * one. */
  bool masks_words, masks_bytes;
  /** Loads of lanes that lie anywhere are best made by gathers, whatever each lane loads. */
  bool takes_lanes_together() const { return gathers && gathers_fast; }
};
VectorUnit vector_unit(const VectorMachine &machine, llvm::LLVMContext &context, unsigned width);

/** An atomic, or a call of a function: what the lanes may have to do one after the other. */
bool may_go_lane_by_lane(const llvm::Instruction &instruction);

/** Lanes that suit a body and the machine. */
unsigned choose_width(const ItemBody &body, const LaneAnalysis &analysis, const PrivateMemory &memory,
                      const llvm::TargetTransformInfo &machine);

/** Vectors per turn of the loop over work-items; `merges_rows`: the body does the work of several rows. */
unsigned choose_vectors(const LaneAnalysis &analysis, bool merges_rows);

}  // namespace quern

#endif
