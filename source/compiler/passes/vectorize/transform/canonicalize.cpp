/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Canonicalization of scalar control flow before vectorization; each step preserves the semantics. */
#include "compiler/passes/vectorize/transform/canonicalize.hpp"

#include <cassert>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/passes/vectorize/item_loop.hpp"

using namespace llvm;

namespace quern {

/* Merges all returns into one. `unreachable` becomes a return as well: control never gets there, so that is correct. */
static void unify_returns(Function &function) {
  BasicBlock *exit = BasicBlock::Create(function.getContext(), "return", &function);
  Type *type = function.getReturnType();
  PHINode *result = type->isVoidTy() ? nullptr : PHINode::Create(type, 2, "result", exit);
  for (BasicBlock &block : function) {
    Instruction *end = block.getTerminator();
    if (!end || (!isa<ReturnInst>(end) && !isa<UnreachableInst>(end))) continue;
    if (result) {
      auto *ret = dyn_cast<ReturnInst>(end);
      result->addIncoming(ret ? ret->getReturnValue() : PoisonValue::get(type), &block);
    }
    end->eraseFromParent();
    IRBuilder<>(&block).CreateBr(exit);
  }
  IRBuilder<> builder(exit);
  if (result) {
    builder.CreateRet(result);
  } else {
    builder.CreateRetVoid();
  }
}

static bool is_irreducible(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  ReversePostOrderTraversal<Function *> order(&function);
  return containsIrreducibleCFG<const BasicBlock *>(order, loops);
}

/* FixIrreducible supports branches, but not switches. In LLVM 22 it also fails for a branch with one edge to a cycle
 * header and one to a different entry of the cycle. There it removes the phi operands of both edges, but only one edge.
 * Critical edges are split first, so that no branch has both edges. */
static void make_reducible(Function &function) {
  SmallVector<SwitchInst *, 4> switches;
  for (BasicBlock &block : function) {
    if (auto *branch = dyn_cast<SwitchInst>(block.getTerminator())) switches.push_back(branch);
  }
  for (SwitchInst *branch : switches) lower_switch(*branch);
  SplitAllCriticalEdges(function);
  PassBuilder builder;
  FunctionAnalysisManager functions;
  builder.registerFunctionAnalyses(functions);
  FixIrreduciblePass().run(function, functions);
}

/* Replaces conditional branches with two equal targets by jumps. */
static void simplify_branches(Function &function) {
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) != branch->getSuccessor(1)) continue;
    BasicBlock *next = branch->getSuccessor(0);
    next->removePredecessor(&block, true);
    branch->eraseFromParent();
    IRBuilder<>(&block).CreateBr(next);
  }
}

bool canonicalize_control_flow(Function &function) {
  unify_returns(function);
  removeUnreachableBlocks(function);
  if (is_irreducible(function)) make_reducible(function);
  simplify_branches(function);
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop *loop : loops) simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isLoopSimplifyForm() || loop->hasNoExitBlocks()) return false;
  }
  for (Loop *loop : loops) formLCSSARecursively(*loop, dominators, &loops, nullptr);
  return true;
}

void lower_switch(SwitchInst &branch) {
  BasicBlock *block = branch.getParent();
  BasicBlock *otherwise = branch.getDefaultDest();
  SmallMapVector<BasicBlock *, Value *, 8> conditions; /* of each target, one or several cases */
  IRBuilder<> builder(&branch);
  for (auto &branch_case : branch.cases()) {
    if (branch_case.getCaseSuccessor() == otherwise) continue;
    Value *is_equal = builder.CreateICmpEQ(branch.getCondition(), branch_case.getCaseValue());
    Value *&condition = conditions[branch_case.getCaseSuccessor()];
    condition = condition ? builder.CreateOr(condition, is_equal) : is_equal;
  }
  auto keep_one_incoming_value = [&](BasicBlock *target, BasicBlock *from) {
    for (PHINode &phi : target->phis()) {
      Value *value = phi.getIncomingValueForBlock(block);
      for (int i; (i = phi.getBasicBlockIndex(block)) >= 0;) phi.removeIncomingValue(unsigned(i), false);
      phi.addIncoming(value, from);
    }
  };
  branch.eraseFromParent();
  BasicBlock *from = block;
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 8> edges; /* target and source */
  for (auto [index, target] : enumerate(conditions)) {
    bool is_last = index + 1 == conditions.size();
    BasicBlock *next =
        is_last ? otherwise : BasicBlock::Create(block->getContext(), "case", block->getParent(), from->getNextNode());
    IRBuilder<>(from).CreateCondBr(target.second, target.first, next);
    edges.emplace_back(target.first, from);
    if (is_last) edges.emplace_back(otherwise, from);
    from = next;
  }
  if (conditions.empty()) {
    IRBuilder<>(block).CreateBr(otherwise);
    edges.emplace_back(otherwise, block);
  }
  for (auto [target, source] : edges) keep_one_incoming_value(target, source);
}

namespace {

/* An exit edge of a loop: the former edge from `from` to `to`, on which `exit_block` is inserted. */
struct ExitEdge {
  BasicBlock *from, *to, *exit_block;
};

/* Moves the exits of one loop to a new latch (make_latch_exit). */
class LatchExitBuilder {
 public:
  LatchExitBuilder(Loop &loop, function_ref<bool(const PHINode &)> varies)
      : function_(*loop.getHeader()->getParent()),
        header_(loop.getHeader()),
        old_latch_(loop.getLoopLatch()),
        varies_(varies) {
    assert(old_latch_ && "the loop must have one latch");
    collect_exit_edges(loop);
    assert(!edges_.empty() && "the loop must have an exit");
    find_common_blocks(loop);
  }

  LatchExit build();

 private:
  void collect_exit_edges(Loop &loop);
  void find_common_blocks(Loop &loop);
  void redirect_edges();
  void hoist_narrow_uses(const ExitEdge &edge);
  void merge_empty_targets();
  void move_next_values();
  PHINode *find_blended_value(const PHINode &exit_phi);
  void add_live_outs();
  BasicBlock *build_dispatch();

  Function &function_;
  BasicBlock *header_, *old_latch_;
  function_ref<bool(const PHINode &)> varies_;
  SmallVector<ExitEdge, 4> edges_;
  SmallSetVector<BasicBlock *, 4> targets_;
  /** The blocks that each work-item runs once in each of its iterations. */
  SmallPtrSet<const BasicBlock *, 8> common_blocks_;
  LatchExit result_ = {};
};

void LatchExitBuilder::collect_exit_edges(Loop &loop) {
  SmallVector<Loop::Edge, 4> exit_edges;
  loop.getExitEdges(exit_edges);
  for (auto [from, to] : exit_edges) {
    bool is_known =
        any_of(edges_, [&, from = from, to = to](const ExitEdge &edge) { return edge.from == from && edge.to == to; });
    if (!is_known) edges_.push_back({from, to, nullptr});
    targets_.insert(to);
  }
}

/* A block that dominates the latch and all exiting blocks, outside of inner loops. */
void LatchExitBuilder::find_common_blocks(Loop &loop) {
  common_blocks_.insert(header_);
  if (loop.getNumBlocks() == 1) return;
  const DominatorTree dominators(function_);
  for (const BasicBlock *block : loop.blocks()) {
    auto precedes = [&](const ExitEdge &edge) { return dominators.dominates(block, edge.from); };
    if (any_of(loop, [&](const Loop *inner) { return inner->contains(block); })) continue;
    if (dominators.dominates(block, old_latch_) && all_of(edges_, precedes)) common_blocks_.insert(block);
  }
}

/* Redirects all exit edges and the back edge to the new latch. */
void LatchExitBuilder::redirect_edges() {
  result_.latch = BasicBlock::Create(function_.getContext(), "latch", &function_);
  Type *boolean = Type::getInt1Ty(function_.getContext());
  result_.live_mask = PHINode::Create(boolean, unsigned(edges_.size()) + 1, "live.mask", result_.latch);
  old_latch_->getTerminator()->replaceSuccessorWith(header_, result_.latch);
  result_.live_mask->addIncoming(ConstantInt::getTrue(boolean), old_latch_);
  for (ExitEdge &edge : edges_) {
    edge.exit_block = BasicBlock::Create(function_.getContext(), "exit.edge", &function_, result_.latch);
    IRBuilder<>(edge.exit_block).CreateBr(result_.latch);
    edge.from->getTerminator()->replaceSuccessorWith(edge.to, edge.exit_block);
    result_.live_mask->addIncoming(ConstantInt::getFalse(boolean), edge.exit_block);
    for (PHINode &phi : edge.to->phis()) {
      phi.setIncomingBlock(unsigned(phi.getBasicBlockIndex(edge.from)), edge.exit_block);
      for (int i; (i = phi.getBasicBlockIndex(edge.from)) >= 0;) phi.removeIncomingValue(unsigned(i), false);
    }
  }
}

/* Whether the result of an instruction is narrower than its operands, or has at most 32 bits after an extension. */
static bool is_narrow(const Instruction &instruction) {
  if (isa<TruncInst>(instruction) || isa<ICmpInst>(instruction)) return true;
  return (isa<ZExtInst>(instruction) || isa<SExtInst>(instruction)) &&
         instruction.getType()->getScalarSizeInBits() <= 32;
}

/* Hoists narrow instructions at the start of an exit target to the exit block. Work-items that have left the loop then
 * keep the narrow result rather than a wide live-out value. Only for targets with one exit edge. */
void LatchExitBuilder::hoist_narrow_uses(const ExitEdge &edge) {
  BasicBlock *target = edge.to;
  if (any_of(edges_, [&](const ExitEdge &other) { return other.to == target && &other != &edge; })) return;
  for (Instruction &instruction : make_early_inc_range(*target)) {
    if (isa<PHINode>(instruction)) continue;
    if (!is_narrow(instruction)) break;
    Instruction *hoisted = instruction.clone();
    bool can_hoist = true;
    for (Use &operand : hoisted->operands()) {
      auto *value = dyn_cast<Instruction>(operand);
      if (!value || value->getParent() != target) continue;
      auto *phi = dyn_cast<PHINode>(value);
      can_hoist &= phi != nullptr;
      if (phi) operand.set(phi->getIncomingValueForBlock(edge.exit_block));
    }
    if (!can_hoist) {
      hoisted->deleteValue();
      break;
    }
    hoisted->insertBefore(edge.exit_block->getTerminator()->getIterator());
    PHINode *phi = PHINode::Create(instruction.getType(), 1, "", target->begin());
    phi->addIncoming(hoisted, edge.exit_block);
    /* A live-out of the body is the phi from now on. */
    phi->setMetadata(live_out_mark, instruction.getMetadata(live_out_mark));
    hoisted->setMetadata(live_out_mark, nullptr);
    instruction.replaceAllUsesWith(phi);
    instruction.eraseFromParent();
  }
  for (PHINode &phi : make_early_inc_range(target->phis())) {
    if (phi.use_empty() && !phi.hasMetadata(live_out_mark)) phi.eraseFromParent();
  }
}

/* The successor of a block that has only phis and a jump; else null. The phis may only be used by phis of the
 * successor. */
static BasicBlock *successor_of_empty(const BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(&*block.getFirstNonPHIIt());
  if (!branch || branch->isConditional()) return nullptr;
  bool has_local_uses = all_of(block.phis(), [&](const PHINode &phi) {
    return !phi.hasMetadata(live_out_mark) && all_of(phi.users(), [&](const User *user) {
      auto *user_phi = dyn_cast<PHINode>(user);
      return user_phi && user_phi->getParent() == branch->getSuccessor(0);
    });
  });
  return has_local_uses ? branch->getSuccessor(0) : nullptr;
}

/* Merges empty exit targets with the same successor into one target. Work-items then need not remember by which of them
 * they exit. */
void LatchExitBuilder::merge_empty_targets() {
  SmallMapVector<BasicBlock *, SmallVector<BasicBlock *, 4>, 4> groups;
  for (BasicBlock *target : targets_) {
    if (BasicBlock *next = pred_empty(target) ? successor_of_empty(*target) : nullptr) groups[next].push_back(target);
  }
  for (auto &[next, group] : groups) {
    if (group.size() < 2) continue;
    BasicBlock *kept = group[0];
    SmallVector<PHINode *, 4> old_phis;
    for (PHINode &phi : kept->phis()) old_phis.push_back(&phi);
    for (PHINode &phi : next->phis()) {
      PHINode *merged = PHINode::Create(phi.getType(), unsigned(edges_.size()), "", kept->begin());
      for (const ExitEdge &edge : edges_) {
        if (!is_contained(group, edge.to)) continue;
        Value *value = phi.getIncomingValueForBlock(edge.to);
        auto *source = dyn_cast<PHINode>(value);
        if (source && source->getParent() == edge.to) value = source->getIncomingValueForBlock(edge.exit_block);
        merged->addIncoming(value, edge.exit_block);
      }
      phi.setIncomingValueForBlock(kept, merged);
    }
    for (PHINode *phi : old_phis) phi->eraseFromParent();
    for (ExitEdge &edge : edges_) {
      if (is_contained(group, edge.to)) edge.to = kept;
    }
    for (BasicBlock *target : drop_begin(group)) {
      next->removePredecessor(target, /*KeepOneInputPHIs=*/true);
      targets_.remove(target);
      target->eraseFromParent();
    }
  }
}

/* Passes the next values of the header's phis through phis of the new latch. */
void LatchExitBuilder::move_next_values() {
  for (PHINode &phi : header_->phis()) {
    PHINode *next = PHINode::Create(phi.getType(), unsigned(edges_.size()) + 1, "next", result_.latch);
    next->addIncoming(phi.getIncomingValueForBlock(old_latch_), old_latch_);
    for (const ExitEdge &edge : edges_) next->addIncoming(PoisonValue::get(phi.getType()), edge.exit_block);
    int index = phi.getBasicBlockIndex(old_latch_);
    phi.setIncomingBlock(unsigned(index), result_.latch);
    phi.setIncomingValue(unsigned(index), next);
  }
}

/* True if `next` adds to the phi in each iteration, like an induction variable. Its shape should stay known, which that
 * of a blended phi is not. */
static bool is_induction(const PHINode &phi, const Value *next) {
  auto *instruction = dyn_cast<Instruction>(next);
  bool is_sum = instruction && (isa<GetElementPtrInst>(instruction) || instruction->getOpcode() == Instruction::Add ||
                                instruction->getOpcode() == Instruction::Sub);
  return is_sum && is_contained(instruction->operands(), &phi);
}

/* A latch phi that serves both as the next value of a header phi and as the live-out value for `exit_phi`; null if
 * there is none. All exit edges must lead to the block of `exit_phi`, and pass the same value as the back edge.
 * Work-items that have exited keep the header phi. The value must be defined in a block that all lanes of an iteration
 * run. */
PHINode *LatchExitBuilder::find_blended_value(const PHINode &exit_phi) {
  Value *value = nullptr;
  for (const ExitEdge &edge : edges_) {
    Value *live_out = edge.to == exit_phi.getParent() ? exit_phi.getIncomingValueForBlock(edge.exit_block) : nullptr;
    if (!live_out || (value && value != live_out)) return nullptr;
    value = live_out;
  }
  auto *definition = dyn_cast_or_null<Instruction>(value);
  if (!definition || !common_blocks_.contains(definition->getParent()) || isa<PHINode>(definition)) return nullptr;
  for (PHINode &phi : header_->phis()) {
    auto *next = dyn_cast<PHINode>(phi.getIncomingValueForBlock(result_.latch));
    if (!next || next->getIncomingValueForBlock(old_latch_) != value) continue;
    if (!varies_(phi) || is_induction(phi, value)) continue;
    for (const ExitEdge &edge : edges_) next->setIncomingValueForBlock(edge.exit_block, value);
    result_.blended_phis.emplace_back(next, &phi);
    return next;
  }
  return nullptr;
}

/* Adds a latch phi for each phi of the exit targets. An exit edge sets the phis of its own target; work-items that
 * exited earlier keep their values. */
void LatchExitBuilder::add_live_outs() {
  for (BasicBlock *target : targets_) {
    for (PHINode &phi : target->phis()) {
      if (PHINode *blended = find_blended_value(phi)) {
        for (const ExitEdge &edge : edges_) phi.removeIncomingValue(edge.exit_block, false);
        phi.addIncoming(blended, nullptr);
        continue;
      }
      PHINode *live_out = PHINode::Create(phi.getType(), unsigned(edges_.size()) + 1, "live.out", result_.latch);
      live_out->addIncoming(PoisonValue::get(phi.getType()), old_latch_);
      for (const ExitEdge &edge : edges_) {
        Value *value = PoisonValue::get(phi.getType());
        if (edge.to == target) {
          value = phi.getIncomingValueForBlock(edge.exit_block);
          phi.removeIncomingValue(edge.exit_block, false);
        }
        live_out->addIncoming(value, edge.exit_block);
      }
      result_.live_outs.push_back(live_out);
      phi.addIncoming(live_out, nullptr); /* build_dispatch sets the block */
    }
  }
}

/* Creates the block after the loop, from which each work-item continues at the target of its exit edge. With several
 * targets, a live-out value is the index of the target. */
BasicBlock *LatchExitBuilder::build_dispatch() {
  BasicBlock *dispatch = BasicBlock::Create(function_.getContext(), "loop.exit", &function_);
  Value *target_index = nullptr;
  Type *index_type = Type::getInt32Ty(function_.getContext());
  if (targets_.size() > 1) {
    PHINode *phi =
        PHINode::Create(index_type, unsigned(edges_.size()) + 1, "exit.index", result_.latch->getFirstNonPHIIt());
    phi->addIncoming(PoisonValue::get(index_type), old_latch_);
    for (const ExitEdge &edge : edges_) {
      auto index = unsigned(find(targets_, edge.to) - targets_.begin());
      phi->addIncoming(ConstantInt::get(index_type, index), edge.exit_block);
    }
    result_.live_outs.push_back(phi);
    target_index = phi;
  }
  BasicBlock *from = dispatch;
  for (auto [index, target] : enumerate(targets_)) {
    bool is_last = index + 1 == targets_.size();
    for (PHINode &phi : target->phis()) phi.setIncomingBlock(phi.getNumIncomingValues() - 1, from);
    if (targets_.size() == 1) IRBuilder<>(from).CreateBr(target);
    if (is_last) break;
    bool next_is_last = index + 2 == targets_.size();
    BasicBlock *next =
        next_is_last ? targets_.back() : BasicBlock::Create(function_.getContext(), "dispatch", &function_);
    IRBuilder<> builder(from);
    builder.CreateCondBr(builder.CreateICmpEQ(target_index, ConstantInt::get(index_type, index)), target, next);
    if (!next_is_last) from = next;
  }
  return dispatch;
}

LatchExit LatchExitBuilder::build() {
  redirect_edges();
  for (const ExitEdge &edge : edges_) hoist_narrow_uses(edge);
  merge_empty_targets();
  move_next_values();
  add_live_outs();
  BasicBlock *dispatch = build_dispatch();
  IRBuilder<>(result_.latch).CreateCondBr(result_.live_mask, header_, dispatch);
  return result_;
}

}  // namespace

LatchExit make_latch_exit(Loop &loop, function_ref<bool(const PHINode &)> varies) {
  return LatchExitBuilder(loop, varies).build();
}

}  // namespace quern
