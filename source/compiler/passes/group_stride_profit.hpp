/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cost model of the interchange of group-stride loops. */
#ifndef COMPILER_PASSES_GROUP_STRIDE_PROFIT_HPP
#define COMPILER_PASSES_GROUP_STRIDE_PROFIT_HPP

#include <optional>

#include <llvm/IR/Dominators.h>

#include "compiler/passes/group_stride_loop.hpp"

namespace quern {

/** Conditions, tested at run time, under which the interchange of a loop is profitable. */
struct GroupStrideProfit {
  /** Least number of work-items along x: in general, and when the loop covers more data than a core's caches hold. */
  uint64_t min_items, min_items_uncached;
  /** Least distance from the first element to the bound, in elements, for which `min_items_uncached` applies. */
  uint64_t min_elements_uncached;
};

/** Estimates when the interchange is profitable. Empty when it is unprofitable for every range and group size.
 * `stride.can_interchange` must have succeeded; `dominators` is the dominator tree of the loop's function. */
std::optional<GroupStrideProfit> estimate_group_stride_profit(const GroupStrideLoop &stride,
                                                              const llvm::DominatorTree &dominators);

}  // namespace quern

#endif
