/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of sub-group operations by name, combinations of values, and lowering for sub-groups of one. */
#include "compiler/passes/sub_groups.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace quern {

/* Reduces a function name to that of the operation: "_Z27__quern_sub_group_broadcastfj" is "broadcast". */
static bool consume_name(StringRef &name) {
  unsigned length = 0;
  if (name.consume_front("_Z")) {
    if (name.consumeInteger(10, length)) return false;
    name = name.take_front(length);
  }
  return name.consume_front("__quern_sub_group_");
}

static ReductionKind combination_named(StringRef name) {
  return StringSwitch<ReductionKind>(name)
      .Case("add", ReductionKind::add)
      .Case("mul", ReductionKind::mul)
      .Case("smin", ReductionKind::smin)
      .Case("umin", ReductionKind::umin)
      .Case("fmin", ReductionKind::fmin)
      .Case("smax", ReductionKind::smax)
      .Case("umax", ReductionKind::umax)
      .Case("fmax", ReductionKind::fmax)
      .Case("and", ReductionKind::bit_and)
      .Case("or", ReductionKind::bit_or)
      .Case("xor", ReductionKind::bit_xor)
      .Default(ReductionKind::none);
}

SubGroupOperation sub_group_function(const Function *function) {
  if (!function || !function->isDeclaration()) return {};
  StringRef name = function->getName();
  if (!consume_name(name)) return {};
  SubGroup kind = StringSwitch<SubGroup>(name)
                      .Case("width", SubGroup::width)
                      .Case("may_follow_lines", SubGroup::may_follow_lines)
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
  if (kind < SubGroup::reduce || kind == SubGroup::barrier) return {kind, ReductionKind::none};
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
    case SubGroup::may_follow_lines:
    case SubGroup::first:
    case SubGroup::ballot:
    case SubGroup::broadcast:
    case SubGroup::reduce: return true;
    default: return false;
  }
}

bool is_sub_group_position(SubGroup kind) {
  return kind == SubGroup::width || kind == SubGroup::may_follow_lines || kind == SubGroup::first ||
         kind == SubGroup::local_id;
}

/* The other operations depend on the set of active work-items, so they are convergent. */
void mark_sub_group_function(Function &function) {
  SubGroup kind = sub_group_function(&function).kind;
  if (kind != SubGroup::barrier) function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
  if (is_sub_group_position(kind)) {
    function.addFnAttr(Attribute::Speculatable);
    function.removeFnAttr(Attribute::Convergent);
  } else {
    function.setConvergent();
  }
}

void pin_sub_group_local_ids(Module &module) {
  for (Function &function : module) {
    if (sub_group_function(&function).kind != SubGroup::local_id) continue;
    function.removeFnAttr(Attribute::Speculatable);
    function.setConvergent();
  }
}

Value *combine(ReductionKind combination, Value *a, Value *b, IRBuilder<> &builder) {
  bool is_float = a->getType()->isFPOrFPVectorTy();
  switch (combination) {
    case ReductionKind::add: return is_float ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case ReductionKind::mul: return is_float ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case ReductionKind::smin: return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
    case ReductionKind::umin: return builder.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
    case ReductionKind::fmin: return builder.CreateMinNum(a, b);
    case ReductionKind::smax: return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
    case ReductionKind::umax: return builder.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
    case ReductionKind::fmax: return builder.CreateMaxNum(a, b);
    case ReductionKind::bit_and: return builder.CreateAnd(a, b);
    case ReductionKind::bit_or: return builder.CreateOr(a, b);
    case ReductionKind::bit_xor: return builder.CreateXor(a, b);
    case ReductionKind::none: break;
  }
  llvm_unreachable("not a combination");
}

Constant *neutral_element(ReductionKind combination, Type *type) {
  unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  switch (combination) {
    case ReductionKind::mul: return bits ? ConstantInt::get(type, 1) : ConstantFP::get(type, 1.0);
    case ReductionKind::smin: return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
    case ReductionKind::smax: return ConstantInt::get(type, APInt::getSignedMinValue(bits));
    case ReductionKind::umin:
    case ReductionKind::bit_and: return Constant::getAllOnesValue(type);
    case ReductionKind::fmin: return ConstantFP::getInfinity(type);
    case ReductionKind::fmax: return ConstantFP::getInfinity(type, true);
    default: return Constant::getNullValue(type);
  }
}

static Value *value_in_single_sub_group(CallBase &call, SubGroupOperation operation) {
  IRBuilder<> builder(&call);
  switch (operation.kind) {
    case SubGroup::width: return builder.getInt32(1);
    case SubGroup::may_follow_lines: return builder.getInt32(0);
    case SubGroup::first: return builder.CreateAdd(call.getArgOperand(0), call.getArgOperand(1));
    case SubGroup::local_id: return builder.getInt32(0);
    case SubGroup::ballot: return builder.CreateZExt(builder.CreateIsNotNull(call.getArgOperand(0)), call.getType());
    case SubGroup::scan_exclusive: return neutral_element(operation.combination, call.getType());
    default: return call.getArgOperand(0);
  }
}

static void replace_calls(Function &function, SubGroup kind, uint64_t value) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (sub_group_call(&instruction).kind != kind) continue;
    instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), value));
    instruction.eraseFromParent();
  }
}

void replace_may_follow_lines(Function &kernel) {
  const bool requires_size = kernel.getFnAttribute(sub_groups_attribute).getValueAsString() != "0";
  replace_calls(kernel, SubGroup::may_follow_lines, !requires_size);
}

void replace_sub_group_width(Function &function, unsigned width) { replace_calls(function, SubGroup::width, width); }

void lower_single_item_sub_groups(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    SubGroupOperation operation = sub_group_call(&instruction);
    if (operation.kind == SubGroup::none) continue;
    auto &call = cast<CallBase>(instruction);
    if (operation.kind != SubGroup::barrier) call.replaceAllUsesWith(value_in_single_sub_group(call, operation));
    call.eraseFromParent();
  }
}

}  // namespace quern
