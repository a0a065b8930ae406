/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops in which work-items wait for each other. */
#ifndef COMPILER_PASSES_VECTORIZE_WAITS_HPP
#define COMPILER_PASSES_VECTORIZE_WAITS_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>

namespace quern {

/** Whether a lane may go round the loop until another one, which has left it, does what comes behind: a loop that takes
 * a lock, or waits for its turn. Lanes come out of a loop together, so that it would never end. One by one work-items
 * come to an end, each before the next begins. That is no loop whose own turns end it: that counts, probes, or tries to
 * exchange what it has read, though such a one may wait, too; nor one where all lanes wait for the same, which another
 * work-group has to say.
 *
 * `is_uniform` tells of values whether they are the same for all lanes. */
bool waits_for_lanes(const llvm::Loop &loop, const llvm::LoopInfo &loops,
                     llvm::function_ref<bool(const llvm::Value &)> is_uniform);

/** The same of functions that `function` calls, and that these call, where not even one lane after the other may run
 * them: the lock may be released when they have returned. */
bool calls_what_waits(const llvm::Function &function);

}  // namespace quern

#endif
