/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Transformation of one group-stride loop into a loop of the work-group. */
#ifndef COMPILER_PASSES_GROUP_STRIDE_INTERCHANGE_HPP
#define COMPILER_PASSES_GROUP_STRIDE_INTERCHANGE_HPP

#include "compiler/passes/group_stride_loop.hpp"
#include "compiler/passes/group_stride_profit.hpp"

namespace quern {

/** Metadata kind of the loads and stores in the body of an interchanged loop. */
constexpr const char *group_stride_metadata = "quern.stride";

/** Versions the loop (as LLVM's LoopVersioning) and gives the new version a barrier in each iteration. The new version
 * runs when the index arithmetic does not wrap and the conditions of `profit` hold at run time; the original runs
 * otherwise. The loop must be in loop-simplify and LCSSA form, and `stride.can_interchange` must have succeeded. */
void interchange_group_stride(const GroupStrideLoop &stride, const GroupStrideProfit &profit);

}  // namespace quern

#endif
