/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of sub-group operations by name, their meaning on scalars, and sub-groups of one. */
#include "compiler/passes/sub_groups.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace quern {

/* "_Z27__quern_sub_group_broadcastfj" is "broadcast". */
static bool consume_name(StringRef &name) {
  unsigned length = 0;
  if (name.consume_front("_Z")) {
    if (name.consumeInteger(10, length)) return false;
    name = name.take_front(length);
  }
  return name.consume_front("__quern_sub_group_");
}

static Combination combination_named(StringRef name) {
  return StringSwitch<Combination>(name)
      .Case("add", Combination::add)
      .Case("mul", Combination::mul)
      .Case("smin", Combination::smin)
      .Case("umin", Combination::umin)
      .Case("fmin", Combination::fmin)
      .Case("smax", Combination::smax)
      .Case("umax", Combination::umax)
      .Case("fmax", Combination::fmax)
      .Case("and", Combination::bit_and)
      .Case("or", Combination::bit_or)
      .Case("xor", Combination::bit_xor)
      .Default(Combination::none);
}

SubGroupOperation sub_group_function(const Function *function) {
  if (!function || !function->isDeclaration()) return {};
  StringRef name = function->getName();
  if (!consume_name(name)) return {};
  SubGroup kind = StringSwitch<SubGroup>(name)
                      .Case("width", SubGroup::width)
                      .Case("first", SubGroup::first)
                      .Case("local_id", SubGroup::local_id)
                      .Case("ballot", SubGroup::ballot)
                      .Case("broadcast", SubGroup::broadcast)
                      .Case("shuffle", SubGroup::shuffle)
                      .Case("barrier", SubGroup::barrier)
                      .StartsWith("reduce_", SubGroup::reduce)
                      .StartsWith("scan_inclusive_", SubGroup::scan_inclusive)
                      .StartsWith("scan_exclusive_", SubGroup::scan_exclusive)
                      .StartsWith("clustered_", SubGroup::clustered)
                      .Default(SubGroup::none);
  if (kind < SubGroup::reduce || kind == SubGroup::barrier) return {kind, Combination::none};
  return {kind, combination_named(name.substr(name.rfind('_') + 1))};
}

SubGroupOperation sub_group_call(const Value *value) {
  auto *call = dyn_cast<CallBase>(value);
  return call ? sub_group_function(call->getCalledFunction()) : SubGroupOperation();
}

bool is_sub_group_function(const Function *function) { return sub_group_function(function).kind != SubGroup::none; }

bool is_uniform_in_sub_group(SubGroup kind) {
  switch (kind) {
    case SubGroup::width:
    case SubGroup::first:
    case SubGroup::ballot:
    case SubGroup::broadcast:
    case SubGroup::reduce: return true;
    default: return false;
  }
}

bool is_place_in_sub_group(SubGroup kind) {
  return kind == SubGroup::width || kind == SubGroup::first || kind == SubGroup::local_id;
}

/* Who takes part in the others depends on where they stand. */
void mark_sub_group_function(Function &function) {
  SubGroup kind = sub_group_function(&function).kind;
  if (kind != SubGroup::barrier) function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
  if (is_place_in_sub_group(kind)) {
    function.addFnAttr(Attribute::Speculatable);
    function.removeFnAttr(Attribute::Convergent);
  } else {
    function.setConvergent();
  }
}

Value *combine(Combination combination, Value *a, Value *b, IRBuilder<> &builder) {
  bool is_float = a->getType()->isFPOrFPVectorTy();
  switch (combination) {
    case Combination::add: return is_float ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case Combination::mul: return is_float ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case Combination::smin: return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
    case Combination::umin: return builder.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
    case Combination::fmin: return builder.CreateMinNum(a, b);
    case Combination::smax: return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
    case Combination::umax: return builder.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
    case Combination::fmax: return builder.CreateMaxNum(a, b);
    case Combination::bit_and: return builder.CreateAnd(a, b);
    case Combination::bit_or: return builder.CreateOr(a, b);
    case Combination::bit_xor: return builder.CreateXor(a, b);
    case Combination::none: break;
  }
  llvm_unreachable("not a combination");
}

Constant *neutral_element(Combination combination, Type *type) {
  unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  switch (combination) {
    case Combination::mul: return bits ? ConstantInt::get(type, 1) : ConstantFP::get(type, 1.0);
    case Combination::smin: return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
    case Combination::smax: return ConstantInt::get(type, APInt::getSignedMinValue(bits));
    case Combination::umin:
    case Combination::bit_and: return Constant::getAllOnesValue(type);
    case Combination::fmin: return ConstantFP::getInfinity(type);
    case Combination::fmax: return ConstantFP::getInfinity(type, true);
    default: return Constant::getNullValue(type);
  }
}

static Value *single_value(CallBase &call, SubGroupOperation operation) {
  IRBuilder<> builder(&call);
  switch (operation.kind) {
    case SubGroup::width: return builder.getInt32(1);
    case SubGroup::first: return builder.CreateAdd(call.getArgOperand(0), call.getArgOperand(1));
    case SubGroup::local_id: return builder.getInt32(0);
    case SubGroup::ballot: return builder.CreateZExt(builder.CreateIsNotNull(call.getArgOperand(0)), call.getType());
    case SubGroup::scan_exclusive: return neutral_element(operation.combination, call.getType());
    default: return call.getArgOperand(0);
  }
}

void replace_sub_group_width(Function &function, unsigned width) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (sub_group_call(&instruction).kind != SubGroup::width) continue;
    instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), width));
    instruction.eraseFromParent();
  }
}

void make_sub_groups_single(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    SubGroupOperation operation = sub_group_call(&instruction);
    if (operation.kind == SubGroup::none) continue;
    auto &call = cast<CallBase>(instruction);
    if (operation.kind != SubGroup::barrier) call.replaceAllUsesWith(single_value(call, operation));
    call.eraseFromParent();
  }
}

}  // namespace quern
