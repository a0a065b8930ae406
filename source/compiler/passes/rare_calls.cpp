/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Late inlining of cold functions. */
#include "compiler/passes/rare_calls.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace quern {

/* The most instructions of a function that is inlined, and of all that a function gets. */
static constexpr unsigned most_instructions = 80, most_added = 1600;

static bool is_small_and_cold(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const bool is_known = callee && callee->hasLocalLinkage() && !callee->isDeclaration() && callee != call.getFunction();
  return is_known && callee->hasFnAttribute(Attribute::Cold) && callee->getInstructionCount() <= most_instructions;
}

PreservedAnalyses InlineRareCallsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<CallBase *, 8> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && is_small_and_cold(*call)) calls.push_back(call);
  }
  unsigned added = 0;
  bool changed = false;
  for (CallBase *call : calls) {
    added += call->getCalledFunction()->getInstructionCount();
    if (added > most_added) break;
    InlineFunctionInfo info;
    changed |= InlineFunction(*call, info).isSuccess();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
