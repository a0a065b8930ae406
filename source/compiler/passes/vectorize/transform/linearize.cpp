/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Laying out the blocks of the vector form. */
#include "compiler/passes/vectorize/transform/linearize.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace quern {

/* Instructions from which on a test and a jump cost less than running them for nothing. */
static constexpr unsigned guard_threshold = 12;

/* The same where the test succeeds in the last turn of a loop only. */
static constexpr unsigned last_iteration_threshold = 48;

/* A division or a root of floats, of which a CPU does one in the time of many other operations. */
static constexpr unsigned slow_arithmetic = 10;

/* Values that a lane takes out of a loop from which on a test whether any does costs less than to select them. */
static constexpr unsigned few_values = 2;

/* True when the scalar form of `instruction` must not run unless some lane does: what is uniform is done once, and may
 * trap or touch memory. */
bool Linearization::needs_lane(const Instruction &instruction) const {
  if (instruction.isTerminator() || isa<PHINode>(instruction)) return false;
  if (!analysis_.is_uniform(&instruction)) {
    auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    const Value *address = atomic ? atomic->getPointerOperand() : store ? store->getPointerOperand() : nullptr;
    return address && analysis_.is_uniform(address);
  }
  return !isSafeToSpeculativelyExecute(&instruction);
}

static unsigned cost_of(const Instruction &instruction) {
  if (isa<LoadInst>(instruction) || isa<StoreInst>(instruction)) return 3;
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction)) return guard_threshold;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    return intrinsic->getIntrinsicID() == Intrinsic::sqrt ? slow_arithmetic : 2;
  }
  if (isa<CallBase>(instruction)) return guard_threshold;
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return guard_threshold;
    case Instruction::FDiv: return slow_arithmetic;
    case Instruction::GetElementPtr:
    case Instruction::BitCast:
    case Instruction::PHI:
    case Instruction::Br: return 0;
    default: return 1;
  }
}

/* True for a way out of a loop on which a lane takes several values along. */
bool Linearization::takes_much(const BasicBlock &block) const {
  const LatchExit *exit = analysis_.exit_edge(&block);
  return exit && count_if(exit->live_out, [&](const PHINode *phi) {
                   return !isa<PoisonValue>(phi->getIncomingValueForBlock(&block));
                 }) >= few_values;
}

void Linearization::find_guards() {
  DenseMap<const BasicBlock *, unsigned> cost;
  for (const BasicBlock *block : reverse(analysis_.order())) {
    const BasicBlock *root = analysis_.block(block).root;
    unsigned sum = cost.lookup(block);
    for (const Instruction &instruction : *block) {
      sum += cost_of(instruction);
      if (needs_lane(instruction)) guarded_.insert(root);
    }
    cost[block] = sum;
    unsigned threshold = analysis_.is_continue_block(block) ? last_iteration_threshold : guard_threshold;
    if (sum >= threshold || takes_much(*block)) guarded_.insert(block);
    const DomTreeNode *above = analysis_.dominators().getNode(block)->getIDom();
    if (above) cost[above->getBlock()] += sum;
    for (const BasicBlock *next : successors(block)) {
      const Loop *loop = analysis_.loops().getLoopFor(next);
      if (loop && loop->getHeader() == next) guarded_.insert(root);
      /* What is uniform passes through a slot, which only a block that lanes run may set. */
      bool sets_uniform = any_of(next->phis(), [&](const PHINode &phi) {
        return analysis_.shape(&phi).kind != Shape::varying && !isa<UndefValue>(phi.getIncomingValueForBlock(block));
      });
      if (sets_uniform && analysis_.block(next).root != root) guarded_.insert(root);
    }
  }
}

BasicBlock *Linearization::send(const BlockRoute &from, BasicBlock *target) {
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

bool Linearization::route_edge(BasicBlock *block, BasicBlock *target, BlockRoute &route) {
  for (const Loop *loop = analysis_.loops().getLoopFor(block); loop; loop = loop->getParentLoop()) {
    bool is_back_edge = loop->getHeader() == target;
    if ((is_back_edge || !loop->contains(target)) && has_deferred_in(*loop, route)) return false;
    if (!is_back_edge) continue;
    for (BasicBlock *waiting : route.deferred) {
      if (!routes_[target].deferred.contains(waiting)) return false;
    }
    route.next.push_back(target);
    return true;
  }
  route.next.push_back(send(route, target));
  return true;
}

bool Linearization::route_block(BasicBlock *block) {
  BlockRoute route = routes_[block];
  const Instruction *end = block->getTerminator();
  if (analysis_.block(block).root == block && guarded_.contains(block) && !analysis_.is_divergent_header(block) &&
      !route.deferred.empty()) {
    BlockRoute skipped = route;
    route.skip_to = send(skipped, nullptr);
  }
  bool routed = true;
  if (analysis_.divergent_latch(block) || !analysis_.has_divergent_branch(block)) {
    for (BasicBlock *next : successors(block)) routed &= route_edge(block, next, route);
  } else {
    for (BasicBlock *next : successors(block)) {
      const Loop *loop = analysis_.loops().getLoopFor(block);
      if (loop && (loop->getHeader() == next || !loop->contains(next))) return false;
    }
    BlockRoute both = route;
    for (BasicBlock *next : successors(block)) both.deferred.insert(next);
    route.next.push_back(send(both, nullptr));
  }
  if (end->getNumSuccessors() == 0 && !route.deferred.empty()) return false;
  routes_[block] = route;
  return routed;
}

bool Linearization::run() {
  find_guards();
  return all_of(analysis_.order(), [&](BasicBlock *block) { return route_block(block); });
}

}  // namespace quern
