/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finds enclosing induction variables. An increment passes through phis at the exits of item loops, which merge it with
 * itself, its old value or undef. Selects keep the old value at the end. The group's index has metadata. */
#include "compiler/passes/vectorize/analysis/enclosing_induction.hpp"

#include <llvm/IR/Constants.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

using namespace llvm;

namespace quern {

/* Most phis and selects between the increment and the latch. */
static constexpr unsigned max_merges = 16;
/* Work-items that run while a cache line comes from memory, and the most groups to look ahead for them. */
static constexpr unsigned items_ahead = 1024, max_groups_ahead = 4;
/* Most loops that a value is live out of, and most exit edges of each. */
static constexpr unsigned max_exited_loops = 6, max_exit_edges = 4;

/* The single operand of a phi or select that is neither `induction`, nor the value itself, nor undef or poison. Null
 * when there is none or several, or for another value. */
static Value *single_new_operand(Value *value, const PHINode &induction) {
  SmallVector<Value *, 4> operands;
  if (auto *phi = dyn_cast<PHINode>(value)) append_range(operands, phi->incoming_values());
  if (auto *select = dyn_cast<SelectInst>(value)) operands = {select->getTrueValue(), select->getFalseValue()};
  Value *only = nullptr;
  for (Value *operand : operands) {
    if (operand == &induction || operand == value || isa<UndefValue>(operand)) continue;
    if (only && operand != only) return nullptr;
    only = operand;
  }
  return only;
}

/* The invariant step of `induction`, whose value from the latch is `next`; null when it has none. */
static Value *find_step(const Loop &loop, const PHINode &induction, Value *next) {
  for (unsigned i = 0; i < max_merges && (isa<PHINode>(next) || isa<SelectInst>(next)); i++) {
    next = single_new_operand(next, induction);
    if (!next) return nullptr;
  }
  auto *sum = dyn_cast<BinaryOperator>(next);
  if (!sum || sum->getOpcode() != Instruction::Add || sum->getOperand(0) != &induction) return nullptr;
  return loop.isLoopInvariant(sum->getOperand(1)) ? sum->getOperand(1) : nullptr;
}

/* It is in the first block of the loop over groups, around all others. */
static Instruction *find_group_index(const Loop &loop) {
  for (Instruction &instruction : *loop.getOutermostLoop()->getHeader()) {
    if (instruction.hasMetadata(PASSES_GROUP_METADATA)) return &instruction;
  }
  return nullptr;
}

/* The loop around the loops over work-items. Outside the item loop these are a y loop and a z loop, or one loop over
 * both dimensions. */
static const Loop *enclosing_loop(const Loop &items) {
  const Loop *outer = items.getParentLoop();
  if (outer && is_y_loop(*outer)) outer = outer->getParentLoop();
  return outer ? outer->getParentLoop() : nullptr;
}

std::optional<EnclosingInduction> EnclosingInduction::find(const ItemLoop &items) {
  for (const Loop *loop = enclosing_loop(*items.loop); loop; loop = loop->getParentLoop()) {
    BasicBlock *latch = loop->getLoopLatch();
    if (!latch) continue;
    for (PHINode &phi : loop->getHeader()->phis()) {
      if (!phi.getType()->isIntegerTy(32) && !phi.getType()->isIntegerTy(64)) continue;
      if (Value *step = find_step(*loop, phi, phi.getIncomingValueForBlock(latch)))
        return EnclosingInduction(&phi, step);
    }
  }
  return of_groups(items);
}

std::optional<EnclosingInduction> EnclosingInduction::of_groups(const ItemLoop &items) {
  const Loop *loop = enclosing_loop(*items.loop);
  Instruction *group_index = loop ? find_group_index(*loop) : nullptr;
  if (!group_index || !loop->contains(group_index)) return std::nullopt;
  EnclosingInduction groups(group_index, nullptr);
  groups.item_counts_.push_back(items.count);
  if (auto y_loop = YLoop::match(items)) groups.item_counts_.push_back(y_loop->trip_count());
  return groups;
}

/* Lines are prefetched about one memory latency before they are used. Small groups take less time than that, so their
 * step is several groups. */
Value *EnclosingInduction::step(IRBuilder<> &builder) const {
  if (step_) return step_;
  Value *items = builder.getInt64(1), *step = builder.getInt64(1);
  for (Value *count : item_counts_) items = builder.CreateMul(items, count);
  for (unsigned groups = 2; groups <= max_groups_ahead; groups *= 2) {
    Value *is_small = builder.CreateICmpULE(items, builder.getInt64(items_ahead / groups));
    step = builder.CreateSelect(is_small, builder.getInt64(groups), step);
  }
  return step;
}

/* True for operations that may be computed for the next iteration: not a division, which might trap with an operand of
 * an iteration that never runs. */
static bool can_recompute(const Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  return (operation && !operation->isIntDivRem()) || isa<CastInst>(value) || isa<GetElementPtrInst>(value);
}

/* Strips phis whose incoming values are all the same: the LCSSA phis at the exits of item loops. */
static Value *strip_exit_phis(Value *value, unsigned depth = 0) {
  auto *phi = dyn_cast<PHINode>(value);
  if (!phi || depth == max_exited_loops || phi->getNumIncomingValues() > max_exit_edges) return value;
  Value *only = nullptr;
  for (Value *incoming : phi->incoming_values()) {
    Value *stripped = strip_exit_phis(incoming, depth + 1);
    if (only && stripped != only) return value;
    only = stripped;
  }
  return only ? only : value;
}

/* Sums and casts keep a constant change, as do multiples by a constant. */
EnclosingInduction::Change EnclosingInduction::change(const Value *value) {
  value = strip_exit_phis(const_cast<Value *>(value));
  if (value == induction_) return Change::by_constant;
  if (!can_recompute(value)) return Change::none;
  auto known = changes_.find(value);
  if (known != changes_.end()) return known->second;
  auto *instruction = cast<Instruction>(value);
  Change most = Change::none;
  bool has_constant = false;
  for (const Use &operand : instruction->operands()) {
    has_constant |= isa<Constant>(operand);
    most = std::max(most, change(operand));
  }
  unsigned opcode = instruction->getOpcode();
  bool is_sum = opcode == Instruction::Add || opcode == Instruction::Sub || !isa<BinaryOperator>(value);
  bool is_multiple = has_constant && (opcode == Instruction::Mul || opcode == Instruction::Shl);
  if (most == Change::by_constant && !is_sum && !is_multiple) most = Change::other;
  return changes_[value] = most;
}

Value *EnclosingInduction::next(Value *value, DenseMap<Value *, Value *> &known, IRBuilder<> &builder) const {
  value = strip_exit_phis(value);
  if (Value *done = known.lookup(value)) return done;
  if (value == induction_) return known[value] = builder.CreateAdd(induction_, step(builder));
  if (!can_recompute(value)) return value;
  auto *original = cast<Instruction>(value);
  SmallVector<Value *, 4> operands;
  bool has_changed = false;
  for (Value *operand : original->operands()) {
    operands.push_back(next(operand, known, builder));
    has_changed |= operands.back() != strip_exit_phis(operand);
  }
  if (!has_changed) return known[value] = value;
  Instruction *copy = original->clone();
  for (auto [index, operand] : enumerate(operands)) copy->setOperand(unsigned(index), operand);
  copy->dropPoisonGeneratingAnnotations();
  return known[value] = builder.Insert(copy);
}

}  // namespace quern
