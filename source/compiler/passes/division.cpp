/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Integer divisions without undefined behaviour. Division by zero, and of the least value by -1, is undefined in C and
 * LLVM and raises an exception on CPUs, but gives an unspecified value in OpenCL C. The divisor becomes 1 then. */
#include "compiler/passes/division.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace quern {
namespace {

void define_unsigned(BinaryOperator &operation) {
  IRBuilder<> builder(&operation);
  Value *divisor = operation.getOperand(1), *one = ConstantInt::get(divisor->getType(), 1);
  operation.setOperand(1, builder.CreateBinaryIntrinsic(Intrinsic::umax, divisor, one));
}

/* For a divisor of -1 too the divisor becomes 1: the remainder is 0 in both cases, and the quotient is negated. */
void define_signed(BinaryOperator &operation) {
  IRBuilder<> builder(&operation);
  Value *dividend = operation.getOperand(0), *divisor = operation.getOperand(1);
  Value *one = ConstantInt::get(divisor->getType(), 1);
  Value *is_special = builder.CreateICmpULE(builder.CreateAdd(divisor, one), one); /* -1 or 0 */
  operation.setOperand(1, builder.CreateSelect(is_special, one, divisor));
  if (operation.getOpcode() == Instruction::SRem) return;
  builder.SetInsertPoint(operation.getNextNode());
  Value *is_negation = builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(divisor->getType()));
  Value *negation = builder.CreateNeg(dividend);
  Value *quotient = builder.CreateSelect(is_negation, negation, &operation);
  operation.replaceUsesWithIf(quotient, [&](Use &use) { return use.getUser() != quotient; });
}

/* Whether the operation is defined for every dividend: its divisor is a constant but 0 and, signed, -1. */
bool is_defined(const BinaryOperator &operation, bool is_signed) {
  auto *divisor = dyn_cast<Constant>(operation.getOperand(1));
  if (divisor && divisor->getType()->isVectorTy()) divisor = divisor->getSplatValue();
  auto *number = dyn_cast_or_null<ConstantInt>(divisor);
  return number && !number->isZero() && !(is_signed && number->isMinusOne());
}

void make_defined(BinaryOperator &operation) {
  bool is_signed = operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
  if (is_defined(operation, is_signed)) return;
  if (is_signed)
    define_signed(operation);
  else
    define_unsigned(operation);
}

}  // namespace

void make_divisions_defined(Module &module) {
  SmallVector<BinaryOperator *, 16> divisions;
  for (Function &function : module) {
    for (Instruction &instruction : instructions(function)) {
      if (instruction.isIntDivRem()) divisions.push_back(cast<BinaryOperator>(&instruction));
    }
  }
  for (BinaryOperator *division : divisions) make_defined(*division);
}

}  // namespace quern
