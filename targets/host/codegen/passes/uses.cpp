/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Copies of values with very many additions: empty inline assembly, through which no pass of LLVM's looks. */
#include "host/codegen/passes/uses.hpp"

#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

/* More than any kernel is known to have that is not made by a program. */
static constexpr unsigned most_additions = 1024;

static constexpr unsigned group_size = 512;

using Uses = MapVector<Value *, SmallVector<Use *, 0>>;

/* Of 64 bits, the operand is not copied. */
static bool is_copied_type(const Type &type) {
  return type.isIntegerTy(32) || type.isIntegerTy(16) || type.isIntegerTy(8);
}

static bool has_many_additions(const Value &value) {
  if (!is_copied_type(*value.getType()) || !value.hasNUsesOrMore(most_additions + 1)) return false;
  unsigned count = 0;
  for (const User *user : value.users()) {
    auto *operation = dyn_cast<BinaryOperator>(user);
    if (operation && operation->getOpcode() == Instruction::Add && ++count > most_additions) return true;
  }
  return false;
}

/* The uses of all values with many additions, in the order of the code. */
static Uses find_uses(Function &function) {
  Uses uses;
  for (Argument &argument : function.args()) {
    if (has_many_additions(argument)) uses[&argument];
  }
  for (Instruction &instruction : instructions(function)) {
    if (has_many_additions(instruction)) uses[&instruction];
  }
  if (uses.empty()) return uses;
  for (Instruction &instruction : instructions(function)) {
    for (Use &use : instruction.operands()) {
      if (auto found = uses.find(use.get()); found != uses.end()) found->second.push_back(&use);
    }
  }
  return uses;
}

/* Behind the value, so that it is there wherever the value is; null where that is not possible. */
static Value *make_copy(Value &value, Function &function) {
  std::optional<BasicBlock::iterator> place = function.getEntryBlock().getFirstInsertionPt();
  if (auto *instruction = dyn_cast<Instruction>(&value)) place = instruction->getInsertionPointAfterDef();
  if (!place) return nullptr;
  IRBuilder<> builder((*place)->getParent(), *place);
  auto *type = FunctionType::get(value.getType(), {value.getType()}, false);
  CallInst *copy = builder.CreateCall(InlineAsm::get(type, "", "=r,0", false), {&value});
  copy->setDoesNotThrow();
  copy->setDoesNotAccessMemory();
  return copy;
}

void quern::divide_uses(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    for (auto &[value, uses] : find_uses(function)) {
      for (size_t i = group_size; i < uses.size(); i += group_size) {
        Value *copy = make_copy(*value, function);
        if (!copy) break;
        for (Use *use : ArrayRef(uses).slice(i).take_front(group_size)) use->set(copy);
      }
    }
  }
}
