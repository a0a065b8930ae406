/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Partition of a kernel's CFG at its barriers. */
#include "compiler/passes/regions.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {

Regions::Regions(Function &function) {
  EliminateUnreachableBlocks(function);
  unify_exits(function);
  split_entry(function);
  split_barriers(function);
  while (add_cut_points_at_joins()) {
  }
  find_next_cut_points();
}

/* All returns branch to one block that holds the return only. A kernel that never returns has an unreachable exit. */
void Regions::unify_exits(Function &function) {
  SmallVector<ReturnInst *, 4> returns;
  for (BasicBlock &block : function) {
    if (auto *exit = dyn_cast<ReturnInst>(block.getTerminator())) returns.push_back(exit);
  }
  exit_ = BasicBlock::Create(function.getContext(), "exit", &function);
  ReturnInst::Create(function.getContext(), exit_);
  for (ReturnInst *exit : returns) {
    IRBuilder<>(exit).CreateBr(exit_);
    exit->eraseFromParent();
  }
}

/* The entry block keeps the static allocas, which belong to no region. */
void Regions::split_entry(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  SmallVector<AllocaInst *, 16> allocas;
  for (Instruction &instruction : entry) {
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction); alloca && isa<Constant>(alloca->getArraySize())) {
      allocas.push_back(alloca);
    }
  }
  for (AllocaInst *alloca : reverse(allocas)) alloca->moveBefore(entry, entry.begin());
  BasicBlock::iterator first = allocas.empty() ? entry.begin() : std::next(allocas.back()->getIterator());
  SplitBlock(&entry, first)->setName("body");
  region_entries_.insert(&entry);
}

/* Replaces each barrier call by a cut point. */
void Regions::split_barriers(Function &function) {
  SmallVector<Instruction *, 16> barriers;
  for (Instruction &instruction : instructions(function)) {
    if (is_barrier_call(instruction)) barriers.push_back(&instruction);
  }
  for (Instruction *barrier : barriers) {
    BasicBlock *cut_point = SplitBlock(barrier->getParent(), barrier->getIterator());
    SplitBlock(cut_point, std::next(barrier->getIterator()))->setName("region.entry");
    cut_point->setName("barrier");
    barrier->eraseFromParent();
    region_entries_.insert(cut_point);
  }
}

/* Blocks reachable from `from` before a cut point. */
BlockSet Regions::reach(BasicBlock *from) const {
  BlockSet reached;
  SmallVector<BasicBlock *, 16> stack = {from};
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (is_cut_point(block) || !reached.insert(block)) continue;
    stack.append(succ_begin(block), succ_end(block));
  }
  return reached;
}

/* Backward data flow from the cut points: a block has no next one, then one, then several. */
void Regions::find_next_cut_points() {
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 32> found;
  auto add_predecessors = [&](BasicBlock *block, BasicBlock *cut_point) {
    for (BasicBlock *predecessor : predecessors(block)) found.emplace_back(predecessor, cut_point);
  };
  for (BasicBlock *region_entry : region_entries_) add_predecessors(region_entry, region_entry);
  add_predecessors(exit_, exit_);
  while (!found.empty()) {
    auto [block, cut_point] = found.pop_back_val();
    auto [entry, is_first] = next_cut_point_.try_emplace(block, cut_point);
    if (!is_first && (!entry->second || entry->second == cut_point)) continue;
    if (!is_first) entry->second = cut_point = nullptr;
    if (!is_cut_point(block)) add_predecessors(block, cut_point);
  }
}

/* A successor that leads to no cut point decides nothing: work-items that never end, or whose behaviour
 * is undefined. */
bool Regions::decides_cut_point(const BasicBlock &block) const {
  SmallPtrSet<const BasicBlock *, 4> all;
  return all_of(successors(&block), [&](const BasicBlock *next) {
    const BasicBlock *cut_point = is_cut_point(const_cast<BasicBlock *>(next)) ? next : next_cut_point_.lookup(next);
    return cut_point && all.insert(cut_point).second;
  });
}

/* Predecessors from which control first enters `join`. Back edges of a loop without barriers do not count, since the
 * work-items may have different trip counts. */
BlockSet Regions::entering_blocks(BasicBlock *join) const {
  BlockSet after_join, entering;
  for (BasicBlock *next : successors(join)) {
    for (BasicBlock *block : reach(next)) after_join.insert(block);
  }
  for (BasicBlock *predecessor : predecessors(join)) {
    if (!after_join.contains(predecessor) && predecessor != join) entering.insert(predecessor);
  }
  return entering;
}

/* Whether every path from `region_entry` to the next cut point enters `join` from one of the blocks `entering`. */
bool Regions::must_enter(BasicBlock *region_entry, const BlockSet &entering, BasicBlock *join) const {
  BlockSet reached;
  SmallVector<BasicBlock *, 16> stack = {region_entry->getSingleSuccessor()};
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (is_cut_point(block)) return false;
    if (!reached.insert(block)) continue;
    for (BasicBlock *next : successors(block)) {
      if (next != join || !entering.contains(block)) stack.push_back(next);
    }
  }
  return true;
}

/* A cut point at `join` is legal when, in each region that can reach it, all work-items must enter it. It is useful
 * when there are several of these regions. */
bool Regions::can_cut(const Owners &owners, BasicBlock *join, const BlockSet &entering) const {
  BlockSet region_entries;
  for (BasicBlock *block : entering) {
    if (auto found = owners.find(block); found != owners.end())
      region_entries.insert(found->second.begin(), found->second.end());
  }
  return region_entries.size() > 1 &&
         all_of(region_entries, [&](BasicBlock *region_entry) { return must_enter(region_entry, entering, join); });
}

/* Adds a cut point after the phis of `join`, or after those of a new block for its predecessors `entering`. */
void Regions::add_cut_point(BasicBlock *join, const BlockSet &entering) {
  BasicBlock *merge = join;
  if (entering.size() < pred_size(join)) merge = SplitBlockPredecessors(join, entering.getArrayRef(), ".merge");
  BasicBlock *cut_point = SplitBlock(merge, merge->getFirstNonPHIIt());
  SplitBlock(cut_point, cut_point->begin())->setName("region.entry");
  cut_point->setName("cut_point");
  region_entries_.insert(cut_point);
}

/* Whether the block holds phis and a branch only, as a join before its cut point does. */
static bool only_merges(BasicBlock *block) {
  return block->getFirstNonPHIIt() == block->getTerminator()->getIterator();
}

/* One round: finds the first common blocks of regions and adds cut points where legal. Returns whether it added any. */
bool Regions::add_cut_points_at_joins() {
  Owners owners;
  for (BasicBlock *region_entry : region_entries_) {
    for (BasicBlock *block : region(region_entry)) owners[block].push_back(region_entry);
  }
  /* A cut point may make one at a later join of the same regions needless: one per round for regions that overlap. */
  SmallPtrSet<BasicBlock *, 16> changed_regions;
  bool changed = false;
  for (auto &owner : owners) { /* C++17 cannot capture structured bindings */
    BasicBlock *join = owner.first;
    const auto &region_entries = owner.second;
    BasicBlock *next = join->getSingleSuccessor();
    if (region_entries.size() < 2 || (next && is_cut_point(next) && only_merges(join))) continue;
    if (any_of(region_entries, [&](BasicBlock *region_entry) { return changed_regions.contains(region_entry); }))
      continue;
    BlockSet entering = entering_blocks(join);
    bool is_first_common =
        any_of(entering, [&](BasicBlock *predecessor) { return owners.lookup(predecessor) != region_entries; });
    if (!is_first_common || !can_cut(owners, join, entering)) continue;
    changed_regions.insert(region_entries.begin(), region_entries.end());
    add_cut_point(join, entering);
    changed = true;
  }
  return changed;
}

}  // namespace quern
