/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Clones loops, and lets the values of both meet where they end. */
#include "compiler/passes/vectorize/transform/clone_loop.hpp"

#include <cassert>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace quern {

BranchInst *clone_loop(Loop &loop, Value *condition, const Twine &suffix, LoopInfo &loops, DominatorTree &dominators,
                       ValueToValueMapTy &copies, SmallVectorImpl<BasicBlock *> &clones) {
  BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getUniqueExitBlock();
  assert(before && exit && copies.empty() && clones.empty() && "the loop must be in LoopSimplify form");
  BasicBlock *preheader = SplitBlock(before, before->getTerminator(), &dominators, &loops);
  cloneLoopWithPreheader(preheader, before, &loop, copies, suffix, &loops, &dominators, clones);
  remapInstructionsInBlocks(clones, copies);
  for (PHINode &phi : exit->phis()) {
    for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; i++) {
      Value *value = phi.getIncomingValue(i), *copy = copies.lookup(value);
      phi.addIncoming(copy ? copy : value, cast<BasicBlock>(copies.lookup(phi.getIncomingBlock(i))));
    }
  }
  Instruction *jump = before->getTerminator();
  BranchInst *branch = IRBuilder<>(jump).CreateCondBr(condition, cast<BasicBlock>(copies.lookup(preheader)), preheader);
  jump->eraseFromParent();
  return branch;
}

}  // namespace quern
