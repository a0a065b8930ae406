/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops with a step, as loops of the group. */
#ifndef COMPILER_PASSES_GROUP_STRIDE_INTERCHANGE_HPP
#define COMPILER_PASSES_GROUP_STRIDE_INTERCHANGE_HPP

#include "compiler/passes/group_stride_loop.hpp"
#include "compiler/passes/group_stride_profit.hpp"

namespace quern {

/** In the metadata of what a turn loads and stores. */
constexpr const char *group_stride_mark = "quern.stride";

/** Gives the loop a second form with a barrier in each turn, which runs where numbers are small and what `gain` asks
 * for is there. The loop must be in simplified form, and left through phis. */
void interchange_group_stride(const GroupStrideLoop &stride, const GroupStrideProfit &gain);

}  // namespace quern

#endif
