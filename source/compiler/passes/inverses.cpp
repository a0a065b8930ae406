/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * An estimate of 14 bits, and a step of Newton's. */
#include "compiler/passes/inverses.hpp"

#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static constexpr unsigned lanes = 16;

/* OpenCL C section 7.4: what a division of floats may be off by, unless it was built to be exact. */
static constexpr float division_accuracy = 2.5f;

/* 1 / x, or 1 / sqrt(x) when `root` is that root. */
struct Inverse {
  Instruction *division, *root;
};

static std::optional<Inverse> find_inverse(Instruction &instruction) {
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  if (!type || !type->getElementType()->isFloatTy() || type->getNumElements() % lanes) return std::nullopt;
  Value *x;
  if (!match(&instruction, m_FDiv(m_FPOne(), m_Value(x)))) return std::nullopt;
  if (cast<FPMathOperator>(instruction).getFPAccuracy() < division_accuracy) return std::nullopt;
  bool is_of_root = x->hasOneUse() && match(x, m_Intrinsic<Intrinsic::sqrt>());
  return Inverse{&instruction, is_of_root ? cast<Instruction>(x) : nullptr};
}

static Value *fused(Value *a, Value *b, Value *c, IRBuilder<> &builder) {
  return builder.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
}

static Value *estimate(Intrinsic::ID id, Value *x, IRBuilder<> &builder) {
  return builder.CreateIntrinsic(id, {}, {x, Constant::getNullValue(x->getType()), builder.getInt16(0xffff)});
}

/* y + y/2 * (1 - x y^2). Where y is infinite or zero, x y^2 is no number, and y stays. */
static Value *inverse_root(Value *x, IRBuilder<> &builder) {
  Type *type = x->getType();
  Value *y = estimate(Intrinsic::x86_avx512_rsqrt14_ps_512, x, builder);
  Value *rest = fused(builder.CreateFNeg(builder.CreateFMul(x, y)), y, ConstantFP::get(type, 1), builder);
  Value *better = fused(builder.CreateFMul(y, ConstantFP::get(type, 0.5)), rest, y, builder);
  return builder.CreateSelect(builder.CreateFCmpORD(rest, rest), better, y);
}

/* y + y (1 - x y). Where y is infinite or zero the part in parentheses is no number or minus infinity, and y stays: one
 * comparison of that part, and the sum under its mask. */
static Value *inverse(Value *x, IRBuilder<> &builder) {
  Type *type = x->getType();
  Value *y = estimate(Intrinsic::x86_avx512_rcp14_ps_512, x, builder);
  Value *rest = fused(builder.CreateFNeg(x), y, ConstantFP::get(type, 1), builder);
  Value *is_small = builder.CreateFCmpOGT(rest, ConstantFP::get(type, -1));
  return builder.CreateSelect(is_small, fused(y, rest, y, builder), y);
}

static void replace(const Inverse &found) {
  IRBuilder<> builder(found.division);
  Value *x = found.root ? found.root->getOperand(0) : found.division->getOperand(1);
  unsigned count = cast<FixedVectorType>(x->getType())->getNumElements();
  Value *all = nullptr;
  for (unsigned first = 0; first < count; first += lanes) {
    Value *part = x;
    if (count > lanes) {
      part = builder.CreateExtractVector(FixedVectorType::get(builder.getFloatTy(), lanes), x, first);
    }
    Value *done = found.root ? inverse_root(part, builder) : inverse(part, builder);
    if (count > lanes && !all) all = PoisonValue::get(x->getType());
    all = all ? builder.CreateInsertVector(x->getType(), all, done, uint64_t(first)) : done;
  }
  found.division->replaceAllUsesWith(all);
  found.division->eraseFromParent();
  if (found.root) found.root->eraseFromParent();
}

PreservedAnalyses InversesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  (void)analyses;
  SmallVector<Inverse, 4> found;
  for (Instruction &instruction : instructions(function)) {
    if (auto inverse = find_inverse(instruction)) found.push_back(*inverse);
  }
  for (const Inverse &inverse : found) replace(inverse);
  return preserve_blocks(!found.empty());
}

}  // namespace quern
