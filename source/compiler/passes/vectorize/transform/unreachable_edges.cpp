/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Ways that are never taken. */
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;

namespace quern {

namespace {

bool is_dead_end(const BasicBlock &block) { return isa<UnreachableInst>(block.front()); }

/* What is never chosen may be any of the others. */
bool close(SwitchInst &choice) {
  bool changed = false;
  for (auto one = choice.case_begin(); one != choice.case_end();) {
    if (is_dead_end(*one->getCaseSuccessor()) && choice.getNumCases() > 1) {
      one = choice.removeCase(one);
      changed = true;
    } else {
      ++one;
    }
  }
  BasicBlock *block = choice.getParent(), *other = choice.case_begin()->getCaseSuccessor();
  if (!is_dead_end(*choice.getDefaultDest()) || is_dead_end(*other)) return changed;
  choice.setDefaultDest(other);
  for (PHINode &phi : other->phis()) phi.addIncoming(phi.getIncomingValueForBlock(block), block);
  return true;
}

bool close(BranchInst &branch) {
  if (!branch.isConditional()) return false;
  for (unsigned i = 0; i < 2; i++) {
    BasicBlock *other = branch.getSuccessor(1 - i);
    if (!is_dead_end(*branch.getSuccessor(i)) || is_dead_end(*other)) continue;
    IRBuilder<>(&branch).CreateBr(other);
    branch.eraseFromParent();
    return true;
  }
  return false;
}

}  // namespace

PreservedAnalyses RemoveUnreachableEdgesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function) {
    Instruction *end = block.getTerminator();
    if (auto *choice = dyn_cast<SwitchInst>(end); choice && choice->getNumCases()) changed |= close(*choice);
    if (auto *branch = dyn_cast<BranchInst>(end)) changed |= close(*branch);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
