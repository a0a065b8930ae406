/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Tests of all rows at once. What is computed in 32 bits is computed again in 64, from the ends of what it is made of:
 * where no result leaves the 32 bits, nothing wraps in any row. */
#include "compiler/passes/vectorize/transform/unmasked_version.hpp"

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/passes/vectorize/analysis/operands.hpp"
#include "compiler/passes/vectorize/analysis/strides.hpp"

using namespace llvm;

namespace quern {

/* The body is written once more: this many instructions at most, and where rows are merged, which is done for what
 * takes long. */
static constexpr unsigned most_instructions = 64, most_unmasked_instructions = 384;

/* Fewer rows are no loop to be the inner one. */
static constexpr unsigned fewest_y_iterations = 2;

/* So many leave room for the sums of twice as many rows. Each waits for its own: two units of four steps take eight. */
static constexpr unsigned many_registers = 32;

static bool is_straight(const ShapeAnalysis &analysis) {
  return all_of(analysis.order(), [](const BasicBlock *block) {
    return block->getTerminator()->getNumSuccessors() <= 1 && block->phis().empty();
  });
}

std::unique_ptr<UnmaskedVersion> UnmaskedVersion::find(const ItemLoop &loop, const ShapeAnalysis &analysis,
                                                       unsigned jam, unsigned registers) {
  auto y_loop = YLoop::match(loop);
  if (!y_loop || (jam > 1 && !y_loop->has_no_conditions()) || !analysis.loops().empty()) return nullptr;
  const Loop *rows = loop.loop->getParentLoop();
  if (!rows->getLoopPreheader() || !rows->getExitBlock() || !rows->isLoopInvariant(loop.count)) return nullptr;
  auto *first = dyn_cast<Constant>(y_loop->counter()->getIncomingValueForBlock(rows->getLoopPreheader()));
  if (!first || !first->isNullValue()) return nullptr;
  unsigned count = 0;
  for (const BasicBlock *block : analysis.order()) {
    if (analysis.has_divergent_branch(block)) return nullptr;
    count += unsigned(block->size());
  }
  if (count > (jam > 1 ? most_unmasked_instructions : most_instructions)) return nullptr;
  std::unique_ptr<UnmaskedVersion> out(new UnmaskedVersion(loop, rows, *y_loop, jam));
  out->is_double_ = jam > 1 && registers >= many_registers && is_straight(analysis);
  return out->leaves_nothing_else() ? std::move(out) : nullptr;
}

/* What comes out of the loop over rows is known before it, or comes out of the one over work-items. */
bool UnmaskedVersion::leaves_nothing_else() const {
  for (PHINode &phi : outer_loop_->getExitBlock()->phis()) {
    Value *value = phi.getIncomingValueForBlock(items_.exit);
    auto *jam = dyn_cast<PHINode>(value);
    bool is_of_items = jam && jam->getParent() == items_.exit && jam->getNumIncomingValues() == 1;
    if (!is_of_items && !is_known_before(value)) return false;
  }
  return true;
}

/* Signed numbers are moved to where unsigned ones are. */
void UnmaskedVersion::check(Value *value, bool is_signed) {
  if (is_signed) value = builder_.CreateAdd(value, builder_.getInt64(uint64_t(1) << 31));
  bits_ = bits_ ? builder_.CreateOr(bits_, value) : value;
}

/* Numbers without a sign need no other check while only sums and multiples are made of them: where the result fits, so
 * do they. */
void UnmaskedVersion::check_high(Range &range) {
  if (range.bits > 32) check(range.high, false);
  range.bits = 32;
}

bool UnmaskedVersion::is_known_before(const Value *value) const {
  auto *instruction = dyn_cast<Instruction>(value);
  return !instruction ||
         (instruction->getFunction() == outer_loop_->getHeader()->getParent() && !outer_loop_->contains(instruction));
}

/* Either may be zero, and the other one then anything. */
UnmaskedVersion::Range UnmaskedVersion::product(Range left, Range right, bool is_signed) {
  if (is_signed) {
    /* Of numbers that are not negative: else the ends are others. */
    check(builder_.CreateAnd(left.low, builder_.getInt64(uint64_t(1) << 63)), false);
    check(builder_.CreateAnd(right.low, builder_.getInt64(uint64_t(1) << 63)), false);
  } else {
    check_high(left);
    check_high(right);
  }
  return {builder_.CreateMul(left.low, right.low), builder_.CreateMul(left.high, right.high), 64};
}

UnmaskedVersion::Range UnmaskedVersion::sum(Range left, Range right, bool is_signed) {
  if (!is_signed && std::max(left.bits, right.bits) >= 64) {
    check_high(left);
    check_high(right);
  }
  return {builder_.CreateAdd(left.low, right.low), builder_.CreateAdd(left.high, right.high),
          std::max(left.bits, right.bits) + 1};
}

std::optional<UnmaskedVersion::Range> UnmaskedVersion::extended_part(Value *part, BinaryOperator &operation) {
  auto *shift = cast<BinaryOperator>(operation.getOperand(0));
  uint64_t left = cast<ConstantInt>(shift->getOperand(1))->getZExtValue();
  uint64_t right = cast<ConstantInt>(operation.getOperand(1))->getZExtValue();
  auto inner = left == 32 ? range(part, true) : std::nullopt;
  if (!inner) return std::nullopt;
  return Range{builder_.CreateShl(inner->low, left - right), builder_.CreateShl(inner->high, left - right), 64};
}

std::optional<UnmaskedVersion::Range> UnmaskedVersion::combine(BinaryOperator &operation, bool is_signed) {
  if (Value *part = sign_extended_part(&operation)) {
    auto result = extended_part(part, operation);
    if (result && !is_signed) check(result->low, false);
    return result;
  }
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  auto left = range(operation.getOperand(0), is_signed);
  if (!left) return std::nullopt;
  switch (operation.getOpcode()) {
    case Instruction::And:
      /* A shifted mask, which must take away nothing above. */
      if (is_signed || !constant || !constant->getValue().isShiftedMask()) return std::nullopt;
      if (constant->getValue().getActiveBits() < 32) return std::nullopt;
      check_high(*left);
      return Range{builder_.CreateAnd(left->low, constant->getZExtValue()),
                   builder_.CreateAnd(left->high, constant->getZExtValue()), 32};
    case Instruction::Shl:
      if (!constant || constant->getZExtValue() > 31) return std::nullopt;
      if (!is_signed) check_high(*left);
      return Range{builder_.CreateShl(left->low, constant->getZExtValue()),
                   builder_.CreateShl(left->high, constant->getZExtValue()), 63};
    default: break;
  }
  if (constant && constant->isNegative() && operation.getOpcode() == Instruction::Add) {
    Value *step = builder_.getInt64(uint64_t(constant->getSExtValue()));
    if (!is_signed) check_high(*left);
    Range moved = {builder_.CreateAdd(left->low, step), builder_.CreateAdd(left->high, step), 64};
    if (!is_signed) check(moved.low, false);
    return moved;
  }
  auto right = range(operation.getOperand(1), is_signed);
  if (!right) return std::nullopt;
  switch (operation.getOpcode()) {
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(operation).isDisjoint()) return std::nullopt;
      [[fallthrough]];
    case Instruction::Add: return sum(*left, *right, is_signed);
    case Instruction::Sub: {
      if (!is_signed) {
        check_high(*left);
        check_high(*right);
      }
      Range difference = {builder_.CreateSub(left->low, right->high), builder_.CreateSub(left->high, right->low), 64};
      if (!is_signed) check(difference.low, false);
      return difference;
    }
    case Instruction::Mul: return product(*left, *right, is_signed);
    default: return std::nullopt;
  }
}

std::optional<UnmaskedVersion::Range> UnmaskedVersion::range_of(Value *value, bool is_signed) {
  unsigned bits = value->getType()->isIntegerTy() ? value->getType()->getIntegerBitWidth() : 0;
  if (bits != 32 && bits != 64) return std::nullopt;
  if (auto *argument = dyn_cast<Argument>(value); argument && argument->getParent() == &body_->function()) {
    if (argument != body_->counter()) return range_of(body_->outside(argument), is_signed);
    return Range{builder_.getInt64(0), builder_.CreateSub(items_.count, builder_.getInt64(1)), 64};
  }
  if (value == y_loop_.counter()) {
    return Range{builder_.getInt64(0), builder_.CreateSub(y_loop_.count(), builder_.getInt64(1)), 64};
  }
  if (is_known_before(value)) {
    Value *wide = builder_.CreateIntCast(value, builder_.getInt64Ty(), is_signed);
    return Range{wide, wide, bits};
  }
  if (auto *operation = dyn_cast<BinaryOperator>(value)) return combine(*operation, is_signed);
  if (isa<TruncInst>(value)) return range(cast<TruncInst>(value)->getOperand(0), is_signed);
  bool is_wider = isa<ZExtInst>(value) || isa<SExtInst>(value);
  if (!is_wider) return std::nullopt;
  auto *wider = cast<CastInst>(value);
  bool was_signed = isa<SExtInst>(wider) || wider->hasNonNeg();
  auto result = range(wider->getOperand(0), was_signed);
  if (result && was_signed && !is_signed) check(result->low, false);
  return result;
}

std::optional<UnmaskedVersion::Range> UnmaskedVersion::range(Value *value, bool is_signed) {
  auto known = ranges_.find({value, is_signed});
  if (known != ranges_.end()) return known->second;
  auto result = checked_range(value, is_signed);
  ranges_[{value, is_signed}] = result;
  return result;
}

std::optional<UnmaskedVersion::Range> UnmaskedVersion::checked_range(Value *value, bool is_signed) {
  auto result = range_of(value, is_signed);
  if (!result) return std::nullopt;
  if (is_signed) {
    check(result->low, true);
    if (result->high != result->low) check(result->high, true);
    result->bits = 32;
  }
  exact_.add(value, is_signed);
  auto *argument = dyn_cast<Argument>(value);
  if (argument && argument->getParent() == &body_->function() && argument != body_->counter()) {
    exact_.add(body_->outside(argument), is_signed);
  }
  return result;
}

/* Of rows that are merged with the first, values are not at hand yet. */
bool UnmaskedVersion::is_of_jammed_copy(const Value *value) const {
  return !holds_of_all(value, [&](const Value *part) -> std::optional<bool> {
    if (auto *argument = dyn_cast<Argument>(part))
      return argument == body_->counter() || body_->outside(argument) != nullptr;
    if (isa<Instruction>(part)) return std::nullopt;
    return true;
  });
}

bool UnmaskedVersion::is_common(const Value *value) const {
  return holds_of_all(value, [&](const Value *part) -> std::optional<bool> {
    if (auto *argument = dyn_cast<Argument>(part)) {
      const Value *outside = argument == body_->counter() ? nullptr : body_->outside(argument);
      return outside && is_known_before(outside);
    }
    auto *instruction = dyn_cast<Instruction>(part);
    if (!instruction) return true;
    if (isa<PHINode>(instruction) || instruction->mayReadOrWriteMemory()) return false;
    if (!isSafeToSpeculativelyExecute(instruction)) return false;
    return std::nullopt;
  });
}

const BasicBlock *UnmaskedVersion::common_branch(const ShapeAnalysis &analysis) const {
  for (const BasicBlock *block : analysis.order()) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch) return nullptr;
    if (branch->isConditional()) return is_common(branch->getCondition()) ? block : nullptr;
  }
  return nullptr;
}

Value *UnmaskedVersion::test(const ItemBody &body, const ShapeAnalysis &analysis, const std::optional<ItemBound> &bound,
                             unsigned width) {
  body_ = &body;
  ranges_.clear();
  builder_.SetInsertPoint(outer_loop_->getLoopPreheader()->getTerminator());
  Value *rest = builder_.CreateAnd(items_.count, builder_.getInt64(width - 1));
  if (jam_ > 1) {
    Value *rows = builder_.CreateAnd(y_loop_.count(), builder_.getInt64(y_per_iteration() - 1));
    rest = builder_.CreateOr(rest, rows);
  }
  Value *all = builder_.CreateICmpEQ(rest, builder_.getInt64(0));
  if (jam_ < fewest_y_iterations && may_be_inner()) {
    all = builder_.CreateAnd(all, builder_.CreateICmpUGE(y_loop_.count(), builder_.getInt64(fewest_y_iterations)));
  }
  check(y_loop_.count(), false);
  for (const User *user : y_loop_.counter()->users()) {
    if (is_low_half(user)) exact_.add(user, false);
  }
  if (bound) {
    Value *holds = nullptr;
    if (!bound->depends_on([&](const Value *value) { return is_known_before(value); })) return nullptr;
    Value *count = bound->count(items_, builder_, holds);
    all = builder_.CreateAnd(all, builder_.CreateICmpEQ(count, items_.count));
    if (holds) all = builder_.CreateAnd(all, holds);
  }
  /* Merged rows are as the first: what is found out about it holds for all numbers of rows. */
  for (const RuntimeCheck &runtime_check : analysis.runtime_checks()) {
    if (is_of_jammed_copy(runtime_check.value)) continue;
    auto whole = range(runtime_check.value, runtime_check.is_signed);
    if (!whole) return nullptr;
    check_high(*whole);
  }
  if (bits_) {
    Value *fits = builder_.CreateICmpULT(bits_, builder_.getInt64(uint64_t(1) << 32));
    all = builder_.CreateAnd(all, fits);
  }
  return all;
}

bool UnmaskedVersion::may_be_inner() const {
  if (jam_ > 1) return true;
  return all_of(*y_loop_.header(), [](const Instruction &instruction) {
    switch (instruction.getOpcode()) {
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
      case Instruction::Shl:
      case Instruction::And:
      case Instruction::Trunc:
      case Instruction::ZExt:
      case Instruction::SExt:
      case Instruction::GetElementPtr: return true;
      default: return isa<PHINode>(instruction) || instruction.isTerminator();
    }
  });
}

/* Values of the header once more, for one row: the first that is asked for one is given it. */
class UnmaskedVersion::Copier {
 public:
  Copier(UnmaskedVersion &form, Value *row, BasicBlock *block) : variant_(form), row_(row), builder_(block) {}

  Value *value(Value *value, unsigned row) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->getParent() != variant_.y_loop_.header()) return value;
    if (row && !variant_.y_loop_.differs(value)) row = 0;
    auto known = known_.find({value, row});
    if (known != known_.end()) return known->second;
    Value *result;
    if (value == variant_.y_loop_.counter()) {
      result = row ? builder_.CreateAdd(row_, builder_.getInt64(row), "", true, true) : row_;
    } else {
      result = copy(*instruction, row);
    }
    known_[{value, row}] = result;
    return result;
  }

 private:
  Value *copy(const Instruction &original, unsigned row) {
    Instruction *made = original.clone();
    for (Use &operand : made->operands()) operand.set(value(operand, row));
    builder_.Insert(made, original.getName());
    return variant_.exact_.mark(made, original);
  }

  UnmaskedVersion &variant_;
  Value *row_;
  IRBuilder<> builder_;
  DenseMap<std::pair<const Value *, unsigned>, Value *> known_;
};

Places UnmaskedVersion::place(Value *row, BasicBlock *block) {
  Places places;
  Copier copier(*this, row, block);
  for (const Argument &argument : body_->function().args()) {
    Value *outside = body_->outside(&argument);
    if (!outside) continue;
    places[&argument] = copier.value(outside, 0);
    auto others = body_->jammed_copies().find(const_cast<Argument *>(&argument));
    if (others == body_->jammed_copies().end()) continue;
    for (auto [index, other] : enumerate(others->second)) {
      if (auto *argument = dyn_cast<Argument>(other)) places[argument] = copier.value(outside, unsigned(index) + 1);
    }
  }
  return places;
}

}  // namespace quern
