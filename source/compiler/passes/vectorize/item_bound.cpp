/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of bounds on work-items. */
#include "compiler/passes/vectorize/item_bound.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* Splits counter, base + counter, and truncations of them. */
bool match_number(Value *number, const ItemLoop &loop, ItemBound &out) {
  out.type = number->getType();
  if (auto *narrow = dyn_cast<TruncInst>(number)) number = narrow->getOperand(0);
  out.base = nullptr;
  if (number == loop.counter) return true;
  auto *sum = dyn_cast<BinaryOperator>(number);
  if (!sum || sum->getOpcode() != Instruction::Add || !number->getType()->isIntegerTy(64)) return false;
  unsigned other = sum->getOperand(0) == loop.counter ? 1 : 0;
  if (sum->getOperand(1 - other) != loop.counter || !loop.loop->isLoopInvariant(sum->getOperand(other))) return false;
  out.base = sum->getOperand(other);
  return out.type->getIntegerBitWidth() < 64 || sum->hasNoUnsignedWrap();
}

/* `condition`, or its opposite, as number < limit. */
bool match_limit(Value *condition, bool inside_if_true, const ItemLoop &loop, ItemBound &out) {
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy()) return false;
  ICmpInst::Predicate predicate = compare->getPredicate();
  Value *number = compare->getOperand(0), *limit = compare->getOperand(1);
  if (loop.loop->isLoopInvariant(number)) {
    std::swap(number, limit);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if (!inside_if_true) predicate = ICmpInst::getInversePredicate(predicate);
  /* The first work-item alone. */
  if (predicate == ICmpInst::ICMP_EQ && match(limit, m_Zero())) {
    predicate = ICmpInst::ICMP_ULT;
    limit = ConstantInt::get(limit->getType(), 1);
  }
  if (predicate != ICmpInst::ICMP_ULT && predicate != ICmpInst::ICMP_SLT) return false;
  if (!loop.loop->isLoopInvariant(limit) || limit->getType()->getIntegerBitWidth() < 32) return false;
  out.limit = limit;
  out.is_signed = predicate == ICmpInst::ICMP_SLT;
  return match_number(number, loop, out);
}

bool match_condition(Value *condition, bool inside_if_true, const ItemLoop &loop, ItemBound &out) {
  out.rest = nullptr;
  if (match_limit(condition, inside_if_true, loop, out)) return true;
  Value *first, *second;
  if (!inside_if_true || !match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))) return false;
  if (loop.loop->isLoopInvariant(second)) std::swap(first, second);
  out.rest = first;
  return loop.loop->isLoopInvariant(first) && match_limit(second, true, loop, out);
}

bool has_effects(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) { return instruction.mayHaveSideEffects(); });
}

bool used_outside(const Loop &loop) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      return any_of(instruction.users(), [&](const User *user) { return !loop.contains(cast<Instruction>(user)); });
    });
  });
}

}  // namespace

std::optional<ItemBound> ItemBound::find(const ItemLoop &loop) {
  bool latch_is_empty = none_of(*loop.latch, [](const Instruction &instruction) {
    return instruction.mayHaveSideEffects() || isa<PHINode>(instruction);
  });
  if (!latch_is_empty || loop.header == loop.latch || used_outside(*loop.loop)) return std::nullopt;
  ItemBound out = {};
  /* Tests that all work-items agree on may come first. */
  for (BasicBlock *block = loop.header; !has_effects(*block);) {
    out.branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!out.branch || !out.branch->isConditional()) return std::nullopt;
    bool true_skips = out.branch->getSuccessor(0) == loop.latch,
         false_skips = out.branch->getSuccessor(1) == loop.latch;
    if (true_skips == false_skips) return std::nullopt;
    out.inside = true_skips ? 1 : 0;
    if (match_condition(out.branch->getCondition(), false_skips, loop, out)) return out;
    block = out.branch->getSuccessor(out.inside);
    if (!loop.loop->isLoopInvariant(out.branch->getCondition()) || !block->getSinglePredecessor()) return std::nullopt;
  }
  return std::nullopt;
}

Value *ItemBound::test(Value *counter, IRBuilder<> &builder) const {
  Value *number = builder.CreateTrunc(base ? builder.CreateAdd(base, counter) : counter, type);
  return builder.CreateICmp(is_signed ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT, number, limit);
}

Value *ItemBound::count(const ItemLoop &loop, IRBuilder<> &builder, Value *&holds) const {
  Type *wide = builder.getInt64Ty();
  auto extend = [&](Value *value) {
    return is_signed ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
  };
  Value *end = extend(limit), *first = builder.getInt64(0);
  if (base) {
    first = extend(builder.CreateTrunc(base, type));
    if (type->getIntegerBitWidth() < 64) {
      Value *steps = builder.CreateSub(loop.count, builder.getInt64(1));
      Value *last = extend(builder.CreateTrunc(builder.CreateAdd(base, steps), type));
      holds = builder.CreateICmpEQ(builder.CreateSub(last, first), steps);
    }
  }
  /* Both ends as far as they are numbers that work-items can have. */
  Value *is_after = is_signed ? builder.CreateICmpSGT(end, first) : builder.CreateICmpUGT(end, first);
  Value *before = builder.CreateSelect(is_after, builder.CreateSub(end, first), builder.getInt64(0));
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, loop.count, before);
}

}  // namespace quern
