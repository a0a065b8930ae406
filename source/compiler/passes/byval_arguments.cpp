/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of byval parameters: the callee copies the struct. */
#include "compiler/passes/byval_arguments.hpp"

#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/function_bodies.hpp"

using namespace llvm;

namespace quern {

void copy_by_value_argument(Argument &parameter, Align max_align) {
  Function &function = *parameter.getParent();
  Type *type = parameter.getParamByValType();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  const DataLayout &layout = function.getDataLayout();
  Align align = std::max(layout.getABITypeAlign(type), parameter.getParamAlign().valueOrOne());
  AllocaInst *copy = builder.CreateAlloca(type);
  copy->setAlignment(align);
  copy->moveBefore(function.getEntryBlock().begin());
  parameter.replaceAllUsesWith(copy);
  builder.CreateMemCpy(copy, align, &parameter, std::min(align, max_align), layout.getTypeAllocSize(type));
  parameter.removeAttr(Attribute::ByVal);
  if (align > max_align) {
    parameter.removeAttr(Attribute::Alignment);
    parameter.addAttr(Attribute::getWithAlignment(parameter.getContext(), max_align));
  }
  parameter.addAttr(Attribute::ReadOnly);
}

bool copy_by_value_arguments(Module &module) {
  bool found = false;
  for (Function &function : module) {
    if (function.isDeclaration() || !function.hasLocalLinkage() || !is_only_called(function)) continue;
    for (Argument &parameter : function.args()) {
      if (!parameter.hasByValAttr()) continue;
      copy_by_value_argument(parameter, Align(Value::MaximumAlignment));
      for (User *user : function.users()) {
        auto *call = cast<CallInst>(user);
        call->removeParamAttr(parameter.getArgNo(), Attribute::ByVal);
        call->setTailCall(false); /* the callee now reads an alloca of its caller */
      }
      found = true;
    }
  }
  return found;
}

}  // namespace quern
