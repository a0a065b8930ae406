/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Tests of all rows at once. What is computed in 32 bits is computed again in 64, from the ends of what it is made of:
 * where no result leaves the 32 bits, nothing wraps in any row. */
#include "compiler/passes/vectorize/whole_rows.hpp"

#include "compiler/passes/vectorize/strides.hpp"

using namespace llvm;

namespace quern {

/* The body is written once more: this many instructions at most. */
static constexpr unsigned most_instructions = 64;

std::unique_ptr<WholeRows> WholeRows::find(const ItemLoop &loop, const LaneAnalysis &analysis) {
  const Loop *rows = loop.loop->getParentLoop();
  if (!rows || !is_row_loop(*rows) || !rows->getLoopPreheader() || !analysis.loops().empty()) return nullptr;
  auto phis = rows->getHeader()->phis();
  if (phis.empty() || std::next(phis.begin()) != phis.end() || !rows->isLoopInvariant(loop.count)) return nullptr;
  const BasicBlock *latch = rows->getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  PHINode *row = &*phis.begin();
  auto *first = dyn_cast<Constant>(row->getIncomingValueForBlock(rows->getLoopPreheader()));
  Value *end = branch ? loop_bound(*branch, rows->getHeader(), row->getIncomingValueForBlock(latch)) : nullptr;
  if (!first || !first->isNullValue() || !end || !rows->isLoopInvariant(end)) return nullptr;
  unsigned count = 0;
  for (const BasicBlock *block : analysis.order()) {
    if (analysis.has_divergent_branch(block)) return nullptr;
    count += unsigned(block->size());
  }
  if (count > most_instructions) return nullptr;
  return std::unique_ptr<WholeRows>(new WholeRows(loop, rows, row, end));
}

/* Signed numbers are moved to where unsigned ones are. */
void WholeRows::check(Value *value, bool is_signed) {
  if (is_signed) value = builder_.CreateAdd(value, builder_.getInt64(uint64_t(1) << 31));
  bits_ = bits_ ? builder_.CreateOr(bits_, value) : value;
}

bool WholeRows::is_known_before(const Value *value) const {
  auto *instruction = dyn_cast<Instruction>(value);
  return !instruction ||
         (instruction->getFunction() == rows_->getHeader()->getParent() && !rows_->contains(instruction));
}

std::optional<WholeRows::Range> WholeRows::product(Range left, Range right, bool is_signed) {
  if (is_signed) {
    /* Of numbers that are not negative: else the ends are others. */
    check(builder_.CreateAnd(left.low, builder_.getInt64(uint64_t(1) << 63)), false);
    check(builder_.CreateAnd(right.low, builder_.getInt64(uint64_t(1) << 63)), false);
  }
  return Range{builder_.CreateMul(left.low, right.low), builder_.CreateMul(left.high, right.high)};
}

std::optional<WholeRows::Range> WholeRows::extended_part(Value *part, BinaryOperator &operation) {
  auto *shift = cast<BinaryOperator>(operation.getOperand(0));
  uint64_t left = cast<ConstantInt>(shift->getOperand(1))->getZExtValue();
  uint64_t right = cast<ConstantInt>(operation.getOperand(1))->getZExtValue();
  auto inner = left == 32 ? range(part, true) : std::nullopt;
  if (!inner) return std::nullopt;
  return Range{builder_.CreateShl(inner->low, left - right), builder_.CreateShl(inner->high, left - right)};
}

std::optional<WholeRows::Range> WholeRows::combine(BinaryOperator &operation, bool is_signed) {
  if (Value *part = sign_extended_part(&operation)) return extended_part(part, operation);
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  auto left = range(operation.getOperand(0), is_signed);
  if (!left) return std::nullopt;
  switch (operation.getOpcode()) {
    case Instruction::And:
      /* A shifted mask, which must take away nothing above. */
      if (is_signed || !constant || !constant->getValue().isShiftedMask()) return std::nullopt;
      if (constant->getValue().getActiveBits() < 32) return std::nullopt;
      return Range{builder_.CreateAnd(left->low, constant->getZExtValue()),
                   builder_.CreateAnd(left->high, constant->getZExtValue())};
    case Instruction::Shl:
      if (!constant || constant->getZExtValue() > 31) return std::nullopt;
      return Range{builder_.CreateShl(left->low, constant->getZExtValue()),
                   builder_.CreateShl(left->high, constant->getZExtValue())};
    default: break;
  }
  if (constant && constant->isNegative() && operation.getOpcode() == Instruction::Add) {
    Value *step = builder_.getInt64(uint64_t(constant->getSExtValue()));
    return Range{builder_.CreateAdd(left->low, step), builder_.CreateAdd(left->high, step)};
  }
  auto right = range(operation.getOperand(1), is_signed);
  if (!right) return std::nullopt;
  switch (operation.getOpcode()) {
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(operation).isDisjoint()) return std::nullopt;
      [[fallthrough]];
    case Instruction::Add:
      return Range{builder_.CreateAdd(left->low, right->low), builder_.CreateAdd(left->high, right->high)};
    case Instruction::Sub:
      return Range{builder_.CreateSub(left->low, right->high), builder_.CreateSub(left->high, right->low)};
    case Instruction::Mul: return product(*left, *right, is_signed);
    default: return std::nullopt;
  }
}

std::optional<WholeRows::Range> WholeRows::range_of(Value *value, bool is_signed) {
  unsigned bits = value->getType()->isIntegerTy() ? value->getType()->getIntegerBitWidth() : 0;
  if (bits != 32 && bits != 64) return std::nullopt;
  if (auto *argument = dyn_cast<Argument>(value); argument && argument->getParent() == &body_->function()) {
    if (argument != body_->counter()) return range_of(body_->outside(argument), is_signed);
    return Range{builder_.getInt64(0), builder_.CreateSub(items_.count, builder_.getInt64(1))};
  }
  if (value == row_) return Range{builder_.getInt64(0), builder_.CreateSub(row_count_, builder_.getInt64(1))};
  if (is_known_before(value)) {
    Value *wide = builder_.CreateIntCast(value, builder_.getInt64Ty(), is_signed);
    return Range{wide, wide};
  }
  if (auto *operation = dyn_cast<BinaryOperator>(value)) return combine(*operation, is_signed);
  if (isa<TruncInst>(value)) return range(cast<TruncInst>(value)->getOperand(0), is_signed);
  if (auto *wider = dyn_cast<ZExtInst>(value)) return range(wider->getOperand(0), wider->hasNonNeg());
  if (auto *wider = dyn_cast<SExtInst>(value)) return range(wider->getOperand(0), true);
  return std::nullopt;
}

std::optional<WholeRows::Range> WholeRows::range(Value *value, bool is_signed) {
  auto result = range_of(value, is_signed);
  if (!result) return std::nullopt;
  check(result->low, is_signed);
  if (result->high != result->low) check(result->high, is_signed);
  return result;
}

/* Of rows that are merged with the first, values are not at hand yet. */
bool WholeRows::is_of_other_row(const Value *value) const {
  if (auto *argument = dyn_cast<Argument>(value)) return argument != body_->counter() && !body_->outside(argument);
  auto *instruction = dyn_cast<Instruction>(value);
  return instruction && any_of(instruction->operands(), [&](const Use &use) { return is_of_other_row(use); });
}

Value *WholeRows::write(const ItemBody &body, const LaneAnalysis &analysis, const std::optional<ItemBound> &bound,
                        unsigned width) {
  body_ = &body;
  builder_.SetInsertPoint(rows_->getLoopPreheader()->getTerminator());
  Value *rest = builder_.CreateAnd(items_.count, builder_.getInt64(width - 1));
  Value *all = builder_.CreateICmpEQ(rest, builder_.getInt64(0));
  if (bound) {
    Value *holds = nullptr;
    if (!is_known_before(bound->limit) || (bound->base && !is_known_before(bound->base))) return nullptr;
    Value *count = bound->count(items_, builder_, holds);
    all = builder_.CreateAnd(all, builder_.CreateICmpEQ(count, items_.count));
    if (holds) all = builder_.CreateAnd(all, holds);
  }
  /* Merged rows are as the first: what is found out about it holds for all numbers of rows. */
  for (const Premise &premise : analysis.premises()) {
    if (!is_of_other_row(premise.value) && !range(premise.value, premise.is_signed)) return nullptr;
  }
  if (bits_) {
    Value *fits = builder_.CreateICmpULT(bits_, builder_.getInt64(uint64_t(1) << 32));
    all = builder_.CreateAnd(all, fits);
  }
  return all;
}

}  // namespace quern
