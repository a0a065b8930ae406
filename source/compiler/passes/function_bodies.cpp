/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What passes that change a function's parameters share. */
#include "compiler/passes/function_bodies.hpp"

#include <llvm/IR/Instructions.h>

using namespace llvm;

bool quern::is_only_called(const Function &function) {
  return all_of(function.uses(), [&](const Use &use) {
    auto *call = dyn_cast<CallInst>(use.getUser());
    return call && call->isCallee(&use) && call->getFunctionType() == function.getFunctionType();
  });
}

void quern::move_body(Function &from, Function &to) {
  to.copyAttributesFrom(&from);
  to.copyMetadata(&from, 0);
  to.takeName(&from);
  to.splice(to.begin(), &from);
  for (Argument &argument : from.args()) {
    Argument *same = to.getArg(argument.getArgNo());
    same->takeName(&argument);
    argument.replaceAllUsesWith(same);
  }
}
