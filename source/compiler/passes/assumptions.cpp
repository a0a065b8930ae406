/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Removal of assumptions, and of what only they use. */
#include "compiler/passes/assumptions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

PreservedAnalyses DropAssumptionsPass::run(Function &function, FunctionAnalysisManager &) {
  /* Handles, as an operand may die with an earlier assumption. */
  SmallVector<WeakTrackingVH, 16> unused;
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *assumption = dyn_cast<AssumeInst>(&instruction);
    if (!assumption) continue;
    for (const Use &operand : assumption->data_ops()) unused.push_back(operand.get());
    assumption->eraseFromParent();
    changed = true;
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  return preserve_blocks(changed);
}

}  // namespace quern
