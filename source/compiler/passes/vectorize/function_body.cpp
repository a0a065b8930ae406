/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The item body of a function that is called, not inlined. */
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/passes/vectorize/item_loop.hpp"

using namespace llvm;

namespace quern {

/* Collects the private variables. False when one is not a static alloca, which exists during the whole call. */
static bool find_private_variables(const Function &function, SmallVectorImpl<AllocaInst *> &variables) {
  for (const Instruction &instruction : instructions(function)) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable) continue;
    if (!variable->isStaticAlloca()) return false;
    variables.push_back(const_cast<AllocaInst *>(variable));
  }
  return true;
}

std::unique_ptr<ItemBody> ItemBody::of_function(const Function &function, const char *&why) {
  SmallVector<AllocaInst *, 8> variables;
  why = "a private variable is not a static alloca";
  if (!find_private_variables(function, variables)) return nullptr;
  why = nullptr;
  std::unique_ptr<ItemBody> body(new ItemBody);
  LLVMContext &context = function.getContext();
  SmallVector<Type *, 16> types = {Type::getInt64Ty(context)};
  types.append(function.getFunctionType()->param_begin(), function.getFunctionType()->param_end());
  for (AllocaInst *variable : variables) types.push_back(variable->getType());
  auto *type = FunctionType::get(function.getReturnType(), types, false);
  Module *module = const_cast<Module *>(function.getParent());
  body->function_ = Function::Create(type, GlobalValue::InternalLinkage, "item_body", module);

  ValueToValueMapTy map;
  for (const Argument &parameter : function.args()) map[&parameter] = body->parameter(parameter.getArgNo());
  SmallVector<BasicBlock *, 32> copies;
  for (const BasicBlock &block : function) {
    copies.push_back(CloneBasicBlock(&block, map, "", body->function_));
    map[&block] = copies.back();
  }
  for (auto [index, variable] : enumerate(variables)) {
    cast<Instruction>(map[variable])->eraseFromParent();
    Argument *address = body->function_->getArg(unsigned(function.arg_size() + 1 + index));
    map[variable] = address;
    body->outside_[address] = variable;
  }
  remapInstructionsInBlocks(copies, map);
  drop_annotations(*body->function_);
  return body;
}

}  // namespace quern
