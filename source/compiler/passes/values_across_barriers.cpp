/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What lives across a barrier is found by walking back from each use to the definition; a stop on the way means that
 * the value crosses it. */
#include "compiler/passes/values_across_barriers.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/liveness.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {
namespace {

/* A value computed again costs at most this many instructions. */
constexpr unsigned recompute_limit = 8;

/* Pairs of values that are looked at before these share a slot. */
constexpr unsigned most_compared = 16;

/* Groups of values, each its own at first. LLVM's class for this has an allocator whose code would be made here too:
 * AddressSanitizer takes what one copy of it does for an error of the other. */
class SlotCoalescing {
 public:
  ArrayRef<const Instruction *> members(const Instruction *value) { return groups_[number(value)]; }
  bool together(const Instruction *one, const Instruction *other) { return number(one) == number(other); }
  void unite(const Instruction *one, const Instruction *other);
  /** The same for all members. */
  unsigned number(const Instruction *value);

 private:
  DenseMap<const Instruction *, unsigned> numbers_;
  SmallVector<SmallVector<const Instruction *, 2>, 8> groups_;
};

unsigned SlotCoalescing::number(const Instruction *value) {
  auto [entry, is_new] = numbers_.try_emplace(value, unsigned(groups_.size()));
  if (is_new) groups_.push_back({value});
  return entry->second;
}

void SlotCoalescing::unite(const Instruction *one, const Instruction *other) {
  const unsigned into = number(one), from = number(other);
  for (const Instruction *member : groups_[from]) {
    numbers_[member] = into;
    groups_[into].push_back(member);
  }
  groups_[from].clear();
}

class AcrossBarriers {
 public:
  AcrossBarriers(Function &function, const Regions &regions, const Divergence &divergence)
      : function_(function), regions_(regions), divergence_(divergence) {}

  VariablesAcrossBarriers run();

 private:
  LiveBlocks blocks_after_cut_points(const Instruction &value, const LiveBlocks &live) const;
  bool can_recompute(const Value *value, unsigned &budget) const;
  bool can_compute(const Instruction &instruction) const;
  bool can_prefetch(const Value *value) const;
  Value *recompute(Value *value, Instruction *before);
  bool crosses(const LiveBlocks &live) const;
  bool is_kept_per_item(const Instruction &value) const;
  bool can_coalesce(const Instruction &value, const Instruction &other);
  void coalesce_slots(PHINode &phi);
  AllocaInst *make_slot(Instruction &value);
  void move_across(Instruction &value);
  bool stays_in_region(const AllocaInst &alloca) const;
  bool runs_once(BasicBlock *region_entry) const;

  Function &function_;
  const Regions &regions_;
  const Divergence &divergence_;
  VariablesAcrossBarriers blended_;
  /** What the kernel computed before anything was moved: of what is new, divergence is not known. */
  DenseSet<const Value *> originals_;
  /** Values for which one slot does. */
  SlotCoalescing coalescing_;
  /** Of values that have been stored, and of groups that share. */
  DenseMap<const Value *, AllocaInst *> slots_;
  DenseMap<unsigned, AllocaInst *> shared_;
};

/* Of the blocks where the value is alive, those that can be reached from a stop without coming by the definition: there
 * the value must be fetched. */
LiveBlocks AcrossBarriers::blocks_after_cut_points(const Instruction &value, const LiveBlocks &live) const {
  LiveBlocks behind;
  SmallVector<BasicBlock *, 16> stack;
  for (BasicBlock *block : live) {
    if (regions_.is_cut_point(block)) stack.push_back(block);
  }
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (!behind.insert(block).second) continue;
    for (BasicBlock *next : successors(block)) {
      if (next != value.getParent() && live.contains(next)) stack.push_back(next);
    }
  }
  return behind;
}

bool AcrossBarriers::can_compute(const Instruction &instruction) const {
  bool pure = isa<BinaryOperator>(instruction) || isa<CastInst>(instruction) || isa<GetElementPtrInst>(instruction) ||
              isa<CmpInst>(instruction) || isa<SelectInst>(instruction) || isa<FreezeInst>(instruction) ||
              work_item_call(&instruction) != WorkItem::none ||
              is_place_in_sub_group(sub_group_call(&instruction).kind);
  if (!pure || instruction.mayHaveSideEffects()) return false;
  unsigned opcode = instruction.getOpcode();
  return opcode != Instruction::UDiv && opcode != Instruction::SDiv && opcode != Instruction::URem &&
         opcode != Instruction::SRem && opcode != Instruction::FDiv && opcode != Instruction::FRem &&
         opcode != Instruction::Freeze;
}

/* True for what is the same for all work-items, wherever they are when it is asked for: kept once, it costs less than
 * what is made from it for each of them. */
bool AcrossBarriers::can_prefetch(const Value *value) const {
  return originals_.contains(value) && divergence_.is_uniform(value) &&
         divergence_.is_run_by_all(cast<Instruction>(value)->getParent());
}

bool AcrossBarriers::can_recompute(const Value *value, unsigned &budget) const {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || isa<AllocaInst>(value)) return true;
  if (budget == 0) return false;
  budget--;
  if (!can_compute(*instruction)) return false;
  bool is_divergent = originals_.contains(value) && divergence_.is_divergent(value);
  return all_of(instruction->operands(), [&](const Use &operand) {
    return (is_divergent && can_prefetch(operand)) || can_recompute(operand, budget);
  });
}

/* Uniform operands of what differs are kept rather than computed again when that takes more than a few instructions. */
Value *AcrossBarriers::recompute(Value *value, Instruction *before) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || isa<AllocaInst>(instruction)) return value;
  if (can_prefetch(instruction)) {
    unsigned budget = recompute_limit;
    if (!can_recompute(instruction, budget)) {
      return new LoadInst(value->getType(), make_slot(*instruction), "kept", before->getIterator());
    }
  }
  Instruction *copy = instruction->clone();
  for (Use &operand : copy->operands()) {
    if (isa<Instruction>(operand.get())) operand.set(recompute(operand.get(), before));
  }
  copy->insertBefore(before->getIterator());
  return copy;
}

bool AcrossBarriers::crosses(const LiveBlocks &live) const {
  return any_of(live, [&](BasicBlock *block) { return regions_.is_cut_point(block); });
}

bool AcrossBarriers::is_kept_per_item(const Instruction &value) const {
  unsigned budget = recompute_limit;
  return divergence_.is_divergent(&value) && !can_recompute(&value, budget) && crosses(live_blocks(value));
}

/* Whether none of the values that share a slot with either is asked for any more when one of the other's is made. */
bool AcrossBarriers::can_coalesce(const Instruction &value, const Instruction &other) {
  unsigned pairs = 0;
  coalescing_.number(&other); /* from here on the groups stay where they are */
  for (const Instruction *one : coalescing_.members(&value)) {
    const LiveBlocks live = live_blocks(*one);
    for (const Instruction *two : coalescing_.members(&other)) {
      if (pairs++ == most_compared || is_alive_behind(*one, live, *two)) return false;
      if (is_alive_behind(*two, live_blocks(*two), *one)) return false;
    }
  }
  return true;
}

/* What a loop around barriers carries from turn to turn, like a sum, is not copied from the slot of one turn's value to
 * that of the next one's. */
void AcrossBarriers::coalesce_slots(PHINode &phi) {
  if (!is_kept_per_item(phi)) return;
  for (Value *incoming : phi.incoming_values()) {
    auto *value = dyn_cast<Instruction>(incoming);
    if (!value || !is_kept_per_item(*value)) continue;
    if (!coalescing_.together(&phi, value) && can_coalesce(phi, *value)) coalescing_.unite(&phi, value);
  }
}

/* A private variable that holds the value from its definition on. */
AllocaInst *AcrossBarriers::make_slot(Instruction &value) {
  AllocaInst *&slot = slots_[&value];
  if (slot) return slot;
  BasicBlock &entry = function_.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *&shared = shared_[coalescing_.number(&value)];
  if (!shared) {
    shared = builder.CreateAlloca(value.getType(), nullptr, "slot");
    (divergence_.is_divergent(&value) ? blended_.per_item : blended_.uniform).push_back(shared);
  }
  slot = shared;
  if (isa<PHINode>(value)) {
    builder.SetInsertPoint(value.getParent(), value.getParent()->getFirstInsertionPt());
  } else {
    builder.SetInsertPoint(value.getNextNode());
  }
  builder.CreateStore(&value, slot);
  return slot;
}

void AcrossBarriers::move_across(Instruction &value) {
  LiveBlocks live = live_blocks(value);
  if (!crosses(live)) return;
  LiveBlocks behind = blocks_after_cut_points(value, live);
  SmallVector<Use *, 16> uses;
  for (Use &use : value.uses()) {
    if (behind.contains(block_of(use))) uses.push_back(&use);
  }
  unsigned budget = recompute_limit;
  AllocaInst *slot = can_recompute(&value, budget) ? nullptr : make_slot(value);
  /* One fetch per block; several uses by one phi must agree for one incoming block. */
  DenseMap<BasicBlock *, Value *> fetched;
  for (Use *use : uses) {
    auto *phi = dyn_cast<PHINode>(use->getUser());
    BasicBlock *block = block_of(*use);
    if (phi) {
      Value *&at_end = fetched[block];
      if (!at_end) {
        Instruction *end = block->getTerminator();
        at_end = slot ? new LoadInst(value.getType(), slot, "kept", end->getIterator()) : recompute(&value, end);
      }
      use->set(at_end);
    } else {
      auto *user = cast<Instruction>(use->getUser());
      use->set(slot ? new LoadInst(value.getType(), slot, "kept", user->getIterator()) : recompute(&value, user));
    }
  }
}

/* True when the region behind `head` cannot run twice. */
bool AcrossBarriers::runs_once(BasicBlock *region_entry) const {
  SmallVector<BasicBlock *, 16> stack(successors(region_entry));
  SmallPtrSet<BasicBlock *, 16> seen;
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (block == region_entry) return false;
    if (seen.insert(block).second) stack.append(succ_begin(block), succ_end(block));
  }
  return true;
}

/* What a use does with the address of a variable. */
enum class AddressUse { access, derived, escapes };

AddressUse address_use(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (isa<GetElementPtrInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user)) return AddressUse::derived;
  if (isa<BitCastInst>(user) || isa<AddrSpaceCastInst>(user)) return AddressUse::derived;
  if (isa<LoadInst>(user) || isa<ICmpInst>(user) || isa<MemIntrinsic>(user)) return AddressUse::access;
  if (user->isLifetimeStartOrEnd()) return AddressUse::access;
  bool is_pointer = isa<StoreInst>(user) && use.getOperandNo() == StoreInst::getPointerOperandIndex();
  return is_pointer ? AddressUse::access : AddressUse::escapes;
}

/* Blocks that touch the variable, through pointers derived from it too; false when its address gets away. */
bool collect_users(const AllocaInst &alloca, DenseSet<const BasicBlock *> &blocks) {
  SmallVector<const Value *, 16> stack = {&alloca};
  SmallPtrSet<const Value *, 16> seen;
  while (!stack.empty()) {
    const Value *pointer = stack.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (const Use &use : pointer->uses()) {
      blocks.insert(block_of(use));
      blocks.insert(cast<Instruction>(use.getUser())->getParent());
      AddressUse kind = address_use(use);
      if (kind == AddressUse::escapes) return false;
      if (kind == AddressUse::derived) stack.push_back(use.getUser());
    }
  }
  return true;
}

/* A private variable can be shared by all work-items, one after the other, when one region has all its uses and runs
 * once. */
bool AcrossBarriers::stays_in_region(const AllocaInst &alloca) const {
  DenseSet<const BasicBlock *> users;
  if (!collect_users(alloca, users)) return !regions_.has_barriers();
  BasicBlock *home = nullptr;
  for (BasicBlock *region_entry : regions_.region_entries()) {
    BlockSet region = regions_.region(region_entry);
    if (none_of(region, [&](BasicBlock *block) { return users.contains(block); })) continue;
    if (home) return false;
    home = region_entry;
  }
  return !home || runs_once(home);
}

VariablesAcrossBarriers AcrossBarriers::run() {
  SmallVector<AllocaInst *, 16> variables;
  SmallVector<Instruction *, 64> values;
  for (Instruction &instruction : instructions(function_)) {
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
      variables.push_back(alloca);
    } else if (!instruction.use_empty()) {
      values.push_back(&instruction);
    }
  }
  originals_.insert(values.begin(), values.end());
  for (Instruction *value : values) {
    if (auto *phi = dyn_cast<PHINode>(value)) coalesce_slots(*phi);
  }
  for (Instruction *value : values) move_across(*value);
  for (AllocaInst *variable : variables) {
    if (!stays_in_region(*variable)) blended_.per_item.push_back(variable);
  }
  return blended_;
}

}  // namespace

VariablesAcrossBarriers keep_values_across_barriers(Function &function, const Regions &regions,
                                                    const Divergence &divergence) {
  return AcrossBarriers(function, regions, divergence).run();
}

}  // namespace quern
