/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One vscalefps for each register. */
#include "host/codegen/passes/ldexp_to_scalef.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

static constexpr unsigned register_lanes = 16;

/* _MM_FROUND_CUR_DIRECTION: the thread's rounding mode, which is to nearest. */
static constexpr unsigned rounding_mode_current = 4;

static Value *scale_register(Value *x, Value *exponents, IRBuilder<> &builder) {
  return builder.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                                 {x, exponents, Constant::getNullValue(x->getType()), builder.getInt16(0xffff),
                                  builder.getInt32(rounding_mode_current)});
}

static Value *scale(Value *x, Value *exponents, IRBuilder<> &builder) {
  auto *type = cast<FixedVectorType>(x->getType());
  const unsigned count = type->getNumElements();
  exponents = builder.CreateSIToFP(exponents, type);
  if (count == register_lanes) return scale_register(x, exponents, builder);
  auto *slice_type = FixedVectorType::get(builder.getFloatTy(), register_lanes);
  Value *all = PoisonValue::get(type);
  for (unsigned first = 0; first < count; first += register_lanes) {
    Value *x_slice = builder.CreateExtractVector(slice_type, x, first);
    Value *exponents_slice = builder.CreateExtractVector(slice_type, exponents, first);
    all = builder.CreateInsertVector(type, all, scale_register(x_slice, exponents_slice, builder), first);
  }
  return all;
}

static bool fills_registers(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isFloatTy() && vector->getNumElements() % register_lanes == 0;
}

PreservedAnalyses LdexpToScalefPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *, 8> found;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (call && call->getIntrinsicID() == Intrinsic::ldexp && fills_registers(call->getType())) found.push_back(call);
  }
  for (IntrinsicInst *call : found) {
    IRBuilder<> builder(call);
    Value *scaled = scale(call->getArgOperand(0), call->getArgOperand(1), builder);
    scaled->takeName(call);
    call->replaceAllUsesWith(scaled);
    call->eraseFromParent();
  }
  return preserve_blocks(!found.empty());
}

}  // namespace quern
