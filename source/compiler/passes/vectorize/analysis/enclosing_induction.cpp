/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A number that grows from turn to turn passes through the loops over work-items, on its way out of which it is merged
 * with what it was, or with nothing, and what it was is kept when no turn comes. That of a group is marked. */
#include "compiler/passes/vectorize/analysis/enclosing_induction.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

using namespace llvm;

namespace quern {

/* Instructions between a number and what is made from it, at most. */
static constexpr unsigned most_steps = 16;
/* Work-items that are done while a line comes, and groups that this is at most. */
static constexpr unsigned items_ahead = 1024, most_groups = 4;
/* Loops that a value leaves, and ways out of each, at most. */
static constexpr unsigned most_merges = 6, most_edges = 4;

/* What `value` is where it is neither `number` nor nothing; null when it is no choice, or there are several. */
static Value *only_choice(Value *value, const PHINode &number) {
  SmallVector<Value *, 4> choices;
  if (auto *merged = dyn_cast<PHINode>(value)) append_range(choices, merged->incoming_values());
  if (auto *select = dyn_cast<SelectInst>(value)) choices = {select->getTrueValue(), select->getFalseValue()};
  Value *only = nullptr;
  for (Value *choice : choices) {
    if (choice == &number || choice == value || isa<UndefValue>(choice)) continue;
    if (only && choice != only) return nullptr;
    only = choice;
  }
  return only;
}

static Value *find_step(const Loop &loop, const PHINode &number, Value *next) {
  for (unsigned i = 0; i < most_steps && (isa<PHINode>(next) || isa<SelectInst>(next)); i++) {
    next = only_choice(next, number);
    if (!next) return nullptr;
  }
  auto *sum = dyn_cast<BinaryOperator>(next);
  if (!sum || sum->getOpcode() != Instruction::Add || sum->getOperand(0) != &number) return nullptr;
  return loop.isLoopInvariant(sum->getOperand(1)) ? sum->getOperand(1) : nullptr;
}

static Instruction *find_group_number(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    if (instruction.hasMetadata(PASSES_GROUP_METADATA)) return &instruction;
  }
  return nullptr;
}

/* Around work-items is a loop over both other dimensions, or one over each. */
static const Loop *loop_around_group(const Loop &items) {
  const Loop *rows = items.getParentLoop();
  if (rows && is_y_loop(*rows)) rows = rows->getParentLoop();
  return rows ? rows->getParentLoop() : nullptr;
}

std::optional<EnclosingInduction> EnclosingInduction::find(const ItemLoop &items) {
  for (const Loop *loop = loop_around_group(*items.loop); loop; loop = loop->getParentLoop()) {
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
  const Loop *around = loop_around_group(*items.loop);
  Instruction *number = find_group_number(*items.header->getParent());
  if (!around || !number || !around->contains(number)) return std::nullopt;
  EnclosingInduction groups(number, nullptr);
  groups.counts_.push_back(items.count);
  if (auto rows = YLoop::match(items)) groups.counts_.push_back(rows->count());
  return groups;
}

/* Lines are asked for as long before they are needed as memory takes to bring them. Small groups are done earlier. */
Value *EnclosingInduction::step(IRBuilder<> &builder) const {
  if (step_) return step_;
  Value *items = builder.getInt64(1), *step = builder.getInt64(1);
  for (Value *count : counts_) items = builder.CreateMul(items, count);
  for (unsigned groups = 2; groups <= most_groups; groups *= 2) {
    Value *are_small = builder.CreateICmpULE(items, builder.getInt64(items_ahead / groups));
    step = builder.CreateSelect(are_small, builder.getInt64(groups), step);
  }
  return step;
}

/* Nothing is divided by what a number would be in a turn that does not come. */
static bool is_followed(const Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  return (operation && !operation->isIntDivRem()) || isa<CastInst>(value) || isa<GetElementPtrInst>(value);
}

/* What leaves loops over work-items is merged with itself, on each way out. */
static Value *without_merges(Value *value, unsigned depth = 0) {
  auto *merged = dyn_cast<PHINode>(value);
  if (!merged || depth == most_merges || merged->getNumIncomingValues() > most_edges) return value;
  Value *only = nullptr;
  for (Value *incoming : merged->incoming_values()) {
    Value *first = without_merges(incoming, depth + 1);
    if (only && first != only) return value;
    only = first;
  }
  return only ? only : value;
}

EnclosingInduction::Change EnclosingInduction::change(const Value *value) {
  value = without_merges(const_cast<Value *>(value));
  if (value == number_) return Change::by_constant;
  if (!is_followed(value)) return Change::none;
  auto done = changes_.find(value);
  if (done != changes_.end()) return done->second;
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
  if (most == Change::by_constant && !is_sum && !is_multiple) most = Change::otherwise;
  return changes_[value] = most;
}

Value *EnclosingInduction::next(Value *value, DenseMap<Value *, Value *> &known, IRBuilder<> &builder) const {
  value = without_merges(value);
  if (Value *done = known.lookup(value)) return done;
  if (value == number_) return known[value] = builder.CreateAdd(number_, step(builder));
  if (!is_followed(value)) return value;
  auto *original = cast<Instruction>(value);
  SmallVector<Value *, 4> operands;
  bool changes = false;
  for (Value *operand : original->operands()) {
    operands.push_back(next(operand, known, builder));
    changes |= operands.back() != without_merges(operand);
  }
  if (!changes) return known[value] = value;
  Instruction *copy = original->clone();
  for (auto [index, operand] : enumerate(operands)) copy->setOperand(unsigned(index), operand);
  copy->dropPoisonGeneratingAnnotations();
  return known[value] = builder.Insert(copy);
}

}  // namespace quern
