/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * An estimate of 14 bits, and a step of Newton's. */
#include "compiler/passes/reciprocals.hpp"

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

/* A division, by `root` when that is a root that nothing else uses. */
struct Division {
  Instruction *division, *root;
};

/* 1 / x may be off by as much as a division in OpenCL C, or be a product with the inverse of x, which it is; so may
 * y / x, unless the inverse is infinite and y / x is not. That of a root is for zero alone. */
static std::optional<Division> find_division(Instruction &instruction) {
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  if (!type || !type->getElementType()->isFloatTy() || type->getNumElements() % lanes) return std::nullopt;
  Value *y, *x;
  if (!match(&instruction, m_FDiv(m_Value(y), m_Value(x)))) return std::nullopt;
  Instruction *root = x->hasOneUse() && match(x, m_Intrinsic<Intrinsic::sqrt>()) ? cast<Instruction>(x) : nullptr;
  const bool is_inverse = match(y, m_FPOne());
  const bool is_loose = is_inverse && cast<FPMathOperator>(instruction).getFPAccuracy() >= division_accuracy;
  const bool is_product = instruction.hasAllowReciprocal() && (is_inverse || root || instruction.hasNoInfs());
  if (!is_loose && !is_product) return std::nullopt;
  return Division{&instruction, root};
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

/* y q + q (y - x y q), where q is about 1 / x. No number where that is infinite, or y q. */
static Value *quotient(Value *y, Value *x, IRBuilder<> &builder) {
  Value *q = estimate(Intrinsic::x86_avx512_rcp14_ps_512, x, builder);
  Value *about = builder.CreateFMul(y, q);
  return fused(fused(builder.CreateFNeg(x), about, y, builder), q, about, builder);
}

/* `y` is null where it is 1. */
static Value *divide(Value *y, Value *x, bool by_root, IRBuilder<> &builder) {
  if (!by_root) return y ? quotient(y, x, builder) : inverse(x, builder);
  Value *of_root = inverse_root(x, builder);
  return y ? builder.CreateFMul(y, of_root) : of_root;
}

static Value *part(Value *all, unsigned first, IRBuilder<> &builder) {
  if (!all || cast<FixedVectorType>(all->getType())->getNumElements() == lanes) return all;
  return builder.CreateExtractVector(FixedVectorType::get(builder.getFloatTy(), lanes), all, first);
}

static void replace(const Division &found) {
  auto [division, root] = found;
  IRBuilder<> builder(division);
  Value *y = division->getOperand(0), *x = root ? root->getOperand(0) : division->getOperand(1);
  if (match(y, m_FPOne())) y = nullptr;
  unsigned count = cast<FixedVectorType>(x->getType())->getNumElements();
  Value *all = count > lanes ? PoisonValue::get(x->getType()) : nullptr;
  for (unsigned first = 0; first < count; first += lanes) {
    Value *done = divide(part(y, first, builder), part(x, first, builder), root, builder);
    all = all ? builder.CreateInsertVector(x->getType(), all, done, uint64_t(first)) : done;
  }
  division->replaceAllUsesWith(all);
  division->eraseFromParent();
  if (root) root->eraseFromParent();
}

/* What is found may be an operand of what is found later. */
PreservedAnalyses ReciprocalsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  (void)analyses;
  SmallVector<Division, 4> found;
  for (Instruction &instruction : instructions(function)) {
    if (auto division = find_division(instruction)) found.push_back(*division);
  }
  for (const Division &division : found) replace(division);
  return preserve_blocks(!found.empty());
}

}  // namespace quern
