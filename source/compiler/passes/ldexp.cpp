/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of llvm.ldexp to two products. */
#include "compiler/passes/ldexp.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

static constexpr unsigned mantissa_bits = 23, exponent_bias = 127;

/* x * 2^(e/2) * 2^(e - e/2). The first product is exact. */
static Value *multiply(Value *x, Value *exponents, IRBuilder<> &builder) {
  auto power = [&](Value *exponent) {
    Type *type = exponent->getType();
    Value *bits = builder.CreateShl(builder.CreateAdd(exponent, ConstantInt::get(type, exponent_bias)), mantissa_bits);
    return builder.CreateBitCast(bits, x->getType());
  };
  Value *half = builder.CreateAShr(exponents, 1);
  Value *first = builder.CreateFMul(x, power(half));
  return builder.CreateFMul(first, power(builder.CreateSub(exponents, half)));
}

PreservedAnalyses LowerLdexpPass::run(Function &function, FunctionAnalysisManager &analyses) {
  (void)analyses;
  SmallVector<IntrinsicInst *, 8> found;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (call && call->getIntrinsicID() == Intrinsic::ldexp && call->getType()->getScalarType()->isFloatTy()) {
      found.push_back(call);
    }
  }
  for (IntrinsicInst *call : found) {
    IRBuilder<> builder(call);
    Value *x = call->getArgOperand(0), *exponents = call->getArgOperand(1);
    Value *scaled = multiply(x, exponents, builder);
    scaled->takeName(call);
    call->replaceAllUsesWith(scaled);
    call->eraseFromParent();
  }
  return preserve_blocks(!found.empty());
}

}  // namespace quern
