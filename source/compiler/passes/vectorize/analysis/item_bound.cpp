/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition and computation of bounds on work-items. */
#include "compiler/passes/vectorize/analysis/item_bound.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/passes/vectorize/analysis/item_guard.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* Far more than a work-item's number of elements, and small enough that the indices of a work-group do not span 64
 * bits. */
constexpr uint64_t max_stride = 1 << 16;

/* An index of at least 32 bits wraps at most once in a work-group, so that the first and last index show it. */
constexpr unsigned min_bits = 32;

bool has_supported_width(const Value *value) {
  const unsigned bits = value->getType()->getScalarSizeInBits();
  return bits >= min_bits && bits <= 64;
}

/* Whether an addition may decrease an unsigned index. This is the border test of a stencil: `x - 1 < width - 2`. The
 * index wraps in the first work-group, which would then run serially; a mask costs less there. */
bool may_decrease(const Instruction &operation, bool is_signed) {
  if (is_signed) return false;
  const APInt *constant;
  return operation.getOpcode() == Instruction::Sub ||
         (match(operation.getOperand(1), m_APInt(constant)) && constant->isNegative());
}

/* The number of the only loop-variant operand of `operation`, and in `factor` its coefficient in the result. Empty when
 * the operation is not linear in it. */
std::optional<unsigned> variant_operand(const Instruction &operation, const Loop &loop, bool is_signed,
                                        uint64_t &factor) {
  const APInt *constant;
  factor = 1;
  if (!has_supported_width(&operation) || !has_supported_width(operation.getOperand(0))) return std::nullopt;
  if (isa<TruncInst, ZExtInst, SExtInst>(operation)) return 0;
  if (match(&operation, m_Shl(m_Value(), m_APInt(constant))) && constant->ule(Log2_64(max_stride))) {
    factor <<= constant->getZExtValue();
    return 0;
  }
  if (match(&operation, m_Mul(m_Value(), m_APInt(constant))) && !constant->isZero() && constant->ule(max_stride)) {
    factor = constant->getZExtValue();
    return 0;
  }
  const bool adds = match(&operation, m_AddLike(m_Value(), m_Value()));
  if ((!adds && operation.getOpcode() != Instruction::Sub) || may_decrease(operation, is_signed)) return std::nullopt;
  if (loop.isLoopInvariant(operation.getOperand(1))) return 0;
  return adds && loop.isLoopInvariant(operation.getOperand(0)) ? std::optional(1u) : std::nullopt;
}

/* Whether the value is the loop counter, or its low half, which is the same: it fits in 31 bits. */
bool is_whole_counter(const Value *value, const ItemLoop &loop) {
  const APInt *mask;
  return value == loop.counter || (match(value, m_And(m_Specific(loop.counter), m_APInt(mask))) && mask->isMask() &&
                                   mask->countr_one() >= min_bits);
}

/* Whether `index` is a linear function of the loop counter. */
bool match_index(Value *index, const ItemLoop &loop, ItemBound &out) {
  out.operations.clear();
  out.stride = 1;
  while (!is_whole_counter(index, loop)) {
    auto *operation = dyn_cast<Instruction>(index);
    if (!operation || !loop.loop->contains(operation)) return false;
    uint64_t factor;
    std::optional<unsigned> operand = variant_operand(*operation, *loop.loop, out.is_signed, factor);
    out.stride *= factor;
    if (!operand || out.stride > max_stride) return false;
    out.operations.push_back({operation, *operand});
    index = operation->getOperand(*operand);
  }
  return true;
}

/* Whether a comparison of `index` with 0 is InstCombine's form of one with a power of two, `(counter & ~127) == 0` for
 * `(uint)counter < 128`: then index and bound are those of the latter. The counter has no bits but the low 32. */
bool match_power_of_two(Value *&index, Value *&bound, const ItemLoop &loop) {
  Value *number;
  const APInt *mask;
  unsigned first, count;
  if (!match(bound, m_Zero()) || !match(index, m_And(m_Value(number), m_APInt(mask)))) return false;
  if (number != loop.counter && !match(number, m_Trunc(m_Specific(loop.counter)))) return false;
  if (!mask->isShiftedMask(first, count) || first == 0) return false;
  const bool has_all_bits = first + count == mask->getBitWidth() || (number == loop.counter && first + count == 32);
  if (!has_all_bits) return false;
  bound = ConstantInt::get(index->getType(), APInt::getOneBitSet(mask->getBitWidth(), first));
  index = number;
  return true;
}

/* Matches `condition`, or its negation, as index < bound. */
bool match_compare(Value *condition, bool inside_if_true, const ItemLoop &loop, ItemBound &out) {
  const auto compare = match_guard_compare({condition, inside_if_true, false}, loop);
  if (!compare || !compare->index->getType()->isIntegerTy()) return false;
  auto [predicate, index, bound] = *compare;
  if (predicate == ICmpInst::ICMP_EQ && match_power_of_two(index, bound, loop)) predicate = ICmpInst::ICMP_ULT;
  /* `index == 0`: only the first work-item. */
  if (predicate == ICmpInst::ICMP_EQ && match(bound, m_Zero())) {
    predicate = ICmpInst::ICMP_ULT;
    bound = ConstantInt::get(bound->getType(), 1);
  }
  if (predicate != ICmpInst::ICMP_ULT && predicate != ICmpInst::ICMP_SLT) return false;
  if (!has_supported_width(bound)) return false;
  out.bound = bound;
  out.is_signed = predicate == ICmpInst::ICMP_SLT;
  return match_index(index, loop, out);
}

/* Matches a comparison with the bound, or its `and` with a loop-invariant condition. */
bool match_condition(Value *condition, bool inside_if_true, const ItemLoop &loop, ItemBound &out) {
  out.invariant_condition = nullptr;
  if (match_compare(condition, inside_if_true, loop, out)) return true;
  Value *first, *second;
  if (!inside_if_true || !match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))) return false;
  if (loop.loop->isLoopInvariant(second)) std::swap(first, second);
  out.invariant_condition = first;
  return loop.loop->isLoopInvariant(first) && match_compare(second, true, loop, out);
}

bool has_effects(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) { return instruction.mayHaveSideEffects(); });
}

}  // namespace

std::optional<ItemBound> ItemBound::find(const ItemLoop &loop) {
  if (!may_leave_items_out(loop)) return std::nullopt;
  ItemBound out = {};
  /* Branches on loop-invariant conditions may come first. */
  for (BasicBlock *block = loop.header; !has_effects(*block);) {
    out.branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!out.branch || !out.branch->isConditional()) return std::nullopt;
    bool true_skips = out.branch->getSuccessor(0) == loop.latch,
         false_skips = out.branch->getSuccessor(1) == loop.latch;
    if (true_skips == false_skips) return std::nullopt;
    out.body_successor = true_skips ? 1 : 0;
    if (match_condition(out.branch->getCondition(), false_skips, loop, out)) return out;
    block = out.branch->getSuccessor(out.body_successor);
    if (!loop.loop->isLoopInvariant(out.branch->getCondition()) || !block->getSinglePredecessor()) return std::nullopt;
  }
  return std::nullopt;
}

bool ItemBound::depends_on(function_ref<bool(const Value *)> known) const {
  return known(bound) && all_of(operations, [&](const Operation &operation) {
           return all_of(operation.instruction->operands(),
                         [&](const Use &use) { return use.getOperandNo() == operation.operand || known(use); });
         });
}

/* Whether the index may wrap between the first and the last work-item. The counter does not, even if truncated to 32
 * bits, nor does the global id. */
bool ItemBound::may_wrap() const {
  if (operations.empty()) return false;
  const Instruction &first = *operations.back().instruction;
  bool is_global_id = first.getOpcode() == Instruction::Add && first.hasNoUnsignedWrap() && !is_signed;
  return operations.size() > 1 || (!is_global_id && !isa<TruncInst>(first));
}

/* The index of the work-item `counter`. It may be computed where the loop would not have reached it, after a test. The
 * poison-generating flags of the operations may not hold there, and are dropped. */
Value *ItemBound::index_of(Value *counter, IRBuilder<> &builder) const {
  Value *index = counter;
  for (const Operation &operation : reverse(operations)) {
    Instruction *copy = operation.instruction->clone();
    copy->setOperand(operation.operand, index);
    copy->dropPoisonGeneratingFlags();
    index = builder.Insert(copy);
  }
  return index;
}

Value *ItemBound::test(Value *counter, IRBuilder<> &builder) const {
  return builder.CreateICmp(is_signed ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT, index_of(counter, builder), bound);
}

Value *ItemBound::count(const ItemLoop &loop, IRBuilder<> &builder, Value *&holds) const {
  auto extend = [&](Value *value) {
    return is_signed ? builder.CreateSExt(value, builder.getInt64Ty())
                     : builder.CreateZExt(value, builder.getInt64Ty());
  };
  /* A test before the branch may exclude that its operands are poison: they are frozen here. */
  const bool is_after_test = invariant_condition || branch->getParent() != loop.header;
  auto frozen = [&](Value *value) { return is_after_test ? builder.CreateFreeze(value) : value; };
  Value *first = extend(frozen(index_of(builder.getInt64(0), builder))), *end = extend(frozen(bound));
  Value *factor = builder.getInt64(stride), *one = builder.getInt64(1);
  /* The index does not wrap if the last index is the first one plus the span, and not less than the first one. */
  if (may_wrap()) {
    Value *last_counter = builder.CreateSub(loop.count, one);
    Value *last = extend(frozen(index_of(last_counter, builder)));
    Value *span = builder.CreateMul(last_counter, factor);
    Value *is_in_step = builder.CreateICmpEQ(builder.CreateSub(last, first), span);
    Value *is_after = builder.CreateICmp(is_signed ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_UGE, last, first);
    holds = builder.CreateAnd(is_in_step, is_after);
  }
  /* The number of indices before the bound, clamped to 0 and the trip count. */
  Value *is_nonempty = is_signed ? builder.CreateICmpSGT(end, first) : builder.CreateICmpUGT(end, first);
  Value *distance = builder.CreateSub(end, first);
  if (stride > 1) distance = builder.CreateAdd(builder.CreateUDiv(builder.CreateSub(distance, one), factor), one);
  Value *items = builder.CreateSelect(is_nonempty, distance, builder.getInt64(0));
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, loop.count, items);
}

}  // namespace quern
