/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Stores past the caches, for results that are larger than these. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_NONTEMPORAL_STORES_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_NONTEMPORAL_STORES_HPP

#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** The stores of a body that does little else, to memory that it does not read. A store that goes through the caches
 * first reads what it is about to overwrite. */
struct NonTemporalStores {
  llvm::SmallPtrSet<const llvm::StoreInst *, 4> stores;
  /** Of the vectors that are stored: that of a register. */
  llvm::Align align;
  /** What one work-item stores. */
  uint64_t bytes;

  /** Empty when the body has other work, or its stores do not fill whole vectors of `register_bytes`. */
  static std::optional<NonTemporalStores> find(const ShapeAnalysis &analysis, unsigned width, uint64_t register_bytes);

  /** Whether all work-items of the launch store as much as it takes for that to pay on the machine; null when the
   * function is not told its ND-range, which has a `layout`. */
  llvm::Value *is_large(llvm::Function &function, const work_group_layout_t &layout, llvm::IRBuilder<> &builder) const;
};

/** True when `value` can be computed for any work-item before the loop, an address too. */
bool can_compute_before(const llvm::Value *value);

}  // namespace quern

#endif
