/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Partial linearization: routes between the blocks of the vector code, and guards for empty masks. */
#include "compiler/passes/vectorize/transform/linearize.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/analysis/rare_blocks.hpp"

using namespace llvm;

namespace quern {

/* The least cost of blocks, in instructions, that makes a guard profitable: a test and a branch cost less than the
 * execution of the blocks with an empty mask. */
static constexpr unsigned guard_threshold = 12;

/* The same for a rare block: work-items are rare, but of a vector some lane may be active in one of a hundred. */
static constexpr unsigned rare_guard_threshold = 4;

/* The same for a mask that is empty only in the last iteration of a loop. */
static constexpr unsigned last_iteration_threshold = 48;

/* Cost of a floating-point division or square root, of which a CPU does one in the time of many other operations. */
static constexpr unsigned slow_arithmetic_cost = 10;

/* The least number of live-out values on an exit edge that makes a guard profitable: a test whether any lane exits
 * costs less than the selects of the values. */
static constexpr unsigned min_guarded_live_outs = 2;

/* True if `instruction` must not run with an empty mask. That is a uniform instruction, which runs once and unmasked,
 * if it may trap or access memory, and a store or atomic to a uniform address. */
bool Linearization::needs_active_lane(const Instruction &instruction) const {
  if (instruction.isTerminator() || isa<PHINode>(instruction)) return false;
  if (!analysis_.is_uniform(&instruction)) {
    auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    const Value *address = atomic ? atomic->getPointerOperand() : store ? store->getPointerOperand() : nullptr;
    return address && analysis_.is_uniform(address);
  }
  return !isSafeToSpeculativelyExecute(&instruction);
}

static unsigned instruction_cost(const Instruction &instruction) {
  if (isa<LoadInst>(instruction) || isa<StoreInst>(instruction)) return 3;
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction)) return guard_threshold;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    return intrinsic->getIntrinsicID() == Intrinsic::sqrt ? slow_arithmetic_cost : 2;
  }
  if (isa<CallBase>(instruction)) return guard_threshold;
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return guard_threshold;
    case Instruction::FDiv: return slow_arithmetic_cost;
    case Instruction::GetElementPtr:
    case Instruction::BitCast:
    case Instruction::PHI:
    case Instruction::Br: return 0;
    default: return 1;
  }
}

/* True for a load or store that is contiguous, or nearly so, under a mask. With an empty mask its address may be in a
 * page that is not mapped. A CPU suppresses that fault in microcode, in the time of some hundred instructions. */
bool Linearization::is_wide_access(const Instruction &instruction) const {
  const Value *address = getLoadStorePointerOperand(&instruction);
  return address && analysis_.shape(address).kind == Shape::strided;
}

/* True for a store of less than a word to any address, which all lanes make, inactive ones to scratch memory. */
bool Linearization::is_narrow_scatter(const Instruction &instruction) const {
  auto *store = dyn_cast<StoreInst>(&instruction);
  return store && analysis_.shape(store->getPointerOperand()).kind == Shape::varying &&
         instruction.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType()) < 4;
}

/* True for the block of an exit edge with several live-out values. */
bool Linearization::has_many_live_outs(const BasicBlock &block) const {
  const LatchExit *exit = analysis_.exit_of_block(&block);
  return exit && count_if(exit->live_outs, [&](const PHINode *phi) {
                   return !isa<PoisonValue>(phi->getIncomingValueForBlock(&block));
                 }) >= min_guarded_live_outs;
}

/* Finds the blocks to guard: those that must not run with an empty mask, those with slow accesses, rare ones, and
 * those that dominate code of a high cost. A guard is at the root of the blocks with the same mask. */
void Linearization::find_guards() {
  DenseMap<const BasicBlock *, unsigned> costs; /* of the blocks that a block dominates */
  for (const BasicBlock *block : reverse(analysis_.order())) {
    const BasicBlock *root = analysis_.block(block).root;
    unsigned cost = costs.lookup(block);
    for (const Instruction &instruction : *block) {
      cost += instruction_cost(instruction);
      const bool may_be_slow =
          (is_wide_access(instruction) || is_narrow_scatter(instruction)) && !analysis_.is_continue_block(root);
      if (needs_active_lane(instruction) || may_be_slow) guarded_.insert(root);
    }
    costs[block] = cost;
    unsigned threshold = analysis_.is_continue_block(block) ? last_iteration_threshold
                         : is_rare(*block)                  ? rare_guard_threshold
                                                            : guard_threshold;
    if (cost >= threshold || has_many_live_outs(*block)) guarded_.insert(block);
    const DomTreeNode *idom = analysis_.dominators().getNode(block)->getIDom();
    if (idom) costs[idom->getBlock()] += cost;
    for (const BasicBlock *next : successors(block)) {
      const Loop *loop = analysis_.loops().getLoopFor(next);
      if (loop && loop->getHeader() == next) guarded_.insert(root);
      /* A uniform phi is a scalar in a stack slot. Only blocks with an active lane may store to it. */
      bool sets_uniform = any_of(next->phis(), [&](const PHINode &phi) {
        return analysis_.shape(&phi).kind != Shape::varying && !isa<UndefValue>(phi.getIncomingValueForBlock(block));
      });
      if (sets_uniform && analysis_.block(next).root != root) guarded_.insert(root);
    }
  }
}

/* The first of `target` (if not null) and the deferred blocks in the order. The others remain deferred there. */
BasicBlock *Linearization::choose_next(const BlockRoute &from, BasicBlock *target) {
  SmallSetVector<BasicBlock *, 4> targets = from.deferred;
  if (target) targets.insert(target);
  BasicBlock *next = nullptr;
  for (BasicBlock *block : targets) {
    if (!next || analysis_.block(block).index < analysis_.block(next).index) next = block;
  }
  for (BasicBlock *block : targets) {
    if (block != next) routes_[next].deferred.insert(block);
  }
  routes_[next];
  return next;
}

bool Linearization::has_deferred_in(const Loop &loop, const BlockRoute &route) const {
  return any_of(route.deferred, [&](BasicBlock *block) { return loop.contains(block); });
}

/* Adds an edge of a uniform branch to `route`. False if the edge exits a loop, or goes back to its header, while a
 * block of the loop is deferred. A back edge keeps its target, so all blocks deferred there must be deferred in the
 * header too. */
bool Linearization::route_edge(BasicBlock *block, BasicBlock *target, BlockRoute &route) {
  for (const Loop *loop = analysis_.loops().getLoopFor(block); loop; loop = loop->getParentLoop()) {
    bool is_back_edge = loop->getHeader() == target;
    if ((is_back_edge || !loop->contains(target)) && has_deferred_in(*loop, route)) return false;
    if (!is_back_edge) continue;
    for (BasicBlock *deferred : route.deferred) {
      if (!routes_[target].deferred.contains(deferred)) return false;
    }
    route.next.push_back(target);
    return true;
  }
  route.next.push_back(choose_next(route, target));
  return true;
}

/* Computes the successors of one block, whose deferred blocks are complete. False if a lane would miss a block. */
bool Linearization::route_block(BasicBlock *block) {
  BlockRoute route = routes_[block];
  const Instruction *end = block->getTerminator();
  if (analysis_.block(block).root == block && guarded_.contains(block) && !analysis_.is_divergent_header(block) &&
      !route.deferred.empty()) {
    BlockRoute skipped = route;
    route.skip_to = choose_next(skipped, nullptr);
  }
  bool is_routed = true;
  if (analysis_.divergent_latch(block) || !analysis_.has_divergent_branch(block)) {
    for (BasicBlock *next : successors(block)) is_routed &= route_edge(block, next, route);
  } else {
    for (BasicBlock *next : successors(block)) {
      const Loop *loop = analysis_.loops().getLoopFor(block);
      if (loop && (loop->getHeader() == next || !loop->contains(next))) return false;
    }
    BlockRoute all_targets = route;
    for (BasicBlock *next : successors(block)) all_targets.deferred.insert(next);
    route.next.push_back(choose_next(all_targets, nullptr));
  }
  if (end->getNumSuccessors() == 0 && !route.deferred.empty()) return false;
  routes_[block] = route;
  return is_routed;
}

bool Linearization::run() {
  find_guards();
  return all_of(analysis_.order(), [&](BasicBlock *block) { return route_block(block); });
}

}  // namespace quern
