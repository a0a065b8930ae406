/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where it pays that the work-items of a group stride together. */
#ifndef COMPILER_PASSES_GROUP_STRIDE_PROFIT_HPP
#define COMPILER_PASSES_GROUP_STRIDE_PROFIT_HPP

#include <optional>

#include <llvm/IR/Dominators.h>

#include "compiler/passes/group_stride_loop.hpp"

namespace quern {

/** What a loop must have for it when it runs. */
struct GroupStrideProfit {
  /** Work-items along x: always enough, and enough where turns reach further than caches do. */
  uint64_t fewest_items, fewest_items_far;
  /** From the first element to the bound. */
  uint64_t far_elements;
};

/** None when it does not pay whatever the numbers are. `dominators` are those of the loop's function. */
std::optional<GroupStrideProfit> estimate_group_stride_profit(const GroupStrideLoop &stride,
                                                              const llvm::DominatorTree &dominators);

}  // namespace quern

#endif
