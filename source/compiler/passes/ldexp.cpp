/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One instruction, or two products. */
#include "compiler/passes/ldexp.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static constexpr unsigned register_lanes = 16, mantissa_bits = 23, exponent_bias = 127;

/* Rounds to nearest, as the thread does. */
static constexpr unsigned current_rounding = 4;

/* A number is rounded to an integer by adding 1.5 * 2^23: the sum's low bits are the integer then. */
static constexpr uint32_t rounder_bits = 0x4b400000;

static unsigned lanes_of(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isFloatTy() ? vector->getNumElements() : 0;
}

/* The exponents in floating point; where they come from such a sum, the way back is short. */
static Value *as_numbers(Value *exponents, Type *type, IRBuilder<> &builder) {
  Value *sum;
  if (match(exponents, m_Add(m_BitCast(m_Value(sum)), m_SpecificInt(APInt(32, -rounder_bits, false, true)))) &&
      sum->getType() == type) {
    return builder.CreateFSub(sum, ConstantFP::get(type, bit_cast<float>(rounder_bits)));
  }
  return builder.CreateSIToFP(exponents, type);
}

static Value *scale(Value *x, Value *exponents, IRBuilder<> &builder) {
  Type *type = x->getType();
  const unsigned count = lanes_of(type);
  Value *numbers = as_numbers(exponents, type, builder),
        *all = count > register_lanes ? PoisonValue::get(type) : nullptr;
  for (unsigned first = 0; first < count; first += register_lanes) {
    auto part = [&](Value *whole) {
      auto *part_type = FixedVectorType::get(builder.getFloatTy(), register_lanes);
      return all ? builder.CreateExtractVector(part_type, whole, first) : whole;
    };
    Value *parts[] = {part(x), part(numbers)};
    Value *scaled = builder.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                                            {parts[0], parts[1], Constant::getNullValue(parts[0]->getType()),
                                             builder.getInt16(0xffff), builder.getInt32(current_rounding)});
    if (!all) return scaled;
    all = builder.CreateInsertVector(type, all, scaled, first);
  }
  return all;
}

/* The first product is exact. */
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
    unsigned lanes = lanes_of(call->getType());
    bool fills_registers = has_instruction_ && lanes && lanes % register_lanes == 0;
    Value *scaled = fills_registers ? scale(x, exponents, builder) : multiply(x, exponents, builder);
    scaled->takeName(call);
    call->replaceAllUsesWith(scaled);
    call->eraseFromParent();
  }
  return preserve_blocks(!found.empty());
}

}  // namespace quern
