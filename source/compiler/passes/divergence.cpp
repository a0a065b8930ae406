/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divergence analysis: data flow from the work-item functions and private memory, control flow through joins. */
#include "compiler/passes/divergence.hpp"

#include <llvm/IR/InstIterator.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {

/* Sources. Two work-items that load from one address in one region get one value, or race; what is private, atomic or
 * unknown may differ. */
bool Divergence::starts_divergent(const Instruction &instruction) const {
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

void Divergence::mark(const Instruction *instruction) {
  if (divergent_.insert(instruction).second) work_.push_back(instruction);
}

/* Work-items part at `terminator` and meet again at its post-dominator: phis on the way, and there, may differ. */
void Divergence::propagate_control_divergence(const Instruction &terminator) {
  const BasicBlock *block = terminator.getParent();
  const auto *node = post_dominators_.getNode(block);
  const BasicBlock *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  BlockSet divergent_blocks;
  SmallVector<const BasicBlock *, 16> stack(successors(block));
  while (!stack.empty()) {
    const BasicBlock *reached = stack.pop_back_val();
    if (divergent_blocks.contains(reached)) continue;
    for (const PHINode &phi : reached->phis()) mark(&phi);
    if (reached == join) continue;
    divergent_blocks.insert(reached);
    stack.append(succ_begin(reached), succ_end(reached));
  }
  for (const BasicBlock *reached : divergent_blocks) mark_live_out_values(*reached, divergent_blocks);
  divergent_blocks_.insert(divergent_blocks.begin(), divergent_blocks.end());
}

/* Some work-items run `block` more often than others, or not at all: what they computed in it last differs outside the
 * blocks of which this is so. Loops that work-items leave at different turns are the common case. */
void Divergence::mark_live_out_values(const BasicBlock &block, const BlockSet &divergent_blocks) {
  for (const Instruction &instruction : block) {
    bool components = any_of(instruction.users(), [&](const User *user) {
      auto *used_by = dyn_cast<Instruction>(user);
      return used_by && !divergent_blocks.contains(used_by->getParent());
    });
    if (components) mark(&instruction);
  }
}

Divergence::Divergence(Function &function) : post_dominators_(function) {
  for (const Instruction &instruction : instructions(function)) {
    if (starts_divergent(instruction)) mark(&instruction);
  }
  while (!work_.empty()) {
    const Instruction *instruction = work_.pop_back_val();
    if (instruction->isTerminator()) {
      propagate_control_divergence(*instruction);
      continue;
    }
    for (const User *user : instruction->users()) {
      if (auto *used_by = dyn_cast<Instruction>(user)) mark(used_by);
    }
  }
}

}  // namespace quern
