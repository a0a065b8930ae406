/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Addresses as sums. */
#include "compiler/passes/vectorize/analysis/linear_addresses.hpp"

#include <llvm/IR/GetElementPtrTypeIterator.h>

using namespace llvm;

namespace quern {

/* What a part of a sum is, beside a mask of bits. */
static constexpr uint64_t zero_extended = 0, sign_extended = 1;

void LinearAddresses::add(Sum &to, const Sum &other, uint64_t times) {
  for (auto [term, factor] : other.terms) to.terms[term] += factor * times;
  to.rest += other.rest * times;
}

void LinearAddresses::cut(Sum &sum, unsigned bits) {
  const uint64_t mask = maskTrailingOnes<uint64_t>(bits);
  for (auto &[term, factor] : sum.terms) factor &= mask;
  for (auto one = sum.terms.begin(); one != sum.terms.end();) one = one->second ? std::next(one) : sum.terms.erase(one);
  sum.rest &= mask;
}

/* Bits of `whole`, extended perhaps. All its terms are multiples of a power of two: below it there is nothing but a
 * part of the constant, which is the same in the result. `what` is an extension or a mask. */
LinearAddresses::Sum LinearAddresses::part(Sum whole, unsigned bits, uint64_t what) {
  uint64_t factors = 0;
  for (auto &[term, factor] : whole.terms) factors |= factor;
  const bool is_extension = what <= sign_extended;
  const unsigned low = unsigned(std::min(countr_zero(factors), int(bits) - 1));
  const uint64_t below = whole.rest & maskTrailingOnes<uint64_t>(low);
  Sum result;
  result.rest = is_extension ? below : below & what;
  std::vector<uint64_t> key = {bits, what, whole.rest - below};
  for (auto &[term, factor] : whole.terms) {
    key.insert(key.end(), {uint64_t(uintptr_t(term.first)), term.second, factor});
  }
  result.terms[{nullptr, parts_.try_emplace(key, parts_.size()).first->second}] = 1;
  return result;
}

/* What is added without an overflow may be added behind the extension. */
LinearAddresses::Sum LinearAddresses::extension(const CastInst &extension) {
  const bool is_signed = isa<SExtInst>(extension);
  const Value *inner = extension.getOperand(0);
  uint64_t added = 0;
  while (auto *operation = dyn_cast<BinaryOperator>(inner)) {
    auto *constant = dyn_cast<ConstantInt>(operation->getOperand(1));
    auto *disjoint = dyn_cast<PossiblyDisjointInst>(operation);
    bool is_sum = operation->getOpcode() == Instruction::Add;
    bool keeps = (disjoint && disjoint->isDisjoint()) ||
                 (is_sum && (is_signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap()));
    if (!constant || !keeps) break;
    added += is_signed ? uint64_t(constant->getSExtValue()) : constant->getZExtValue();
    inner = operation->getOperand(0);
  }
  Sum result = part(sum(inner), inner->getType()->getIntegerBitWidth(), is_signed ? sign_extended : zero_extended);
  result.rest += added;
  return result;
}

LinearAddresses::Sum LinearAddresses::operation(const BinaryOperator &operation) {
  const Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  auto *constant = dyn_cast<ConstantInt>(right);
  auto *disjoint = dyn_cast<PossiblyDisjointInst>(&operation);
  Sum result;
  if (operation.getOpcode() == Instruction::Add || (disjoint && disjoint->isDisjoint())) {
    add(result, sum(left), 1);
    add(result, sum(right), 1);
  } else if (operation.getOpcode() == Instruction::Sub) {
    add(result, sum(left), 1);
    add(result, sum(right), ~uint64_t(0));
  } else if (constant && operation.getOpcode() == Instruction::Mul) {
    add(result, sum(left), constant->getZExtValue());
  } else if (constant && operation.getOpcode() == Instruction::Shl && constant->getZExtValue() < 64) {
    add(result, sum(left), uint64_t(1) << constant->getZExtValue());
  } else if (constant && operation.getOpcode() == Instruction::And && constant->getZExtValue() > sign_extended) {
    return part(sum(left), operation.getType()->getIntegerBitWidth(), constant->getZExtValue());
  } else {
    result.terms[{&operation, 0}] = 1;
  }
  return result;
}

LinearAddresses::Sum LinearAddresses::address(const GEPOperator &address) {
  Sum result = sum(address.getPointerOperand());
  for (auto index = gep_type_begin(address); index != gep_type_end(address); ++index) {
    if (StructType *structure = index.getStructTypeOrNull()) {
      auto member = unsigned(cast<ConstantInt>(index.getOperand())->getZExtValue());
      result.rest += linearization_.getStructLayout(structure)->getElementOffset(member);
    } else {
      add(result, sum(index.getOperand()), index.getSequentialElementStride(linearization_));
    }
  }
  return result;
}

static bool has_index_type(const Value *index) { return index->getType()->isIntegerTy(64) || isa<ConstantInt>(index); }

LinearAddresses::Sum LinearAddresses::make_sum(const Value *value) {
  Sum result;
  if (auto *constant = dyn_cast<ConstantInt>(value)) {
    result.rest = uint64_t(constant->getSExtValue());
  } else if (auto *gep = dyn_cast<GEPOperator>(value); gep && all_of(gep->indices(), has_index_type)) {
    result = address(*gep);
  } else if (auto *binary = dyn_cast<BinaryOperator>(value)) {
    result = operation(*binary);
  } else if (isa<ZExtInst>(value) || isa<SExtInst>(value)) {
    result = extension(*cast<CastInst>(value));
  } else if (auto *narrow = dyn_cast<TruncInst>(value)) {
    result = sum(narrow->getOperand(0));
  } else {
    result.terms[{value, 0}] = 1;
  }
  cut(result, value->getType()->isPointerTy() ? 64 : value->getType()->getIntegerBitWidth());
  return result;
}

const LinearAddresses::Sum &LinearAddresses::sum(const Value *value) {
  auto found = sums_.find(value);
  if (found != sums_.end()) return *found->second;
  auto made = std::make_unique<Sum>();
  bool is_simple = value->getType()->isPointerTy() ||
                   (value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() <= 64);
  if (is_simple) {
    *made = make_sum(value);
  } else {
    made->terms[{value, 0}] = 1;
  }
  return *(sums_[value] = std::move(made));
}

std::optional<int64_t> LinearAddresses::distance(const Value *from, const Value *to) {
  const Sum &first = sum(from), &second = sum(to);
  if (first.terms != second.terms) return std::nullopt;
  return int64_t(second.rest - first.rest);
}

}  // namespace quern
