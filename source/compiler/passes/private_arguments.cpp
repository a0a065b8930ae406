/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Inlining of functions that get pointers to private variables. */
#include "compiler/passes/private_arguments.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/private_variables.hpp"

using namespace llvm;

namespace quern {

/* Instructions of a function that is inlined, and those by which its calls together may make callers longer. */
static constexpr unsigned largest_callee = 2000, largest_growth = 10000;

static bool is_private_variable(const Value &pointer, const DataLayout &layout) {
  const Value *object = getUnderlyingObject(&pointer);
  if (auto *variable = dyn_cast<AllocaInst>(object)) return is_promotable_size(*variable);
  /* Of a function that may itself be inlined to where the variable is. */
  return isa<Argument>(object) && object->getType()->getPointerAddressSpace() == layout.getAllocaAddrSpace();
}

static bool passes_private_variable(const CallBase &call) {
  const DataLayout &layout = call.getDataLayout();
  return any_of(call.args(), [&](const Use &argument) {
    return argument->getType()->isPointerTy() && is_private_variable(*argument, layout);
  });
}

static SmallVector<const CallBase *, 8> calls_of(const Function &function) {
  SmallVector<const CallBase *, 8> calls;
  for (const User *user : function.users()) {
    auto *call = dyn_cast<CallBase>(user);
    if (call && call->getCalledFunction() == &function) calls.push_back(call);
  }
  return calls;
}

/* Whether the function is among its own callers. */
static bool is_recursive(const Function &function) {
  SmallSetVector<const Function *, 16> callers;
  callers.insert(&function);
  for (unsigned i = 0; i < callers.size(); i++) {
    for (const CallBase *call : calls_of(*callers[i])) {
      if (call->getFunction() == &function) return true;
      callers.insert(call->getFunction());
    }
  }
  return false;
}

PreservedAnalyses FavorPrivateArgumentsPass::run(Function &function, FunctionAnalysisManager &) {
  if (function.hasFnAttribute(Attribute::NoInline) || function.arg_empty()) return PreservedAnalyses::all();
  const SmallVector<const CallBase *, 8> calls = calls_of(function);
  if (none_of(calls, [](const CallBase *call) { return passes_private_variable(*call); }))
    return PreservedAnalyses::all();
  const unsigned size = function.getInstructionCount();
  const bool is_small = size <= largest_callee && uint64_t(size) * (calls.size() - 1) <= largest_growth;
  if (is_small && !is_recursive(function)) function.addFnAttr(Attribute::AlwaysInline);
  return PreservedAnalyses::all();
}

}  // namespace quern
