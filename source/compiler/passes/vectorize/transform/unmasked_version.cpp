/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The condition of the unmasked version. Values of 32 bits are computed again in 64 bits, from the bounds of their
 * operands: where all results fit 32 bits, nothing wraps for any y. */
#include "compiler/passes/vectorize/transform/unmasked_version.hpp"

#include <cassert>

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/passes/vectorize/analysis/operands.hpp"
#include "compiler/passes/vectorize/analysis/strides.hpp"

using namespace llvm;

namespace quern {

/* Most instructions of the body, which is written once more. Jammed bodies may be larger: jamming is done for loops
 * that take long. */
static constexpr unsigned max_instructions = 64, max_jammed_instructions = 384;

/* The smallest trip count for which the y loop becomes the inner loop. */
static constexpr unsigned min_y_trip_count = 2;

/* With this many vector registers there is room for the accumulators of twice as many jammed copies. Each accumulator
 * is a dependence chain: two units with a latency of four cycles need eight. */
static constexpr unsigned min_registers_to_unroll = 32;

/* True for a body without branches or phis. */
static bool is_straight(const ShapeAnalysis &analysis) {
  return all_of(analysis.order(), [](const BasicBlock *block) {
    return block->getTerminator()->getNumSuccessors() <= 1 && block->phis().empty();
  });
}

std::unique_ptr<UnmaskedVersion> UnmaskedVersion::find(const ItemLoop &loop, const ShapeAnalysis &analysis,
                                                       unsigned jam, unsigned registers) {
  auto y_loop = YLoop::match(loop);
  if (!y_loop || (jam > 1 && !y_loop->has_no_branch_conditions()) || !analysis.loops().empty()) return nullptr;
  const Loop *outer_loop = loop.loop->getParentLoop();
  if (!outer_loop->getLoopPreheader() || !outer_loop->getExitBlock() || !outer_loop->isLoopInvariant(loop.count))
    return nullptr;
  auto *first = dyn_cast<Constant>(y_loop->counter()->getIncomingValueForBlock(outer_loop->getLoopPreheader()));
  if (!first || !first->isNullValue()) return nullptr;
  unsigned count = 0;
  for (const BasicBlock *block : analysis.order()) {
    if (analysis.has_divergent_branch(block)) return nullptr;
    count += unsigned(block->size());
  }
  if (count > (jam > 1 ? max_jammed_instructions : max_instructions)) return nullptr;
  std::unique_ptr<UnmaskedVersion> out(new UnmaskedVersion(loop, outer_loop, *y_loop, jam));
  out->unrolls_by_two_ = jam > 1 && registers >= min_registers_to_unroll && is_straight(analysis);
  return out->has_known_live_outs() ? std::move(out) : nullptr;
}

/* True when each live-out value of the y loop is invariant in it, or a live-out value of the item loop. */
bool UnmaskedVersion::has_known_live_outs() const {
  for (PHINode &phi : outer_loop_->getExitBlock()->phis()) {
    Value *value = phi.getIncomingValueForBlock(items_.exit);
    auto *phi_of_items = dyn_cast<PHINode>(value);
    bool is_of_items =
        phi_of_items && phi_of_items->getParent() == items_.exit && phi_of_items->getNumIncomingValues() == 1;
    if (!is_of_items && !is_invariant(value)) return false;
  }
  return true;
}

/* Adds a value that must fit 32 bits to the condition. Signed values are shifted into the unsigned range. */
void UnmaskedVersion::require_32_bits(Value *value, bool is_signed) {
  if (is_signed) value = builder_.CreateAdd(value, builder_.getInt64(uint64_t(1) << 31));
  checked_bits_ = checked_bits_ ? builder_.CreateOr(checked_bits_, value) : value;
}

/* Checks the upper bound of an unsigned value, once. Operands of sums and multiples need no check of their own: where
 * the result fits, so do they. */
void UnmaskedVersion::require_high_32_bits(Range &range) {
  if (range.bits > 32) require_32_bits(range.high, false);
  range.bits = 32;
}

/* True for a value that is available in the preheader of the y loop; false for those of the item body. */
bool UnmaskedVersion::is_invariant(const Value *value) const {
  auto *instruction = dyn_cast<Instruction>(value);
  return !instruction ||
         (instruction->getFunction() == outer_loop_->getHeader()->getParent() && !outer_loop_->contains(instruction));
}

/* Unsigned: both operands are checked, since a product with zero fits whatever the other operand is. */
UnmaskedVersion::Range UnmaskedVersion::product(Range left, Range right, bool is_signed) {
  if (is_signed) {
    /* Neither operand may be negative, for these bounds to be those of the product. */
    require_32_bits(builder_.CreateAnd(left.low, builder_.getInt64(uint64_t(1) << 63)), false);
    require_32_bits(builder_.CreateAnd(right.low, builder_.getInt64(uint64_t(1) << 63)), false);
  } else {
    require_high_32_bits(left);
    require_high_32_bits(right);
  }
  return {builder_.CreateMul(left.low, right.low), builder_.CreateMul(left.high, right.high), 64};
}

UnmaskedVersion::Range UnmaskedVersion::sum(Range left, Range right, bool is_signed) {
  if (!is_signed && std::max(left.bits, right.bits) >= 64) {
    require_high_32_bits(left);
    require_high_32_bits(right);
  }
  return {builder_.CreateAdd(left.low, right.low), builder_.CreateAdd(left.high, right.high),
          std::max(left.bits, right.bits) + 1};
}

/* The range of ashr (shl `extended`, 32), b: a sign extension from 32 bits, scaled by 2^(32 - b). */
std::optional<UnmaskedVersion::Range> UnmaskedVersion::sign_extended_range(Value *extended, BinaryOperator &operation) {
  auto *shift = cast<BinaryOperator>(operation.getOperand(0));
  uint64_t left = cast<ConstantInt>(shift->getOperand(1))->getZExtValue();
  uint64_t right = cast<ConstantInt>(operation.getOperand(1))->getZExtValue();
  auto inner = left == 32 ? range(extended, true) : std::nullopt;
  if (!inner) return std::nullopt;
  return Range{builder_.CreateShl(inner->low, left - right), builder_.CreateShl(inner->high, left - right), 64};
}

/* The range of an operation, from those of its operands. */
std::optional<UnmaskedVersion::Range> UnmaskedVersion::combine(BinaryOperator &operation, bool is_signed) {
  if (Value *extended = match_scaled_sign_extension(&operation)) {
    auto result = sign_extended_range(extended, operation);
    if (result && !is_signed) require_32_bits(result->low, false);
    return result;
  }
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  auto left = range(operation.getOperand(0), is_signed);
  if (!left) return std::nullopt;
  switch (operation.getOpcode()) {
    case Instruction::And:
      /* A contiguous mask of at least 32 bits: it must clear no high bit that is set. */
      if (is_signed || !constant || !constant->getValue().isShiftedMask()) return std::nullopt;
      if (constant->getValue().getActiveBits() < 32) return std::nullopt;
      require_high_32_bits(*left);
      return Range{builder_.CreateAnd(left->low, constant->getZExtValue()),
                   builder_.CreateAnd(left->high, constant->getZExtValue()), 32};
    case Instruction::Shl:
      if (!constant || constant->getZExtValue() > 31) return std::nullopt;
      if (!is_signed) require_high_32_bits(*left);
      return Range{builder_.CreateShl(left->low, constant->getZExtValue()),
                   builder_.CreateShl(left->high, constant->getZExtValue()), 63};
    default: break;
  }
  if (constant && constant->isNegative() && operation.getOpcode() == Instruction::Add) {
    Value *step = builder_.getInt64(uint64_t(constant->getSExtValue()));
    if (!is_signed) require_high_32_bits(*left);
    Range moved = {builder_.CreateAdd(left->low, step), builder_.CreateAdd(left->high, step), 64};
    if (!is_signed) require_32_bits(moved.low, false);
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
        require_high_32_bits(*left);
        require_high_32_bits(*right);
      }
      Range difference = {builder_.CreateSub(left->low, right->high), builder_.CreateSub(left->high, right->low), 64};
      if (!is_signed) require_32_bits(difference.low, false);
      return difference;
    }
    case Instruction::Mul: return product(*left, *right, is_signed);
    default: return std::nullopt;
  }
}

/* The range of a value, as it would be in integers of unlimited width, given that all checks pass. */
std::optional<UnmaskedVersion::Range> UnmaskedVersion::range_of(Value *value, bool is_signed) {
  unsigned bits = value->getType()->isIntegerTy() ? value->getType()->getIntegerBitWidth() : 0;
  if (bits != 32 && bits != 64) return std::nullopt;
  if (auto *argument = dyn_cast<Argument>(value); argument && argument->getParent() == &body_->function()) {
    if (argument != body_->counter()) return range_of(body_->outside(argument), is_signed);
    return Range{builder_.getInt64(0), builder_.CreateSub(items_.count, builder_.getInt64(1)), 64};
  }
  if (value == y_loop_.counter()) {
    return Range{builder_.getInt64(0), builder_.CreateSub(y_loop_.trip_count(), builder_.getInt64(1)), 64};
  }
  if (is_invariant(value)) {
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
  if (result && was_signed && !is_signed) require_32_bits(result->low, false);
  return result;
}

/* The range of a value, computed once. */
std::optional<UnmaskedVersion::Range> UnmaskedVersion::range(Value *value, bool is_signed) {
  auto known = ranges_.find({value, is_signed});
  if (known != ranges_.end()) return known->second;
  auto result = checked_range(value, is_signed);
  ranges_[{value, is_signed}] = result;
  return result;
}

/* Checks the bounds of a signed value, and records that the value does not wrap. */
std::optional<UnmaskedVersion::Range> UnmaskedVersion::checked_range(Value *value, bool is_signed) {
  auto result = range_of(value, is_signed);
  if (!result) return std::nullopt;
  if (is_signed) {
    require_32_bits(result->low, true);
    if (result->high != result->low) require_32_bits(result->high, true);
    result->bits = 32;
  }
  no_wrap_values_.add(value, is_signed);
  auto *argument = dyn_cast<Argument>(value);
  if (argument && argument->getParent() == &body_->function() && argument != body_->counter()) {
    no_wrap_values_.add(body_->outside(argument), is_signed);
  }
  return result;
}

/* True for values of jammed copies but the first: their parameters have no value from outside yet. */
bool UnmaskedVersion::depends_on_jammed_copy(const Value *value) const {
  return !all_of_operands(value, [&](const Value *operand) -> std::optional<bool> {
    if (auto *argument = dyn_cast<Argument>(operand))
      return argument == body_->counter() || body_->outside(argument) != nullptr;
    if (isa<Instruction>(operand)) return std::nullopt;
    return true;
  });
}

/* True for a value of the body that can be computed before the y loop, from invariant values and without traps. */
bool UnmaskedVersion::is_computable_before(const Value *value) const {
  return all_of_operands(value, [&](const Value *operand) -> std::optional<bool> {
    if (auto *argument = dyn_cast<Argument>(operand)) {
      const Value *outside = argument == body_->counter() ? nullptr : body_->outside(argument);
      return outside && is_invariant(outside);
    }
    auto *instruction = dyn_cast<Instruction>(operand);
    if (!instruction) return true;
    if (isa<PHINode>(instruction) || instruction->mayReadOrWriteMemory()) return false;
    if (!isSafeToSpeculativelyExecute(instruction)) return false;
    return std::nullopt;
  });
}

const BasicBlock *UnmaskedVersion::invariant_branch(const ShapeAnalysis &analysis) const {
  for (const BasicBlock *block : analysis.order()) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch) return nullptr;
    if (branch->isConditional()) return is_computable_before(branch->getCondition()) ? block : nullptr;
  }
  return nullptr;
}

Value *UnmaskedVersion::write_condition(const ItemBody &body, const ShapeAnalysis &analysis,
                                        const std::optional<ItemBound> &bound, unsigned width) {
  assert(!checked_bits_ && "there is one condition");
  body_ = &body;
  ranges_.clear();
  builder_.SetInsertPoint(outer_loop_->getLoopPreheader()->getTerminator());
  Value *remainder = builder_.CreateAnd(items_.count, builder_.getInt64(width - 1));
  if (jam_ > 1) {
    Value *y_remainder = builder_.CreateAnd(y_loop_.trip_count(), builder_.getInt64(y_per_iteration() - 1));
    remainder = builder_.CreateOr(remainder, y_remainder);
  }
  Value *condition = builder_.CreateICmpEQ(remainder, builder_.getInt64(0));
  if (jam_ < min_y_trip_count && may_interchange()) {
    condition = builder_.CreateAnd(condition,
                                   builder_.CreateICmpUGE(y_loop_.trip_count(), builder_.getInt64(min_y_trip_count)));
  }
  require_32_bits(y_loop_.trip_count(), false);
  for (const User *user : y_loop_.counter()->users()) {
    if (masks_low_32_bits(user)) no_wrap_values_.add(user, false);
  }
  if (bound) {
    Value *holds = nullptr;
    if (!bound->depends_on([&](const Value *value) { return is_invariant(value); })) return nullptr;
    Value *count = bound->count(items_, builder_, holds);
    condition = builder_.CreateAnd(condition, builder_.CreateICmpEQ(count, items_.count));
    if (holds) condition = builder_.CreateAnd(condition, holds);
  }
  /* Jammed copies do what the first does, and its ranges cover every y: their checks are implied. */
  for (const RuntimeCheck &runtime_check : analysis.runtime_checks()) {
    if (depends_on_jammed_copy(runtime_check.value)) continue;
    auto checked = range(runtime_check.value, runtime_check.is_signed);
    if (!checked) return nullptr;
    require_high_32_bits(*checked);
  }
  if (checked_bits_) {
    Value *fits = builder_.CreateICmpULT(checked_bits_, builder_.getInt64(uint64_t(1) << 32));
    condition = builder_.CreateAnd(condition, fits);
  }
  return condition;
}

bool UnmaskedVersion::may_interchange() const {
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

/* Clones values of the header into the unmasked version, for given iterations. A clone runs exactly when its original
 * would, so it keeps its flags. */
class UnmaskedVersion::Copier {
 public:
  /* `y` is the first iteration; clones are appended to `block`. */
  Copier(UnmaskedVersion &version, Value *y, BasicBlock *block) : version_(version), y_(y), builder_(block) {}

  /* The value in iteration `y` + `copy_index`. Values that do not depend on y are cloned once. */
  Value *value(Value *value, unsigned copy_index) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->getParent() != version_.y_loop_.header()) return value;
    if (copy_index && !version_.y_loop_.varies_in_y(value)) copy_index = 0;
    auto known = known_.find({value, copy_index});
    if (known != known_.end()) return known->second;
    Value *result;
    if (value == version_.y_loop_.counter()) {
      result = copy_index ? builder_.CreateAdd(y_, builder_.getInt64(copy_index), "", true, true) : y_;
    } else {
      result = copy(*instruction, copy_index);
    }
    known_[{value, copy_index}] = result;
    return result;
  }

 private:
  Value *copy(const Instruction &original, unsigned copy_index) {
    Instruction *clone = original.clone();
    for (Use &operand : clone->operands()) operand.set(value(operand, copy_index));
    builder_.Insert(clone, original.getName());
    return version_.no_wrap_values_.mark(clone, original);
  }

  UnmaskedVersion &version_;
  Value *y_;
  IRBuilder<> builder_;
  DenseMap<std::pair<const Value *, unsigned>, Value *> known_;
};

ArgumentValues UnmaskedVersion::argument_values(Value *y, BasicBlock *block) {
  ArgumentValues values;
  Copier copier(*this, y, block);
  for (const Argument &argument : body_->function().args()) {
    Value *outside = body_->outside(&argument);
    /* A private variable is not taken from there: it becomes one for all lanes. */
    if (!outside || body_->variable(&argument)) continue;
    values[&argument] = copier.value(outside, 0);
    auto copies = body_->jammed_copies().find(const_cast<Argument *>(&argument));
    if (copies == body_->jammed_copies().end()) continue;
    for (auto [index, copy] : enumerate(copies->second)) {
      if (auto *parameter = dyn_cast<Argument>(copy)) values[parameter] = copier.value(outside, unsigned(index) + 1);
    }
  }
  return values;
}

}  // namespace quern
