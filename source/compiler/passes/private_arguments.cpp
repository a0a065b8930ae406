/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Inlining of functions that get pointers to private variables. */
#include "compiler/passes/private_arguments.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/private_variables.hpp"

using namespace llvm;

namespace quern {

namespace {

/* Instructions of a callee, with those of the calls that are inlined into it, before any simplification. */
constexpr unsigned largest_callee = 2000;

bool is_private_variable(const Value &pointer, const DataLayout &layout) {
  const Value *object = getUnderlyingObject(&pointer);
  if (auto *variable = dyn_cast<AllocaInst>(object)) return is_promotable_size(*variable);
  /* Of a function that may itself be inlined to where the variable is. */
  return isa<Argument>(object) && object->getType()->getPointerAddressSpace() == layout.getAllocaAddrSpace();
}

bool passes_private_variable(const CallBase &call) {
  const DataLayout &layout = call.getDataLayout();
  return any_of(call.args(), [&](const Use &argument) {
    return argument->getType()->isPointerTy() && is_private_variable(*argument, layout);
  });
}

/* Callees before callers. */
class CallMarker {
 public:
  /** Marks calls of the function; true if there are any. */
  bool mark(Function &function) {
    unsigned size = 0;
    bool found = false;
    for (Instruction &instruction : instructions(function)) {
      size++;
      auto *call = dyn_cast<CallBase>(&instruction);
      auto callee = call ? sizes_.find(call->getCalledFunction()) : sizes_.end();
      if (callee == sizes_.end() || callee->second > largest_callee || call->isNoInline()) continue;
      if (!passes_private_variable(*call)) continue;
      call->addFnAttr(Attribute::AlwaysInline);
      size += callee->second;
      found = true;
    }
    sizes_[&function] = size;
    return found;
  }

 private:
  /** Instructions of functions that are not recursive, with those that are inlined. */
  DenseMap<const Function *, unsigned> sizes_;
};

}  // namespace

PreservedAnalyses FavorPrivateArgumentsPass::run(Module &module, ModuleAnalysisManager &) {
  CallGraph graph(module);
  CallMarker marker;
  bool found = false;
  for (auto scc = scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    Function *function = scc->front()->getFunction();
    if (!scc.hasCycle() && function && !function->isDeclaration()) found |= marker.mark(*function);
  }
  return found ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
