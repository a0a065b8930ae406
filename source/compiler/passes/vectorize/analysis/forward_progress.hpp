/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Detection of spin loops, which need forward progress of one lane while another stays in the loop. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_FORWARD_PROGRESS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_FORWARD_PROGRESS_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>

namespace quern {

/** Whether a lane may iterate until another lane, which has left the loop, executes code after it. Examples are a loop
 * that takes a lock and a loop that waits for a counter to reach the own id. In vector code the lanes leave a loop
 * together, so the loop would never end. Executed serially, each work-item ends before the next begins.
 *
 * A spin loop has a cyclic path on which no value changes that the branch conditions depend on, and one of them depends
 * on memory that other work-items write. A failed compare-exchange of a value read before does not count: it shows that
 * another lane made progress. Nor do uniform reads if all exit conditions are uniform: only another work-group can
 * change their values.
 *
 * `is_uniform` tells whether a value is the same for all lanes. The search is bounded: false if none of the first paths
 * is one of a spin loop. */
bool needs_lane_progress(const llvm::Loop &loop, llvm::function_ref<bool(const llvm::Value &)> is_uniform);

/** Whether `function` calls, directly or transitively, a function with a spin loop. Serial calls, one for each lane, do
 * not help there: a lane may release the lock only after the call has returned. */
bool calls_spin_loop(const llvm::Function &function);

}  // namespace quern

#endif
