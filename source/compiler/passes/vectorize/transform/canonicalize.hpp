/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The form in which the control flow of an item body is vectorized. */
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

/** Gives `function` one return, no unreachable ends, reducible loops with one latch, a preheader and dedicated exits,
 * in loop-closed form. False when a loop never ends. */
bool make_canonical(llvm::Function &function);

/** EnclosingInduction the switch at the end of `block` into branches. */
void lower_switch(llvm::SwitchInst &branch);

/** What make_latch_exit adds to a loop. */
struct LatchExit {
  /** The new latch, the only block that leaves the loop. Its first phi says whether a work-item stays. */
  llvm::BasicBlock *latch;
  llvm::PHINode *live_mask;
  /** Phis of the latch that hold what a work-item takes out of the loop: set in the turn in which it leaves. */
  llvm::SmallVector<llvm::PHINode *, 4> live_out;
  /** Phis of the latch that hold what a work-item has at the end of each turn that it runs, and takes out as well; what
   * the header's phi was before the turn for all others. */
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 2> blended;
};

/** Lets work-items leave `loop`, which is canonical, only at the end of a turn: where they left before they now jump
 * there, having noted that they leave and which way. `varies` tells whether a phi of the header differs between
 * work-items as it is. The analyses are out of date afterwards. */
LatchExit make_latch_exit(llvm::Loop &loop, llvm::function_ref<bool(const llvm::PHINode &)> varies);

}  // namespace quern

#endif
