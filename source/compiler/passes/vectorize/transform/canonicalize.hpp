/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Canonical control flow of an item body, as vectorization requires it. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_CANONICALIZE_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_CANONICALIZE_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

namespace llvm {
class Loop;
class LoopInfo;
class DominatorTree;
}  // namespace llvm

namespace quern {

/** Canonicalizes the control flow of `function`: one return, no `unreachable`, reducible loops in LoopSimplify form
 * (one latch, a preheader, dedicated exits) and in LCSSA form. False if a loop has no exit, or cannot be simplified. */
bool canonicalize_control_flow(llvm::Function &function);

/** Lowers a switch to conditional branches, one for each target other than the default one. Erases `branch`. */
void lower_switch(llvm::SwitchInst &branch);

/** The latch that make_latch_exit adds to a loop, and its phis. */
struct LatchExit {
  /** The new latch, the only exiting block of the loop. */
  llvm::BasicBlock *latch;
  /** The first phi of the latch: true if the work-item stays in the loop. */
  llvm::PHINode *live_mask;
  /** Phis of the latch with the live-out values of a work-item: set in the iteration in which it exits. */
  llvm::SmallVector<llvm::PHINode *, 4> live_outs;
  /** Pairs of a latch phi and a header phi. The latch phi is both the next value of the header phi and a live-out
   * value. For work-items that did not run the iteration it keeps the value of the header phi. */
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 2> blended_phis;
};

/** Moves the exits of `loop` to a new latch, so that work-items leave it only at the end of an iteration. The former
 * exit edges lead to the latch, which records that the work-item exits, by which edge, and its live-out values. `loop`
 * must be canonical. `varies` tells whether a phi of the header differs between work-items already. Invalidates
 * LoopInfo and the dominator tree. */
LatchExit make_latch_exit(llvm::Loop &loop, llvm::function_ref<bool(const llvm::PHINode &)> varies);

}  // namespace quern

#endif
