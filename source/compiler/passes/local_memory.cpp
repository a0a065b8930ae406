/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Placement of a kernel's local variables in the work-group's local memory. */
#include "compiler/passes/local_memory.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {

static bool is_local_variable(const Value *value) {
  auto *variable = dyn_cast<GlobalVariable>(value);
  return variable && variable->getAddressSpace() == local_space;
}

bool uses_local_variable(const Constant *constant) {
  if (is_local_variable(constant)) return true;
  if (isa<GlobalValue>(constant)) return false;
  return any_of(constant->operands(), [](const Use &use) {
    auto *operand = dyn_cast<Constant>(use.get());
    return operand && uses_local_variable(operand);
  });
}

bool is_local_pointer(const Argument &parameter) {
  auto *type = dyn_cast<PointerType>(parameter.getType());
  return type && type->getAddressSpace() == local_space;
}

void expand_local_variable_uses(Module &module) {
  SmallVector<Constant *, 16> variables;
  for (GlobalVariable &variable : module.globals()) {
    if (is_local_variable(&variable)) variables.push_back(&variable);
  }
  convertUsersOfConstantsToInstructions(variables);
}

static SetVector<GlobalVariable *> used_variables(Function &function) {
  SetVector<GlobalVariable *> used;
  for (Instruction &instruction : instructions(function)) {
    for (Value *operand : instruction.operands()) {
      if (is_local_variable(operand)) used.insert(cast<GlobalVariable>(operand));
    }
  }
  return used;
}

static void replace_variable(GlobalVariable &variable, Value &address, const Function &function) {
  variable.replaceUsesWithIf(&address, [&](Use &use) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    return user && user->getFunction() == &function;
  });
}

uint64_t place_local_variables(Function &function, Value &local, uint64_t &alignment) {
  const DataLayout &layout = function.getDataLayout();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  uint64_t offset = 0;
  for (GlobalVariable *variable : used_variables(function)) {
    Align required = layout.getPreferredAlign(variable);
    alignment = std::max(alignment, required.value());
    offset = alignTo(offset, required);
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &local, offset, variable->getName());
    replace_variable(*variable, *address, function);
    offset += layout.getTypeAllocSize(variable->getValueType());
  }
  return offset;
}

uint64_t local_variable_bytes(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  uint64_t bytes = 0;
  for (GlobalVariable *variable : used_variables(function)) {
    bytes = SaturatingAdd<uint64_t>(bytes, layout.getTypeAllocSize(variable->getValueType()));
  }
  return bytes;
}

void make_local_variables_private(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (GlobalVariable *variable : used_variables(function)) {
    AllocaInst *memory = builder.CreateAlloca(variable->getValueType(), nullptr, variable->getName());
    memory->setAlignment(layout.getPreferredAlign(variable));
    replace_variable(*variable, *builder.CreateAddrSpaceCast(memory, variable->getType()), function);
  }
}

bool replace_collective_memory(Function &function, Value &memory) {
  bool is_used = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || !is_collective_memory(call->getCalledFunction())) continue;
    call->replaceAllUsesWith(&memory);
    call->eraseFromParent();
    is_used = true;
  }
  return is_used;
}

}  // namespace quern
