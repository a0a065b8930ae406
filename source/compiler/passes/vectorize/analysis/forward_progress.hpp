/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops in which work-items wait for each other. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_FORWARD_PROGRESS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_FORWARD_PROGRESS_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>

namespace quern {

/** Whether a lane may go round the loop until another one, which has left it, does what comes behind: a loop that takes
 * a lock, or waits for its turn. Lanes come out of a loop together, so that it would never end. One by one work-items
 * come to an end, each before the next begins.
 *
 * There is a way round such a loop on which nothing changes that decides, and others' memory decides. A failed exchange
 * of what has been read is no such thing: it shows that another one has got on. Nor is what all lanes read alike, if
 * they leave the loop by nothing else: that is for another work-group to say.
 *
 * `is_uniform` tells of values whether they are the same for all lanes. Of many ways only the first are looked at. */
bool needs_lane_progress(const llvm::Loop &loop, llvm::function_ref<bool(const llvm::Value &)> is_uniform);

/** The same of functions that `function` calls, and that these call, where not even one lane after the other may run
 * them: the lock may be released when they have returned. */
bool calls_spin_loop(const llvm::Function &function);

}  // namespace quern

#endif
