/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cut points around uniform branches that decide on the next barrier. */
#include "compiler/passes/uniform_branches.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/liveness.hpp"
#include "compiler/passes/values_across_barriers.hpp"

using namespace llvm;

namespace quern {
namespace {

/* The branches of one function. */
class BranchCutter {
 public:
  BranchCutter(Regions &regions, const Divergence &divergence) : regions_(regions), divergence_(divergence) {}

  bool run();

 private:
  bool is_uniform_branch(const BasicBlock &block) const;
  bool is_for_group(const Instruction &instruction) const;
  BlockSet blocks_before(BasicBlock &branching) const;
  Instruction *first_for_group(BasicBlock &branching) const;
  bool is_live_across_cut_point(const Instruction &value) const;
  bool would_be_kept(const Instruction &value, const Instruction &first) const;
  bool would_be_kept(const PHINode &phi) const;
  bool adds_kept_values(const BlockSet &before, const Instruction &first) const;
  bool is_guarded(const BlockSet &region) const;
  void examine(BasicBlock &branching, const BlockSet &region);
  bool leads_to_cut_point(BasicBlock *block) const;
  void cut_behind();

  Regions &regions_;
  const Divergence &divergence_;
  /** The branches that get cut points behind them. */
  SmallSetVector<Instruction *, 8> branches_;
  /** Instructions that get cut points in front of them: the first ones of what is uniform before such a branch. */
  SmallVector<Instruction *, 8> uniform_parts_;
};

bool BranchCutter::is_uniform_branch(const BasicBlock &block) const {
  const Instruction &terminator = *block.getTerminator();
  if (!isa<BranchInst, SwitchInst>(terminator) || terminator.getNumSuccessors() < 2) return false;
  return divergence_.is_executed_uniformly(&block) && regions_.decides_cut_point(block) &&
         divergence_.is_uniform(terminator.getOperand(0));
}

/* Whether the group may execute the instruction once: it is uniform and has no effect, or nothing is left of it once
 * values across cut points are computed again where they are used. */
bool BranchCutter::is_for_group(const Instruction &instruction) const {
  if (instruction.isTerminator())
    return none_of(instruction.operands(), [&](const Use &operand) { return divergence_.is_divergent(operand); });
  if (instruction.mayHaveSideEffects()) return false;
  return divergence_.is_uniform(&instruction) || is_recomputed_across_cut_points(instruction, divergence_);
}

/* The blocks from which control comes to the branch without a cut point in between, and its own. */
BlockSet BranchCutter::blocks_before(BasicBlock &branching) const {
  BlockSet before;
  SmallVector<BasicBlock *, 16> stack = {&branching};
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (regions_.is_cut_point(block) || !before.insert(block)) continue;
    stack.append(pred_begin(block), pred_end(block));
  }
  return before;
}

/* The first instruction of the block behind which all is for the group. Phis stay before it. */
Instruction *BranchCutter::first_for_group(BasicBlock &branching) const {
  BasicBlock::iterator first = branching.getTerminator()->getIterator();
  const BasicBlock::iterator begin = branching.getFirstNonPHIIt();
  while (first != begin && is_for_group(*std::prev(first))) --first;
  return &*first;
}

bool BranchCutter::is_live_across_cut_point(const Instruction &value) const {
  return any_of(live_blocks(value), [&](BasicBlock *block) { return regions_.is_cut_point(block); });
}

/* Whether each work-item would have to keep the value because of cut points in front of `first` and behind its block
 * only. */
bool BranchCutter::would_be_kept(const Instruction &value, const Instruction &first) const {
  if (divergence_.is_uniform(&value) || is_recomputed_across_cut_points(value, divergence_)) return false;
  const BasicBlock *branching = first.getParent();
  const LiveBlocks live = live_blocks(value);
  const bool is_used_behind =
      any_of(successors(branching),
             [&](const BasicBlock *next) { return live.contains(const_cast<BasicBlock *>(next)); }) ||
      any_of(value.uses(), [&](const Use &use) {
        auto *user = cast<Instruction>(use.getUser());
        return block_of(use) == branching && (isa<PHINode>(user) || user == &first || first.comesBefore(user));
      });
  return is_used_behind && !is_live_across_cut_point(value);
}

/* The same for a phi behind the branch. It shares the slot of values that are kept in any case. */
bool BranchCutter::would_be_kept(const PHINode &phi) const {
  if (divergence_.is_uniform(&phi) || is_live_across_cut_point(phi)) return false;
  return any_of(phi.incoming_values(), [&](const Value *incoming) {
    auto *value = dyn_cast<Instruction>(incoming);
    return !value || divergence_.is_uniform(value) || !is_live_across_cut_point(*value);
  });
}

bool BranchCutter::adds_kept_values(const BlockSet &before, const Instruction &first) const {
  auto is_kept = [&](const Instruction &value) { return would_be_kept(value, first); };
  if (any_of(before, [&](const BasicBlock *block) { return any_of(*block, is_kept); })) return true;
  return any_of(successors(first.getParent()), [&](const BasicBlock *next) {
    return any_of(next->phis(), [&](const PHINode &phi) { return would_be_kept(phi); });
  });
}

/* Whether work-items branch in the region, as at a guard on their ids. */
bool BranchCutter::is_guarded(const BlockSet &region) const {
  return any_of(region, [&](const BasicBlock *block) { return !divergence_.is_executed_uniformly(block); });
}

void BranchCutter::examine(BasicBlock &branching, const BlockSet &region) {
  if (branches_.contains(branching.getTerminator()) || !is_uniform_branch(branching)) return;
  const BlockSet before = blocks_before(branching);
  const bool is_group_only = all_of(before, [&](const BasicBlock *block) {
    return all_of(*block, [&](const Instruction &instruction) { return is_for_group(instruction); });
  });
  Instruction *first = first_for_group(branching);
  if ((!is_group_only && !is_guarded(region)) || adds_kept_values(before, *first)) return;
  branches_.insert(branching.getTerminator());
  if (!is_group_only) uniform_parts_.push_back(first);
}

/* Whether nothing but a cut point is at the block. */
bool BranchCutter::leads_to_cut_point(BasicBlock *block) const {
  if (regions_.is_cut_point(block)) return true;
  BasicBlock *next = block->getSingleSuccessor();
  return next && regions_.is_cut_point(next) && block->getFirstNonPHIIt() == block->getTerminator()->getIterator();
}

/* A new cut point divides a block, which may be one of those with a branch: so these are asked for their blocks. */
void BranchCutter::cut_behind() {
  MapVector<BasicBlock *, SmallVector<Instruction *, 2>> branches_to;
  for (Instruction *branch : branches_) {
    for (BasicBlock *next : successors(branch)) {
      if (!leads_to_cut_point(next)) branches_to[next].push_back(branch);
    }
  }
  for (auto &[join, branches] : branches_to) {
    BlockSet entering;
    for (const Instruction *branch : branches) entering.insert(const_cast<BasicBlock *>(branch->getParent()));
    regions_.add_cut_point(join, entering);
  }
}

bool BranchCutter::run() {
  for (BasicBlock *region_entry : regions_.region_entries()) {
    const BlockSet region = regions_.region(region_entry);
    for (BasicBlock *block : region) examine(*block, region);
  }
  if (branches_.empty()) return false;
  cut_behind();
  for (Instruction *first : uniform_parts_) regions_.add_cut_point_before(*first);
  regions_.update();
  return true;
}

}  // namespace

bool cut_at_uniform_branches(Regions &regions, const Divergence &divergence) {
  return BranchCutter(regions, divergence).run();
}

/* An address of an alloca that is not such a slot is one of a work-item's own variable. */
static bool is_for_group(const Instruction &instruction, function_ref<bool(const Value *)> is_uniform_slot) {
  if (Divergence::is_source_of_divergence(instruction)) return false;
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (instruction.mayHaveSideEffects() && !(store && is_uniform_slot(store->getPointerOperand()))) return false;
  return all_of(instruction.operands(),
                [&](const Use &operand) { return !isa<AllocaInst>(operand) || is_uniform_slot(operand); });
}

bool is_group_region(const BlockSet &region, function_ref<bool(const Value *)> is_uniform_slot) {
  return all_of(region, [&](const BasicBlock *block) {
    return all_of(*block, [&](const Instruction &one) { return is_for_group(one, is_uniform_slot); });
  });
}

}  // namespace quern
