/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cutting a kernel at its barriers. */
#include "compiler/passes/regions.hpp"

#include <llvm/ADT/MapVector.h>
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
  while (add_stops_at_joins()) {
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
  heads_.insert(&entry);
}

void Regions::split_barriers(Function &function) {
  SmallVector<Instruction *, 16> barriers;
  for (Instruction &instruction : instructions(function)) {
    if (is_barrier_call(instruction)) barriers.push_back(&instruction);
  }
  for (Instruction *barrier : barriers) {
    BasicBlock *stop = SplitBlock(barrier->getParent(), barrier->getIterator());
    SplitBlock(stop, std::next(barrier->getIterator()))->setName("landing");
    stop->setName("barrier");
    barrier->eraseFromParent();
    heads_.insert(stop);
  }
}

/* Blocks reached from `from` before a stop, never entering `avoided`. */
BlockSet Regions::reach(BasicBlock *from, BasicBlock *avoided) const {
  BlockSet reached;
  SmallVector<BasicBlock *, 16> stack = {from};
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (block == avoided || is_stop(block) || !reached.insert(block)) continue;
    stack.append(succ_begin(block), succ_end(block));
  }
  return reached;
}

/* True when every way from `head` to the next stop leads through `block`. */
bool Regions::must_pass(BasicBlock *head, BasicBlock *block) const {
  BasicBlock *first = head->getSingleSuccessor();
  if (first == block) return true;
  if (is_stop(first)) return false;
  for (BasicBlock *reached : reach(first, block)) {
    for (BasicBlock *next : successors(reached)) {
      if (is_stop(next)) return false;
    }
  }
  return true;
}

/* Puts a stop where control enters `join` from elsewhere; the turns of a loop around it that hold no barrier do not
 * count, since work-items may take different numbers of them. */
void Regions::add_stop(BasicBlock *join) {
  BlockSet behind;
  for (BasicBlock *next : successors(join)) {
    for (BasicBlock *block : reach(next, nullptr)) behind.insert(block);
  }
  SmallVector<BasicBlock *, 8> outside;
  for (BasicBlock *before : predecessors(join)) {
    if (!behind.contains(before) && before != join && !is_contained(outside, before)) outside.push_back(before);
  }
  BasicBlock *merge = join;
  if (outside.size() < pred_size(join)) merge = SplitBlockPredecessors(join, outside, ".merge");
  BasicBlock *stop = SplitBlock(merge, merge->getFirstNonPHIIt());
  SplitBlock(stop, stop->begin())->setName("landing");
  stop->setName("join");
  heads_.insert(stop);
}

/* What is left of a join before its stop: phis and the jump. */
static bool only_merges(BasicBlock *block) {
  return block->getFirstNonPHIIt() == block->getTerminator()->getIterator();
}

/* One round: finds the blocks where regions first meet and makes stops of them where that is right. */
bool Regions::add_stops_at_joins() {
  MapVector<BasicBlock *, SmallVector<BasicBlock *, 2>> owners;
  for (BasicBlock *head : heads_) {
    for (BasicBlock *block : region(head)) owners[block].push_back(head);
  }
  SmallVector<BasicBlock *, 8> joins;
  for (auto &[block, heads] : owners) {
    BasicBlock *next = block->getSingleSuccessor();
    if (heads.size() < 2 || (next && is_stop(next) && only_merges(block))) continue;
    bool first = any_of(predecessors(block), [&](BasicBlock *before) {
      auto found = owners.find(before);
      return found == owners.end() || found->second != heads;
    });
    if (first && all_of(heads, [&](BasicBlock *head) { return must_pass(head, block); })) joins.push_back(block);
  }
  /* A join behind another of this round may have become needless: one at a time where they share a region. */
  SmallPtrSet<BasicBlock *, 16> touched;
  bool changed = false;
  for (BasicBlock *join : joins) {
    auto &heads = owners[join];
    if (any_of(heads, [&](BasicBlock *head) { return touched.contains(head); })) continue;
    touched.insert(heads.begin(), heads.end());
    add_stop(join);
    changed = true;
  }
  return changed;
}

}  // namespace quern
