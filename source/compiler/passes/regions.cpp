/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Partition of a kernel's CFG at its barriers. */
#include "compiler/passes/regions.hpp"

#include <llvm/ADT/PostOrderIterator.h>
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
  add_cut_points_at_joins();
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

/* The cut points that control may come to next from `region_entry` without entering `join` from one of the blocks
 * `entering`. */
BlockSet Regions::next_around(BasicBlock *region_entry, const BlockSet &entering, BasicBlock *join) const {
  BlockSet reached, cut_points;
  SmallVector<BasicBlock *, 16> stack = {region_entry->getSingleSuccessor()};
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (is_cut_point(block)) {
      cut_points.insert(block);
    } else if (reached.insert(block)) {
      for (BasicBlock *next : successors(block)) {
        if (next != join || !entering.contains(block)) stack.push_back(next);
      }
    }
  }
  return cut_points;
}

/* Whether control may come from `join` to the cut point before all others. */
bool Regions::leads_to(BasicBlock *join, BasicBlock *cut_point) const {
  BlockSet reached;
  SmallVector<BasicBlock *, 16> stack(predecessors(cut_point));
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (block == join) return true;
    if (!is_cut_point(block) && reached.insert(block)) stack.append(pred_begin(block), pred_end(block));
  }
  return false;
}

/* As many regions may share a block although a cut point would be legal: it costs more than a few copies. */
static constexpr size_t most_copies = 4;

/* A cut point at `join` is legal when, in each region that can reach it, either all work-items enter it or none: as all
 * of them come to one cut point next, when no cut point is reached both through `join` and around it. It is useful when
 * there are several of these regions, and, where some go around it, many. */
bool Regions::can_cut(const Owners &owners, BasicBlock *join, const BlockSet &entering) const {
  BlockSet region_entries;
  for (BasicBlock *block : entering) {
    const RegionEntries of_block = owners_at_end(owners, block);
    region_entries.insert(of_block.begin(), of_block.end());
  }
  const bool are_many = region_entries.size() > most_copies;
  return region_entries.size() > 1 && all_of(region_entries, [&](BasicBlock *region_entry) {
           const BlockSet around = next_around(region_entry, entering, join);
           return are_many ? none_of(around, [&](BasicBlock *cut_point) { return leads_to(join, cut_point); })
                           : around.empty();
         });
}

BasicBlock *Regions::add_cut_point_before(Instruction &instruction) {
  BasicBlock *cut_point = SplitBlock(instruction.getParent(), instruction.getIterator());
  BasicBlock *first = SplitBlock(cut_point, cut_point->begin());
  first->setName("region.entry");
  cut_point->setName("cut_point");
  region_entries_.insert(cut_point);
  return first;
}

/* The cut point is behind the phis of `join`, or behind those of a new block for its predecessors `entering`. */
BasicBlock *Regions::add_cut_point(BasicBlock *join, const BlockSet &entering) {
  BasicBlock *merge = join;
  if (entering.size() < pred_size(join)) merge = SplitBlockPredecessors(join, entering.getArrayRef(), ".merge");
  return add_cut_point_before(*merge->getFirstNonPHIIt());
}

void Regions::update() {
  next_cut_point_.clear();
  find_next_cut_points();
}

/* Whether the block holds phis and a branch only, as a join before its cut point does. */
static bool only_merges(BasicBlock *block) {
  return block->getFirstNonPHIIt() == block->getTerminator()->getIterator();
}

/* The strongly connected components of the CFG without the edges to cut points, in topological order (Kosaraju's
 * algorithm). A component of several blocks is a loop in which a path comes by no cut point. */
std::vector<BlockSet> Regions::components() const {
  SmallPtrSet<BasicBlock *, 32> seen(region_entries_.begin(), region_entries_.end());
  seen.insert(exit_);
  SmallPtrSet<BasicBlock *, 32> assigned = seen;
  SmallVector<BasicBlock *, 64> finished;
  for (BasicBlock *region_entry : region_entries_) {
    BasicBlock *first = region_entry->getSingleSuccessor();
    if (seen.contains(first)) continue;
    for (BasicBlock *block : post_order_ext(first, seen)) finished.push_back(block);
  }
  std::vector<BlockSet> components;
  for (BasicBlock *block : reverse(finished)) {
    if (assigned.contains(block)) continue;
    BlockSet &component = components.emplace_back();
    SmallVector<BasicBlock *, 16> stack = {block};
    while (!stack.empty()) {
      BasicBlock *member = stack.pop_back_val();
      if (!assigned.insert(member).second) continue;
      component.insert(member);
      stack.append(pred_begin(member), pred_end(member));
    }
  }
  return components;
}

/* The regions that control may be in at the end of the block. */
Regions::RegionEntries Regions::owners_at_end(const Owners &owners, BasicBlock *block) const {
  return is_cut_point(block) ? RegionEntries{block} : owners.lookup(block);
}

/* Predecessors from which control enters the component at `block`. The others are reached from `block` itself: they do
 * not count, since the work-items may go round the loop a different number of times. */
static BlockSet entering_blocks(BasicBlock *block, const BlockSet &component) {
  BlockSet entering;
  for (BasicBlock *predecessor : predecessors(block)) {
    if (!component.contains(predecessor)) entering.insert(predecessor);
  }
  return entering;
}

/* The regions that a component belongs to. Without a cut point inside, each of its blocks belongs to all of them. */
Regions::RegionEntries Regions::owners_of(const Owners &owners, const BlockSet &component) const {
  RegionEntries all;
  for (BasicBlock *block : component) {
    for (BasicBlock *entering : entering_blocks(block, component)) append_range(all, owners_at_end(owners, entering));
  }
  sort(all);
  all.erase(llvm::unique(all), all.end());
  return all;
}

/* Whether a cut point at the block is wanted and legal: it is one of the first common blocks of several regions. */
bool Regions::is_join(const Owners &owners, BasicBlock *block, const BlockSet &entering,
                      const RegionEntries &all) const {
  BasicBlock *next = block->getSingleSuccessor();
  if (all.size() < 2 || (next && is_cut_point(next) && only_merges(block))) return false;
  const bool is_first_common =
      any_of(entering, [&](BasicBlock *predecessor) { return owners_at_end(owners, predecessor) != all; });
  return is_first_common && can_cut(owners, block, entering);
}

/* Regions meet first where control comes first. So one pass in topological order is enough, and what lies behind a new
 * cut point belongs to one region again. */
void Regions::add_cut_points_at_joins() {
  Owners owners;
  for (const BlockSet &component : components()) {
    RegionEntries all = owners_of(owners, component);
    for (BasicBlock *block : component) {
      const BlockSet entering = entering_blocks(block, component);
      if (!is_join(owners, block, entering, all)) continue;
      BasicBlock *first = add_cut_point(block, entering);
      owners[first] = {first->getSinglePredecessor()};
      all = owners_of(owners, component);
    }
    for (BasicBlock *block : component) owners.try_emplace(block, all);
  }
}

}  // namespace quern
