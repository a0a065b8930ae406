/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pass that removes the edges to unreachable blocks. */
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;

namespace quern {

namespace {

/* True if a block consists of `unreachable` only. */
bool is_unreachable(const BasicBlock &block) { return isa<UnreachableInst>(block.front()); }

/* Removes the cases of unreachable targets, but keeps one case. An unreachable default target is replaced by that of
 * the first case: control never gets there, so any target is correct. */
bool remove_unreachable_targets(SwitchInst &branch) {
  bool changed = false;
  for (auto branch_case = branch.case_begin(); branch_case != branch.case_end();) {
    if (is_unreachable(*branch_case->getCaseSuccessor()) && branch.getNumCases() > 1) {
      branch_case = branch.removeCase(branch_case);
      changed = true;
    } else {
      ++branch_case;
    }
  }
  BasicBlock *block = branch.getParent(), *other = branch.case_begin()->getCaseSuccessor();
  if (!is_unreachable(*branch.getDefaultDest()) || is_unreachable(*other)) return changed;
  branch.setDefaultDest(other);
  for (PHINode &phi : other->phis()) phi.addIncoming(phi.getIncomingValueForBlock(block), block);
  return true;
}

/* Replaces a conditional branch with one unreachable target by a jump to the other target. */
bool remove_unreachable_targets(BranchInst &branch) {
  if (!branch.isConditional()) return false;
  for (unsigned i = 0; i < 2; i++) {
    BasicBlock *other = branch.getSuccessor(1 - i);
    if (!is_unreachable(*branch.getSuccessor(i)) || is_unreachable(*other)) continue;
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
    if (auto *multiway = dyn_cast<SwitchInst>(end); multiway && multiway->getNumCases()) {
      changed |= remove_unreachable_targets(*multiway);
    }
    if (auto *branch = dyn_cast<BranchInst>(end)) changed |= remove_unreachable_targets(*branch);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
