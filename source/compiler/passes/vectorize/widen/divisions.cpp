/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Widening of integer divisions, for which most CPUs have no vector instructions. Where all lanes have the same divisor
 * they are products with its inverse: "Division by Invariant Integers using Multiplication", Granlund and Montgomery,
 * 1994, but in floating point. Divisions of a linear index by sizes, which give its coordinates, are of that kind. */
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* Less than 1 by more than four roundings of doubles. */
static constexpr double less_than_one = 1 - 0x1p-50;

static bool is_signed(const BinaryOperator &operation) {
  return operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
}

static bool is_quotient(const BinaryOperator &operation) {
  return operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::UDiv;
}

static Value *to_real(Value *value, Type *real, bool is_signed, IRBuilder<> &builder) {
  return is_signed ? builder.CreateSIToFP(value, real) : builder.CreateUIToFP(value, real);
}

static Value *to_integer(Value *value, Type *integer, bool is_signed, IRBuilder<> &builder) {
  return is_signed ? builder.CreateFPToSI(value, integer) : builder.CreateFPToUI(value, integer);
}

static Value *splat_like(Value *scalar, const Value *vector, IRBuilder<> &builder) {
  return builder.CreateVectorSplat(cast<VectorType>(vector->getType())->getElementCount(), scalar);
}

/* 1 / divisor, rounded away from zero: by at least half an ulp and at most one and a half. */
static Value *inverse_above(Value *divisor, Type *real, bool is_signed, IRBuilder<> &builder) {
  Value *inverse = builder.CreateFDiv(ConstantFP::get(real, 1), to_real(divisor, real, is_signed, builder));
  Type *bits = builder.getIntNTy(real->getScalarSizeInBits());
  Value *next = builder.CreateAdd(builder.CreateBitCast(inverse, bits), ConstantInt::get(bits, 1));
  return builder.CreateBitCast(next, real);
}

/* The quotient of numbers of at most 32 bits, truncated. For magnitudes: as the inverse is above 1/b, a product that
 * should be an integer k is not below it. It is below k + 1, since a/b <= k + 1 - 1/b, and its error is at most
 * a/b * 2^-51 < 1/b. The same for 16 bits in single precision. */
static Value *quotient_by_uniform(Value *dividend, Value *divisor, Type *real, bool is_signed, IRBuilder<> &builder) {
  Value *inverse = inverse_above(divisor, real, is_signed, builder);
  Value *reals = to_real(dividend, dividend->getType()->getWithNewType(real), is_signed, builder);
  Value *product = builder.CreateFMul(reals, splat_like(inverse, dividend, builder));
  return to_integer(product, dividend->getType(), is_signed, builder);
}

/* Were a/b rounded up to an integer k, a/b would be within half an ulp of k; but a/b <= k - 1/b. */
static Value *quotient_by_vector(Value *dividend, Value *divisor, Type *real, bool is_signed, IRBuilder<> &builder) {
  Type *reals = dividend->getType()->getWithNewType(real);
  Value *quotient =
      builder.CreateFDiv(to_real(dividend, reals, is_signed, builder), to_real(divisor, reals, is_signed, builder));
  return to_integer(quotient, dividend->getType(), is_signed, builder);
}

namespace {

/** Quotient and remainder of unsigned numbers of 64 bits by a divisor that all lanes share. The quotient is estimated
 * twice, each time from below: 1/b is made smaller by more than four roundings do. The first remainder is then at most
 * a * 2^-49 + b, and the second one less than 2 * b. */
class LongDivision {
 public:
  LongDivision(Value *dividend, Value *divisor, IRBuilder<> &builder)
      : builder_(builder), remainder_(dividend), divisors_(splat_like(divisor, dividend, builder)) {
    Type *real = builder.getDoubleTy();
    Value *inverse = builder.CreateFDiv(ConstantFP::get(real, less_than_one), builder.CreateUIToFP(divisor, real));
    inverses_ = splat_like(inverse, dividend, builder);
    quotient_ = estimate();
    quotient_ = builder.CreateAdd(quotient_, estimate());
    Value *is_one_more = builder.CreateICmpUGE(remainder_, divisors_);
    quotient_ = builder.CreateAdd(quotient_, builder.CreateZExt(is_one_more, dividend->getType()));
    remainder_ = builder.CreateSelect(is_one_more, builder.CreateSub(remainder_, divisors_), remainder_);
  }

  Value *quotient() const { return quotient_; }
  Value *remainder() const { return remainder_; }

 private:
  /** Not more than remainder / divisor, whose multiple it takes from the remainder. */
  Value *estimate() {
    Value *reals = builder_.CreateUIToFP(remainder_, inverses_->getType());
    Value *quotient = builder_.CreateFPToUI(builder_.CreateFMul(reals, inverses_), remainder_->getType());
    remainder_ = builder_.CreateSub(remainder_, builder_.CreateMul(quotient, divisors_));
    return quotient;
  }

  IRBuilder<> &builder_;
  Value *remainder_, *quotient_ = nullptr, *divisors_, *inverses_ = nullptr;
};

}  // namespace

static Value *negate_where(Value *condition, Value *value, IRBuilder<> &builder) {
  return builder.CreateSelect(condition, builder.CreateNeg(value), value);
}

static Value *divide_longs(const BinaryOperator &operation, Value *dividend, Value *divisor, IRBuilder<> &builder) {
  const bool wants_quotient = is_quotient(operation);
  auto result = [&](const LongDivision &division) {
    return wants_quotient ? division.quotient() : division.remainder();
  };
  if (!is_signed(operation)) return result(LongDivision(dividend, divisor, builder));
  Value *zeros = Constant::getNullValue(dividend->getType()), *zero = Constant::getNullValue(divisor->getType());
  Value *is_negative = builder.CreateICmpSLT(dividend, zeros),
        *is_divisor_negative = builder.CreateICmpSLT(divisor, zero);
  const LongDivision division(negate_where(is_negative, dividend, builder),
                              negate_where(is_divisor_negative, divisor, builder), builder);
  Value *sign = is_negative;
  if (wants_quotient) sign = builder.CreateXor(sign, splat_like(is_divisor_negative, dividend, builder));
  return negate_where(sign, result(division), builder);
}

/* Of at most 32 bits, or where 64 bits are converted by instructions. */
static Value *divide_by_uniform(const BinaryOperator &operation, Value *dividend, Value *divisor, Type *real,
                                IRBuilder<> &builder) {
  if (operation.getType()->getScalarSizeInBits() > 32) return divide_longs(operation, dividend, divisor, builder);
  Value *quotient = quotient_by_uniform(dividend, divisor, real, is_signed(operation), builder);
  if (is_quotient(operation)) return quotient;
  return builder.CreateSub(dividend, builder.CreateMul(quotient, splat_like(divisor, dividend, builder)));
}

/* Up to 32 bits the truncated floating-point quotient is exact. Inactive lanes divide by one. By a uniform number,
 * which may be 0 for them, their result is arbitrary. */
Value *Widener::divide(BinaryOperator &operation, Value *dividend, Value *divisor, Value *uniform_divisor) {
  const unsigned bits = operation.getType()->getScalarSizeInBits();
  const bool by_constant = isa<Constant>(operation.getOperand(1));
  Type *real = bits > 16 ? builder_.getDoubleTy() : builder_.getFloatTy();
  if (uniform_divisor && !by_constant && (bits <= 32 || (bits == 64 && input_.unit.converts_longs))) {
    Value *result = divide_by_uniform(operation, dividend, uniform_divisor, real, builder_);
    return mask_ ? builder_.CreateFreeze(result) : result;
  }
  if (mask_ && !by_constant) divisor = builder_.CreateSelect(mask_, divisor, ConstantInt::get(divisor->getType(), 1));
  if (by_constant || bits > 32)
    return builder_.CreateBinOp(operation.getOpcode(), dividend, divisor, operation.getName());
  Value *quotient = quotient_by_vector(dividend, divisor, real, is_signed(operation), builder_);
  if (is_quotient(operation)) return quotient;
  return builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor));
}

bool Widener::write_division(BinaryOperator &operation) {
  Value *by = operation.getOperand(1);
  const Components dividends = vectors(operation.getOperand(0)), divisors = vectors(by);
  Components uniform_divisors(divisors.size(), nullptr), results;
  if (analysis_.is_uniform(by)) {
    uniform_divisors.clear();
    append_components(scalar(by), builder_, uniform_divisors);
  }
  for (auto [dividend, divisor, uniform_divisor] : zip_equal(dividends, divisors, uniform_divisors))
    results.push_back(divide(operation, dividend, divisor, uniform_divisor));
  set_vectors(&operation, std::move(results));
  return true;
}

}  // namespace quern
