/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Construction of linear expressions. */
#include "compiler/passes/vectorize/analysis/linear_addresses.hpp"

#include <cassert>

#include <llvm/IR/GetElementPtrTypeIterator.h>

using namespace llvm;

namespace quern {

/* Operations of opaque terms, besides masks: a larger number is the mask of an `and`. */
static constexpr uint64_t zero_extended = 0, sign_extended = 1;

void LinearAddresses::add_scaled(LinearExpression &to, const LinearExpression &other, uint64_t factor) {
  for (auto [term, coefficient] : other.coefficients) to.coefficients[term] += coefficient * factor;
  to.constant += other.constant * factor;
}

void LinearAddresses::truncate(LinearExpression &expression, unsigned bits) {
  const uint64_t mask = maskTrailingOnes<uint64_t>(bits);
  auto &coefficients = expression.coefficients;
  for (auto &[term, coefficient] : coefficients) coefficient &= mask;
  for (auto at = coefficients.begin(); at != coefficients.end();)
    at = at->second ? std::next(at) : coefficients.erase(at);
  expression.constant &= mask;
}

/* The extension or mask of an operand with `bits` bits, as an opaque term plus a constant. All coefficients of the
 * operand are multiples of a power of two. The bits below it come from the constant alone. They stay a constant in the
 * result, as an extension does not change them, and a mask only clears some. */
LinearAddresses::LinearExpression LinearAddresses::build_opaque(LinearExpression operand, unsigned bits,
                                                                uint64_t mask_or_extension) {
  assert(bits > 0 && bits <= 64 && "expressions have at most 64 bits");
  uint64_t common_bits = 0;
  for (auto &[term, coefficient] : operand.coefficients) common_bits |= coefficient;
  const bool is_extension = mask_or_extension <= sign_extended;
  const unsigned low_bits = unsigned(std::min(countr_zero(common_bits), int(bits) - 1));
  const uint64_t low_constant = operand.constant & maskTrailingOnes<uint64_t>(low_bits);
  LinearExpression result;
  result.constant = is_extension ? low_constant : low_constant & mask_or_extension;
  std::vector<uint64_t> key = {bits, mask_or_extension, operand.constant - low_constant};
  for (auto &[term, coefficient] : operand.coefficients) {
    key.insert(key.end(), {uint64_t(uintptr_t(term.first)), term.second, coefficient});
  }
  result.coefficients[{nullptr, opaque_terms_.try_emplace(key, opaque_terms_.size()).first->second}] = 1;
  return result;
}

/* A constant that is added without overflow may be added after the extension. */
LinearAddresses::LinearExpression LinearAddresses::build_extension(const CastInst &extension) {
  const bool is_signed = isa<SExtInst>(extension);
  const Value *operand = extension.getOperand(0);
  uint64_t added = 0;
  while (auto *operation = dyn_cast<BinaryOperator>(operand)) {
    auto *constant = dyn_cast<ConstantInt>(operation->getOperand(1));
    auto *disjoint = dyn_cast<PossiblyDisjointInst>(operation);
    bool is_add = operation->getOpcode() == Instruction::Add;
    bool has_no_wrap = (disjoint && disjoint->isDisjoint()) ||
                       (is_add && (is_signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap()));
    if (!constant || !has_no_wrap) break;
    added += is_signed ? uint64_t(constant->getSExtValue()) : constant->getZExtValue();
    operand = operation->getOperand(0);
  }
  LinearExpression result = build_opaque(expression(operand), operand->getType()->getIntegerBitWidth(),
                                         is_signed ? sign_extended : zero_extended);
  result.constant += added;
  return result;
}

LinearAddresses::LinearExpression LinearAddresses::build_operation(const BinaryOperator &operation) {
  const Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  auto *constant = dyn_cast<ConstantInt>(right);
  auto *disjoint = dyn_cast<PossiblyDisjointInst>(&operation);
  LinearExpression result;
  if (operation.getOpcode() == Instruction::Add || (disjoint && disjoint->isDisjoint())) {
    add_scaled(result, expression(left), 1);
    add_scaled(result, expression(right), 1);
  } else if (operation.getOpcode() == Instruction::Sub) {
    add_scaled(result, expression(left), 1);
    add_scaled(result, expression(right), ~uint64_t(0));
  } else if (constant && operation.getOpcode() == Instruction::Mul) {
    add_scaled(result, expression(left), constant->getZExtValue());
  } else if (constant && operation.getOpcode() == Instruction::Shl && constant->getZExtValue() < 64) {
    add_scaled(result, expression(left), uint64_t(1) << constant->getZExtValue());
  } else if (constant && operation.getOpcode() == Instruction::And && constant->getZExtValue() > sign_extended) {
    return build_opaque(expression(left), operation.getType()->getIntegerBitWidth(), constant->getZExtValue());
  } else {
    result.coefficients[{&operation, 0}] = 1;
  }
  return result;
}

LinearAddresses::LinearExpression LinearAddresses::build_address(const GEPOperator &address) {
  LinearExpression result = expression(address.getPointerOperand());
  for (auto index = gep_type_begin(address); index != gep_type_end(address); ++index) {
    if (StructType *structure = index.getStructTypeOrNull()) {
      auto member = unsigned(cast<ConstantInt>(index.getOperand())->getZExtValue());
      result.constant += layout_.getStructLayout(structure)->getElementOffset(member);
    } else {
      add_scaled(result, expression(index.getOperand()), index.getSequentialElementStride(layout_));
    }
  }
  return result;
}

static bool has_index_type(const Value *index) { return index->getType()->isIntegerTy(64) || isa<ConstantInt>(index); }

LinearAddresses::LinearExpression LinearAddresses::build(const Value *value) {
  LinearExpression result;
  if (auto *constant = dyn_cast<ConstantInt>(value)) {
    result.constant = uint64_t(constant->getSExtValue());
  } else if (auto *gep = dyn_cast<GEPOperator>(value); gep && all_of(gep->indices(), has_index_type)) {
    result = build_address(*gep);
  } else if (auto *binary = dyn_cast<BinaryOperator>(value)) {
    result = build_operation(*binary);
  } else if (isa<ZExtInst>(value) || isa<SExtInst>(value)) {
    result = build_extension(*cast<CastInst>(value));
  } else if (auto *trunc = dyn_cast<TruncInst>(value)) {
    result = expression(trunc->getOperand(0));
  } else {
    result.coefficients[{value, 0}] = 1;
  }
  truncate(result, value->getType()->isPointerTy() ? 64 : value->getType()->getIntegerBitWidth());
  return result;
}

const LinearAddresses::LinearExpression &LinearAddresses::expression(const Value *value) {
  auto found = expressions_.find(value);
  if (found != expressions_.end()) return *found->second;
  auto built = std::make_unique<LinearExpression>();
  bool is_supported = value->getType()->isPointerTy() ||
                      (value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() <= 64);
  if (is_supported) {
    *built = build(value);
  } else {
    built->coefficients[{value, 0}] = 1;
  }
  return *(expressions_[value] = std::move(built));
}

std::optional<int64_t> LinearAddresses::distance(const Value *from, const Value *to) {
  const LinearExpression &first = expression(from), &second = expression(to);
  if (first.coefficients != second.coefficients) return std::nullopt;
  return int64_t(second.constant - first.constant);
}

}  // namespace quern
