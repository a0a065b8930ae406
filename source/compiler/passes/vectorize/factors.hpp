/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Factors of indices that change from turn to turn of the loops around a region. */
#ifndef COMPILER_PASSES_VECTORIZE_FACTORS_HPP
#define COMPILER_PASSES_VECTORIZE_FACTORS_HPP

#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/lane_analysis.hpp"

namespace quern {

/** A value that all work-items agree on, and that one of them multiplies with what differs between them on the way to
 * an address: the distance of neighbours in a tree, 1, 2, 4 and so on. For the first of these their elements lie in
 * rows. */
struct Factor {
  llvm::Value *value;
  /** What it multiplies by: itself, or as a power of two. */
  bool is_exponent;

  /** Empty when there is none, or what it multiplies by cannot be told to be small at first: it is the same in all
   * turns of the loops around, like the length of a row. */
  static std::optional<Factor> find(const ItemBody &body, const LaneAnalysis &analysis, const ItemLoop &loop,
                                    const llvm::LoopInfo &loops);

  /** `value` where it multiplies by 1 << `index`. */
  llvm::ConstantInt *constant(unsigned index) const;
};

/** Makes a body one for turns in which `value`, from outside, is `constant`. */
void assume_value(const ItemBody &body, const llvm::Value *value, llvm::Constant *constant);

}  // namespace quern

#endif
