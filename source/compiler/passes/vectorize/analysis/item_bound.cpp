/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of bounds on work-items. */
#include "compiler/passes/vectorize/analysis/item_bound.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* Far more than the elements of a work-item, and so little that no group's numbers span 64 bits. */
constexpr uint64_t greatest_stride = 1 << 16;

/* Within a group a number of 32 bits or more wraps once at most, so that its two ends tell. */
constexpr unsigned fewest_bits = 32;

bool has_width(const Value *value) {
  const unsigned bits = value->getType()->getScalarSizeInBits();
  return bits >= fewest_bits && bits <= 64;
}

/* Less than the numbers before: unsigned ones wrap in the first group, where all would go one by one then, as at the
 * border of a stencil (`x - 1 < width - 2`), which a mask does as well. */
bool goes_below(const Instruction &operation, bool is_signed) {
  if (is_signed) return false;
  const APInt *constant;
  return operation.getOpcode() == Instruction::Sub ||
         (match(operation.getOperand(1), m_APInt(constant)) && constant->isNegative());
}

/* Which operand of `operation` the number is made of, and in `factor` how often. Empty when that cannot be told. */
std::optional<unsigned> changed_operand(const Instruction &operation, const Loop &loop, bool is_signed,
                                        uint64_t &factor) {
  const APInt *constant;
  factor = 1;
  if (!has_width(&operation) || !has_width(operation.getOperand(0))) return std::nullopt;
  if (isa<TruncInst, ZExtInst, SExtInst>(operation)) return 0;
  if (match(&operation, m_Shl(m_Value(), m_APInt(constant))) && constant->ule(Log2_64(greatest_stride))) {
    factor <<= constant->getZExtValue();
    return 0;
  }
  if (match(&operation, m_Mul(m_Value(), m_APInt(constant))) && !constant->isZero() && constant->ule(greatest_stride)) {
    factor = constant->getZExtValue();
    return 0;
  }
  const bool adds = match(&operation, m_AddLike(m_Value(), m_Value()));
  if ((!adds && operation.getOpcode() != Instruction::Sub) || goes_below(operation, is_signed)) return std::nullopt;
  if (loop.isLoopInvariant(operation.getOperand(1))) return 0;
  return adds && loop.isLoopInvariant(operation.getOperand(0)) ? std::optional(1u) : std::nullopt;
}

bool match_number(Value *number, const ItemLoop &loop, ItemBound &out) {
  out.steps.clear();
  out.stride = 1;
  while (number != loop.counter) {
    auto *operation = dyn_cast<Instruction>(number);
    if (!operation || !loop.loop->contains(operation)) return false;
    uint64_t factor;
    std::optional<unsigned> operand = changed_operand(*operation, *loop.loop, out.is_signed, factor);
    out.stride *= factor;
    if (!operand || out.stride > greatest_stride) return false;
    out.steps.push_back({operation, *operand});
    number = operation->getOperand(*operand);
  }
  return true;
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
  if (!loop.loop->isLoopInvariant(limit) || !has_width(limit)) return false;
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

bool ItemBound::depends_on(function_ref<bool(const Value *)> known) const {
  return known(limit) && all_of(steps, [&](const Step &step) {
           return all_of(step.operation->operands(),
                         [&](const Use &use) { return use.getOperandNo() == step.operand || known(use); });
         });
}

/* The counter itself, as a number of 32 bits or more, and the global id do not. */
bool ItemBound::may_wrap() const {
  if (steps.empty()) return false;
  const Instruction &first = *steps.back().operation;
  bool is_global_id = first.getOpcode() == Instruction::Add && first.hasNoUnsignedWrap() && !is_signed;
  return steps.size() > 1 || (!is_global_id && !isa<TruncInst>(first));
}

/* Computed where the loop, behind a test, would not have: what the operations promise may not hold. */
Value *ItemBound::number_of(Value *counter, IRBuilder<> &builder) const {
  Value *number = counter;
  for (const Step &step : reverse(steps)) {
    Instruction *copy = step.operation->clone();
    copy->setOperand(step.operand, number);
    copy->dropPoisonGeneratingFlags();
    number = builder.Insert(copy);
  }
  return number;
}

Value *ItemBound::test(Value *counter, IRBuilder<> &builder) const {
  return builder.CreateICmp(is_signed ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT, number_of(counter, builder), limit);
}

Value *ItemBound::count(const ItemLoop &loop, IRBuilder<> &builder, Value *&holds) const {
  auto extend = [&](Value *value) {
    return is_signed ? builder.CreateSExt(value, builder.getInt64Ty())
                     : builder.CreateZExt(value, builder.getInt64Ty());
  };
  /* What keeps the branch from being reached may keep what it uses from being poison. */
  const bool is_behind_test = rest || branch->getParent() != loop.header;
  auto defined = [&](Value *value) { return is_behind_test ? builder.CreateFreeze(value) : value; };
  Value *first = extend(defined(number_of(builder.getInt64(0), builder))), *end = extend(defined(limit));
  Value *factor = builder.getInt64(stride), *one = builder.getInt64(1);
  if (may_wrap()) {
    Value *last_counter = builder.CreateSub(loop.count, one);
    Value *last = extend(defined(number_of(last_counter, builder)));
    Value *span = builder.CreateMul(last_counter, factor);
    holds = builder.CreateAnd(builder.CreateICmpEQ(builder.CreateSub(last, first), span),
                              builder.CreateICmp(is_signed ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_UGE, last, first));
  }
  /* Both ends as far as they are numbers that work-items can have. */
  Value *is_after = is_signed ? builder.CreateICmpSGT(end, first) : builder.CreateICmpUGT(end, first);
  Value *between = builder.CreateSub(end, first);
  if (stride > 1) between = builder.CreateAdd(builder.CreateUDiv(builder.CreateSub(between, one), factor), one);
  Value *before = builder.CreateSelect(is_after, between, builder.getInt64(0));
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, loop.count, before);
}

}  // namespace quern
