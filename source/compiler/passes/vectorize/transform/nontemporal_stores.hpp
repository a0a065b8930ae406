/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Non-temporal stores, for results that are larger than the caches. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_NONTEMPORAL_STORES_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_NONTEMPORAL_STORES_HPP

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** The stores of a body that does little else, to memory that it does not read. As non-temporal stores they save the
 * read for ownership: a store through the caches first reads the line that it overwrites. */
struct NonTemporalStores {
  /** All stores of the body, in program order, as code is made for one after the other. */
  llvm::SmallSetVector<const llvm::StoreInst *, 4> stores;
  /** The alignment that the stored vectors need: the size of a register. */
  llvm::Align align;
  /** Bytes that one work-item stores. */
  uint64_t bytes_per_item;

  /** The stores of the body that `analysis` describes, of an item loop in `function`. Empty when the body does other
   * work, its stores do not fill whole vectors of `register_bytes`, or the function has no ND-range parameter. */
  static std::optional<NonTemporalStores> find(const llvm::Function &function, const ShapeAnalysis &analysis,
                                               unsigned width, uint64_t register_bytes);

  /** Builds the condition that all work-items of the launch store enough for this to be profitable on the target.
   * `layout` is that of the ND-range. */
  llvm::Value *write_size_check(llvm::Function &function, const work_group_layout_t &layout,
                                llvm::IRBuilder<> &builder) const;
};

}  // namespace quern

#endif
