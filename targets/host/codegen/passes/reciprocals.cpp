/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Expansion of vector divisions: a 14-bit estimate, and Newton-Raphson steps. */
#include "host/codegen/passes/reciprocals.hpp"

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

static constexpr unsigned register_bytes = 64;

/* OpenCL C section 7.4: error bound in ulp of a division of floats that need not be correctly rounded. */
static constexpr float division_accuracy = 2.5f;

/* A division; `root` is its divisor when that is a square root without other uses, else null. */
struct Division {
  Instruction *division, *root;
};

static unsigned register_lanes(const Type &vector) { return register_bytes * 8 / vector.getScalarSizeInBits(); }

/* Matches divisions of vectors that may be computed from an estimate: of floats 1 / x with OpenCL C's error bound or
 * with the arcp flag, and y / x with arcp. For y / x the ninf flag is needed too, as 1 / x may be infinite where y / x
 * is not. 1 / sqrt(x) is infinite for zero only, so y / sqrt(x) does not need it. Of doubles 1 / sqrt(x) with arcp. */
static std::optional<Division> find_division(Instruction &instruction) {
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  const bool is_double = type && type->getElementType()->isDoubleTy();
  if (!type || !(is_double || type->getElementType()->isFloatTy())) return std::nullopt;
  if (type->getNumElements() % register_lanes(*type)) return std::nullopt;
  Value *y, *x;
  if (!match(&instruction, m_FDiv(m_Value(y), m_Value(x)))) return std::nullopt;
  Instruction *root = x->hasOneUse() && match(x, m_Intrinsic<Intrinsic::sqrt>()) ? cast<Instruction>(x) : nullptr;
  const bool is_inverse = match(y, m_FPOne());
  const bool is_inexact = is_inverse && cast<FPMathOperator>(instruction).getFPAccuracy() >= division_accuracy;
  const bool is_product = instruction.hasAllowReciprocal() && (is_inverse || root || instruction.hasNoInfs());
  if (is_double && !(is_inverse && root && is_product)) return std::nullopt;
  if (!is_inexact && !is_product) return std::nullopt;
  return Division{&instruction, root};
}

static Value *create_fma(Value *a, Value *b, Value *c, IRBuilder<> &builder) {
  return builder.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
}

static Value *estimate(Intrinsic::ID id, Value *x, IRBuilder<> &builder) {
  Value *all_lanes = builder.getInt(APInt::getAllOnes(register_lanes(*x->getType())));
  return builder.CreateIntrinsic(id, {}, {x, Constant::getNullValue(x->getType()), all_lanes});
}

/* Where y is infinite or zero, x y^2 is NaN. */
static Value *root_residual(Value *x, Value *y, IRBuilder<> &builder) {
  return create_fma(builder.CreateFNeg(builder.CreateFMul(x, y)), y, ConstantFP::get(x->getType(), 1), builder);
}

/* A step of third order, to 42 bits, and one of Newton's: with r = 1 - x y^2, y + y (r/2 + 3/8 r^2), then y + y/2 r.
 * Where y is infinite or zero, it is the result. */
static Value *inverse_root_of_double(Value *x, IRBuilder<> &builder) {
  Type *type = x->getType();
  auto constant = [&](double value) { return ConstantFP::get(type, value); };
  Value *y = estimate(Intrinsic::x86_avx512_rsqrt14_pd_512, x, builder);
  Value *residual = root_residual(x, y, builder);
  Value *factor = create_fma(residual, constant(0.375), constant(0.5), builder);
  Value *close = create_fma(builder.CreateFMul(y, residual), factor, y, builder);
  Value *rest = builder.CreateFMul(root_residual(x, close, builder), constant(0.5));
  Value *refined = create_fma(close, rest, close, builder);
  return builder.CreateSelect(builder.CreateFCmpORD(residual, residual), refined, y);
}

/* y + y/2 * (1 - x y^2). Where y is infinite or zero, it is the result. */
static Value *inverse_root(Value *x, IRBuilder<> &builder) {
  Type *type = x->getType();
  if (type->getScalarType()->isDoubleTy()) return inverse_root_of_double(x, builder);
  Value *y = estimate(Intrinsic::x86_avx512_rsqrt14_ps_512, x, builder);
  Value *residual = root_residual(x, y, builder);
  Value *refined = create_fma(builder.CreateFMul(y, ConstantFP::get(type, 0.5)), residual, y, builder);
  return builder.CreateSelect(builder.CreateFCmpORD(residual, residual), refined, y);
}

/* y + y (1 - x y). Where y is infinite or zero, the residual in parentheses is NaN or minus infinity, and the result is
 * y: one comparison of the residual, and a masked sum. */
static Value *inverse(Value *x, IRBuilder<> &builder) {
  Type *type = x->getType();
  Value *y = estimate(Intrinsic::x86_avx512_rcp14_ps_512, x, builder);
  Value *residual = create_fma(builder.CreateFNeg(x), y, ConstantFP::get(type, 1), builder);
  Value *is_small = builder.CreateFCmpOGT(residual, ConstantFP::get(type, -1));
  return builder.CreateSelect(is_small, create_fma(y, residual, y, builder), y);
}

/* y q + q (y - x y q), where q is the estimate of 1 / x. With an infinity or a zero among them the sum is NaN, and y q
 * is the quotient. Of x below 2^-128, whose inverse is infinite, it is infinite too. */
static Value *quotient(Value *y, Value *x, IRBuilder<> &builder) {
  Value *q = estimate(Intrinsic::x86_avx512_rcp14_ps_512, x, builder);
  Value *approximation = builder.CreateFMul(y, q);
  Value *residual = create_fma(builder.CreateFNeg(x), approximation, y, builder);
  Value *refined = create_fma(residual, q, approximation, builder);
  return builder.CreateSelect(builder.CreateFCmpORD(refined, refined), refined, approximation);
}

/* Creates y / x, or y / sqrt(x) with `by_root`. A null `y` stands for 1. */
static Value *divide(Value *y, Value *x, bool by_root, IRBuilder<> &builder) {
  if (!by_root) return y ? quotient(y, x, builder) : inverse(x, builder);
  Value *root_inverse = inverse_root(x, builder);
  return y ? builder.CreateFMul(y, root_inverse) : root_inverse;
}

static Value *slice(Value *whole, unsigned first, IRBuilder<> &builder) {
  if (!whole) return whole;
  auto *type = cast<FixedVectorType>(whole->getType());
  const unsigned lanes = register_lanes(*type);
  if (type->getNumElements() == lanes) return whole;
  return builder.CreateExtractVector(FixedVectorType::get(type->getElementType(), lanes), whole, first);
}

static void replace(const Division &found) {
  auto [division, root] = found;
  IRBuilder<> builder(division);
  Value *y = division->getOperand(0), *x = root ? root->getOperand(0) : division->getOperand(1);
  if (match(y, m_FPOne())) y = nullptr;
  const unsigned count = cast<FixedVectorType>(x->getType())->getNumElements(), lanes = register_lanes(*x->getType());
  Value *whole = count > lanes ? PoisonValue::get(x->getType()) : nullptr;
  for (unsigned first = 0; first < count; first += lanes) {
    Value *quotients = divide(slice(y, first, builder), slice(x, first, builder), root, builder);
    whole = whole ? builder.CreateInsertVector(x->getType(), whole, quotients, uint64_t(first)) : quotients;
  }
  division->replaceAllUsesWith(whole);
  division->eraseFromParent();
  if (root) root->eraseFromParent();
}

/* Matches all divisions before it replaces any: a division may be an operand of a later one. */
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
