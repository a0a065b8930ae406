/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of llvm.ldexp to vscalefps or to two products. */
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

/* _MM_FROUND_CUR_DIRECTION: the thread's rounding mode, which is to nearest. */
static constexpr unsigned rounding_mode_current = 4;

/* 1.5 * 2^23: its sum with a float is rounded to an integer, which is in the low bits of the sum. */
static constexpr uint32_t round_constant_bits = 0x4b400000;

static unsigned lanes_of(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isFloatTy() ? vector->getNumElements() : 0;
}

/* The exponents as floats. If they come from a rounding sum, one subtraction replaces the conversion. */
static Value *exponents_to_float(Value *exponents, Type *type, IRBuilder<> &builder) {
  Value *sum;
  if (match(exponents, m_Add(m_BitCast(m_Value(sum)), m_SpecificInt(APInt(32, -round_constant_bits, false, true)))) &&
      sum->getType() == type) {
    return builder.CreateFSub(sum, ConstantFP::get(type, bit_cast<float>(round_constant_bits)));
  }
  return builder.CreateSIToFP(exponents, type);
}

/* Creates vscalefps for each register-sized slice. */
static Value *scale(Value *x, Value *exponents, IRBuilder<> &builder) {
  Type *type = x->getType();
  const unsigned count = lanes_of(type);
  Value *float_exponents = exponents_to_float(exponents, type, builder),
        *all = count > register_lanes ? PoisonValue::get(type) : nullptr;
  for (unsigned first = 0; first < count; first += register_lanes) {
    auto slice = [&](Value *whole) {
      auto *slice_type = FixedVectorType::get(builder.getFloatTy(), register_lanes);
      return all ? builder.CreateExtractVector(slice_type, whole, first) : whole;
    };
    Value *slices[] = {slice(x), slice(float_exponents)};
    Value *scaled = builder.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                                            {slices[0], slices[1], Constant::getNullValue(slices[0]->getType()),
                                             builder.getInt16(0xffff), builder.getInt32(rounding_mode_current)});
    if (!all) return scaled;
    all = builder.CreateInsertVector(type, all, scaled, first);
  }
  return all;
}

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
