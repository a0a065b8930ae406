/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cutting a kernel at its barriers. */
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
}

/* All returns jump to one block that does nothing else. A kernel that never returns keeps an unreachable exit. */
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

/* The entry block keeps the allocas, which belong to no region. */
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
  SplitBlock(&entry, first)->setName("start");
  region_entries_.insert(&entry);
}

void Regions::split_barriers(Function &function) {
  SmallVector<Instruction *, 16> barriers;
  for (Instruction &instruction : instructions(function)) {
    if (is_barrier_call(instruction)) barriers.push_back(&instruction);
  }
  for (Instruction *barrier : barriers) {
    BasicBlock *cut_point = SplitBlock(barrier->getParent(), barrier->getIterator());
    SplitBlock(cut_point, std::next(barrier->getIterator()))->setName("landing");
    cut_point->setName("barrier");
    barrier->eraseFromParent();
    region_entries_.insert(cut_point);
  }
}

/* Blocks reached from `from` before a stop. */
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

/* The blocks from which control comes to `join` first: the turns of a loop around it that hold no barrier do not count,
 * since work-items may take different numbers of them. */
BlockSet Regions::entering_blocks(BasicBlock *join) const {
  BlockSet behind, entering;
  for (BasicBlock *next : successors(join)) {
    for (BasicBlock *block : reach(next)) behind.insert(block);
  }
  for (BasicBlock *before : predecessors(join)) {
    if (!behind.contains(before) && before != join) entering.insert(before);
  }
  return entering;
}

/* True when every way from `head` to the next stop comes to `join` from one of `entering`. */
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

/* A stop at `join` is right when the work-items of each region that may come by all do, and worth while when there are
 * several such regions. */
bool Regions::can_cut(const Owners &owners, BasicBlock *join, const BlockSet &entering) const {
  BlockSet region_entries;
  for (BasicBlock *block : entering) {
    if (auto found = owners.find(block); found != owners.end())
      region_entries.insert(found->second.begin(), found->second.end());
  }
  return region_entries.size() > 1 &&
         all_of(region_entries, [&](BasicBlock *region_entry) { return must_enter(region_entry, entering, join); });
}

void Regions::add_cut_point(BasicBlock *join, const BlockSet &entering) {
  BasicBlock *merge = join;
  if (entering.size() < pred_size(join)) merge = SplitBlockPredecessors(join, entering.getArrayRef(), ".merge");
  BasicBlock *cut_point = SplitBlock(merge, merge->getFirstNonPHIIt());
  SplitBlock(cut_point, cut_point->begin())->setName("landing");
  cut_point->setName("join");
  region_entries_.insert(cut_point);
}

/* What is left of a join before its stop: phis and the jump. */
static bool only_merges(BasicBlock *block) {
  return block->getFirstNonPHIIt() == block->getTerminator()->getIterator();
}

/* One round: finds the blocks where regions first meet and makes stops of them where that is right. */
bool Regions::add_cut_points_at_joins() {
  Owners owners;
  for (BasicBlock *region_entry : region_entries_) {
    for (BasicBlock *block : region(region_entry)) owners[block].push_back(region_entry);
  }
  /* A join behind another of this round may have become needless: one at a time where they share a region. */
  SmallPtrSet<BasicBlock *, 16> touched;
  bool changed = false;
  for (auto &owner : owners) { /* not taken apart: C++17 cannot capture the pieces */
    BasicBlock *join = owner.first;
    const auto &region_entries = owner.second;
    BasicBlock *next = join->getSingleSuccessor();
    if (region_entries.size() < 2 || (next && is_cut_point(next) && only_merges(join))) continue;
    if (any_of(region_entries, [&](BasicBlock *region_entry) { return touched.contains(region_entry); })) continue;
    BlockSet entering = entering_blocks(join);
    bool meet = any_of(entering, [&](BasicBlock *before) { return owners.lookup(before) != region_entries; });
    if (!meet || !can_cut(owners, join, entering)) continue;
    touched.insert(region_entries.begin(), region_entries.end());
    add_cut_point(join, entering);
    changed = true;
  }
  return changed;
}

}  // namespace quern
