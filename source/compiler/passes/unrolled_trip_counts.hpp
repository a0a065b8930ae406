/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Values and trip counts that are constant once loops are unrolled. */
#ifndef COMPILER_PASSES_UNROLLED_TRIP_COUNTS_HPP
#define COMPILER_PASSES_UNROLLED_TRIP_COUNTS_HPP

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace quern {

using LoopSet = llvm::SmallSetVector<const llvm::Loop *, 2>;

/** Adds the loops that `expression` changes with to `loops`, if it is a constant in each iteration of theirs. It may
 * have recurrences, phis of loop headers whose next value an inner loop computes, and operations on these that SCEV has
 * no expression for, like signed divisions. False if it depends on anything else. */
bool find_dependent_loops(const llvm::SCEV *expression, llvm::ScalarEvolution &SE, const llvm::LoopInfo &loop_info,
                          LoopSet &loops);

/** The trip count of `loop`, or the mean one, rounded up, if it is constant in each iteration of the loops around it:
 * `for (j = 0; j < i; j++)` and `for (j = 0; j < i / 2; j++)`. Sets `outer` to the loops with whose iterations it
 * changes. 0 if it depends on other values. The largest one that SCEV knows if some of these have none, or if there are
 * too many iterations to look at. */
uint64_t find_mean_trip_count(const llvm::Loop &loop, llvm::ScalarEvolution &SE, const llvm::LoopInfo &loop_info,
                              LoopSet &outer);

}  // namespace quern

#endif
