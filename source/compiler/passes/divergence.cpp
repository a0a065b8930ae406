/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divergence analysis: data dependence on sources of divergence, sync dependence at joins, temporal divergence. */
#include "compiler/passes/divergence.hpp"

#include <llvm/IR/InstIterator.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {

/* Work-item ids, private memory, atomics and unknown calls are sources. Plain loads are not: two work-items that load
 * from one address in one region get the same value, or the program has a data race. */
bool Divergence::is_source_of_divergence(const Instruction &instruction) {
  if (isa<AllocaInst>(instruction) || isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction)) {
    return true;
  }
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return load->isVolatile() || load->isAtomic();
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call) return false;
  SubGroup sub_group = sub_group_call(call).kind;
  if (sub_group != SubGroup::none) return sub_group != SubGroup::width;
  switch (work_item_call(call)) {
    case WorkItem::global_id:
    case WorkItem::local_id: return true;
    case WorkItem::none: return !call->doesNotAccessMemory();
    default: return false;
  }
}

/* Marks the value as divergent and queues its users. */
void Divergence::mark_divergent(const Instruction *instruction) {
  if (divergent_.insert(instruction).second) worklist_.push_back(instruction);
}

/* Sync dependence: work-items diverge at `terminator` and reconverge at its immediate post-dominator. Phis of the
 * blocks in between, and of the post-dominator, may differ. */
void Divergence::propagate_control_divergence(const Instruction &terminator) {
  const BasicBlock *block = terminator.getParent();
  const auto *node = post_dominators_.getNode(block);
  const BasicBlock *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  DivergentBlocks divergent_blocks;
  SmallVector<const BasicBlock *, 16> stack(successors(block));
  while (!stack.empty()) {
    const BasicBlock *reached = stack.pop_back_val();
    if (divergent_blocks.contains(reached)) continue;
    for (const PHINode &phi : reached->phis()) mark_divergent(&phi);
    if (reached == join) continue;
    divergent_blocks.insert(reached);
    stack.append(succ_begin(reached), succ_end(reached));
  }
  for (const BasicBlock *reached : divergent_blocks) mark_temporal_divergence(*reached, divergent_blocks);
  divergent_blocks_.insert(divergent_blocks.begin(), divergent_blocks.end());
}

/* Temporal divergence: work-items execute `block` a different number of times, or not at all. Its values differ at uses
 * outside of the divergent blocks. The common case is a loop that work-items exit in different iterations. */
void Divergence::mark_temporal_divergence(const BasicBlock &block, const DivergentBlocks &divergent_blocks) {
  for (const Instruction &instruction : block) {
    bool is_used_outside = any_of(instruction.users(), [&](const User *user) {
      auto *user_instruction = dyn_cast<Instruction>(user);
      return user_instruction && !divergent_blocks.contains(user_instruction->getParent());
    });
    if (is_used_outside) mark_divergent(&instruction);
  }
}

Divergence::Divergence(Function &function, const Regions *regions) : post_dominators_(function), regions_(regions) {
  for (const Instruction &instruction : instructions(function)) {
    if (is_source_of_divergence(instruction)) mark_divergent(&instruction);
  }
  while (!worklist_.empty()) {
    const Instruction *instruction = worklist_.pop_back_val();
    if (instruction->isTerminator()) {
      if (regions_ && regions_->decides_cut_point(*instruction->getParent())) continue;
      propagate_control_divergence(*instruction);
      continue;
    }
    for (const User *user : instruction->users()) {
      if (auto *user_instruction = dyn_cast<Instruction>(user)) mark_divergent(user_instruction);
    }
  }
}

}  // namespace quern
