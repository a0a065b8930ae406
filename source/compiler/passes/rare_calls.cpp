/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Late inlining of cold functions. */
#include "compiler/passes/rare_calls.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace quern {

/* The most instructions of a function that is inlined, and of all that a function gets. */
static constexpr unsigned most_instructions = 60, most_added = 1200;

/* True for arithmetic alone, with what a vector variant has in stack slots. Tables would be gathered at each call. */
static bool reads_no_tables(const Function &function) {
  return all_of(instructions(function), [](const Instruction &instruction) {
    const Value *address = getLoadStorePointerOperand(&instruction);
    return address ? isa<AllocaInst>(address) : !instruction.mayReadOrWriteMemory();
  });
}

static bool is_small_and_cold(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const bool is_known = callee && callee->hasLocalLinkage() && !callee->isDeclaration() && callee != call.getFunction();
  return is_known && callee->hasFnAttribute(Attribute::Cold) && callee->getInstructionCount() <= most_instructions &&
         reads_no_tables(*callee);
}

PreservedAnalyses InlineRareCallsPass::run(Function &function, FunctionAnalysisManager &analyses) {
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
  if (!changed) return PreservedAnalyses::all();
  analyses.invalidate(function, PreservedAnalyses::none());
  SROAPass(SROAOptions::PreserveCFG).run(function, analyses); /* the stack slots of vector variants */
  return PreservedAnalyses::none();
}

}  // namespace quern
