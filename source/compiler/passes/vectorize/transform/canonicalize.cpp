/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reshaping control flow before it is vectorized; each step keeps the meaning of the scalar code. */
#include "compiler/passes/vectorize/transform/canonicalize.hpp"

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

/* A block that ends in `unreachable` is never run to its end; that it returns is as good as anything. */
static void unify_returns(Function &function) {
  BasicBlock *exit = BasicBlock::Create(function.getContext(), "end", &function);
  Type *type = function.getReturnType();
  PHINode *result = type->isVoidTy() ? nullptr : PHINode::Create(type, 2, "result", exit);
  for (BasicBlock &block : function) {
    Instruction *end = block.getTerminator();
    if (!end || (!isa<ReturnInst>(end) && !isa<UnreachableInst>(end))) continue;
    if (result) {
      auto *given = dyn_cast<ReturnInst>(end);
      result->addIncoming(given ? given->getReturnValue() : PoisonValue::get(type), &block);
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

/* LLVM's pass knows branches only. Where one of a branch's edges goes to a cycle's header and the other one to another
 * of its entries, LLVM 22 takes both values from the phis there, but one edge: no block may have both. */
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

/* Branches both ways to one block, and on undefined conditions, are plain jumps. */
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

bool make_canonical(Function &function) {
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
  SmallMapVector<BasicBlock *, Value *, 8> chosen; /* by one or several values */
  IRBuilder<> builder(&branch);
  for (auto &one : branch.cases()) {
    if (one.getCaseSuccessor() == otherwise) continue;
    Value *hit = builder.CreateICmpEQ(branch.getCondition(), one.getCaseValue());
    Value *&condition = chosen[one.getCaseSuccessor()];
    condition = condition ? builder.CreateOr(condition, hit) : hit;
  }
  auto keep_one_entry = [&](BasicBlock *target, BasicBlock *from) {
    for (PHINode &phi : target->phis()) {
      Value *value = phi.getIncomingValueForBlock(block);
      for (int i; (i = phi.getBasicBlockIndex(block)) >= 0;) phi.removeIncomingValue(unsigned(i), false);
      phi.addIncoming(value, from);
    }
  };
  branch.eraseFromParent();
  BasicBlock *from = block;
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 8> entries;
  for (auto [index, target] : enumerate(chosen)) {
    bool last = index + 1 == chosen.size();
    BasicBlock *next =
        last ? otherwise : BasicBlock::Create(block->getContext(), "case", block->getParent(), from->getNextNode());
    IRBuilder<>(from).CreateCondBr(target.second, target.first, next);
    entries.emplace_back(target.first, from);
    if (last) entries.emplace_back(otherwise, from);
    from = next;
  }
  if (chosen.empty()) {
    IRBuilder<>(block).CreateBr(otherwise);
    entries.emplace_back(otherwise, block);
  }
  for (auto [target, source] : entries) keep_one_entry(target, source);
}

namespace {

/* One way out of a loop: the edge from `from` to `to` goes through `leaving` now. */
struct ExitEdge {
  BasicBlock *from, *to, *exit_block;
};

class LatchExitBuilder {
 public:
  LatchExitBuilder(Loop &loop, function_ref<bool(const PHINode &)> varies)
      : function_(*loop.getHeader()->getParent()),
        header_(loop.getHeader()),
        old_latch_(loop.getLoopLatch()),
        varies_(varies) {
    collect(loop);
  }

  LatchExit build();

 private:
  void collect(Loop &loop);
  void divert();
  void narrow_values(const ExitEdge &edge);
  void merge_targets();
  void move_header_values();
  PHINode *find_blended_value(const PHINode &outside);
  void add_live_outs();
  BasicBlock *dispatch();

  Function &function_;
  BasicBlock *header_, *old_latch_;
  function_ref<bool(const PHINode &)> varies_;
  SmallVector<ExitEdge, 4> edges_;
  SmallSetVector<BasicBlock *, 4> targets_;
  LatchExit out_ = {};
};

void LatchExitBuilder::collect(Loop &loop) {
  SmallVector<Loop::Edge, 4> exit_edges;
  loop.getExitEdges(exit_edges);
  for (auto [from, to] : exit_edges) {
    bool known =
        any_of(edges_, [&, from = from, to = to](const ExitEdge &edge) { return edge.from == from && edge.to == to; });
    if (!known) edges_.push_back({from, to, nullptr});
    targets_.insert(to);
  }
}

/* All ways out, and the way back to the header, go to the new latch. */
void LatchExitBuilder::divert() {
  out_.latch = BasicBlock::Create(function_.getContext(), "turn.end", &function_);
  Type *boolean = Type::getInt1Ty(function_.getContext());
  out_.live_mask = PHINode::Create(boolean, unsigned(edges_.size()) + 1, "stay", out_.latch);
  old_latch_->getTerminator()->replaceSuccessorWith(header_, out_.latch);
  out_.live_mask->addIncoming(ConstantInt::getTrue(boolean), old_latch_);
  for (ExitEdge &edge : edges_) {
    edge.exit_block = BasicBlock::Create(function_.getContext(), "leave", &function_, out_.latch);
    IRBuilder<>(edge.exit_block).CreateBr(out_.latch);
    edge.from->getTerminator()->replaceSuccessorWith(edge.to, edge.exit_block);
    out_.live_mask->addIncoming(ConstantInt::getFalse(boolean), edge.exit_block);
    for (PHINode &phi : edge.to->phis()) {
      phi.setIncomingBlock(unsigned(phi.getBasicBlockIndex(edge.from)), edge.exit_block);
      for (int i; (i = phi.getBasicBlockIndex(edge.from)) >= 0;) phi.removeIncomingValue(unsigned(i), false);
    }
  }
}

/* Whether `made` takes less room than what it is made of, or little. */
static bool is_narrow(const Instruction &made) {
  if (isa<TruncInst>(made) || isa<ICmpInst>(made)) return true;
  return (isa<ZExtInst>(made) || isa<SExtInst>(made)) && made.getType()->getScalarSizeInBits() <= 32;
}

/* What is made of a value right behind the loop, and is narrow, is made on the way out: work-items that are done keep
 * that. */
void LatchExitBuilder::narrow_values(const ExitEdge &edge) {
  BasicBlock *target = edge.to;
  if (any_of(edges_, [&](const ExitEdge &other) { return other.to == target && &other != &edge; })) return;
  for (Instruction &made : make_early_inc_range(*target)) {
    if (isa<PHINode>(made)) continue;
    if (!is_narrow(made)) break;
    Instruction *moved = made.clone();
    bool can_move = true;
    for (Use &operand : moved->operands()) {
      auto *value = dyn_cast<Instruction>(operand);
      if (!value || value->getParent() != target) continue;
      auto *phi = dyn_cast<PHINode>(value);
      can_move &= phi != nullptr;
      if (phi) operand.set(phi->getIncomingValueForBlock(edge.exit_block));
    }
    if (!can_move) {
      moved->deleteValue();
      break;
    }
    moved->insertBefore(edge.exit_block->getTerminator()->getIterator());
    PHINode *phi = PHINode::Create(made.getType(), 1, "", target->begin());
    phi->addIncoming(moved, edge.exit_block);
    made.replaceAllUsesWith(phi);
    made.eraseFromParent();
  }
  for (PHINode &phi : make_early_inc_range(target->phis())) {
    if (phi.use_empty() && !phi.hasMetadata(leaving_mark)) phi.eraseFromParent();
  }
}

/* Where a block leads that does nothing; else null. */
static BasicBlock *empty_target(const BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(&*block.getFirstNonPHIIt());
  if (!branch || branch->isConditional()) return nullptr;
  bool only_there = all_of(block.phis(), [&](const PHINode &phi) {
    return !phi.hasMetadata(leaving_mark) && all_of(phi.users(), [&](const User *user) {
      auto *other = dyn_cast<PHINode>(user);
      return other && other->getParent() == branch->getSuccessor(0);
    });
  });
  return only_there ? branch->getSuccessor(0) : nullptr;
}

/* Of blocks that lead to one place, and do nothing, one is enough: work-items need not remember which it was. */
void LatchExitBuilder::merge_targets() {
  SmallMapVector<BasicBlock *, SmallVector<BasicBlock *, 4>, 4> groups;
  for (BasicBlock *target : targets_) {
    if (BasicBlock *next = pred_empty(target) ? empty_target(*target) : nullptr) groups[next].push_back(target);
  }
  for (auto &[next, group] : groups) {
    if (group.size() < 2) continue;
    BasicBlock *blended = group[0];
    SmallVector<PHINode *, 4> old;
    for (PHINode &phi : blended->phis()) old.push_back(&phi);
    for (PHINode &phi : next->phis()) {
      PHINode *merged = PHINode::Create(phi.getType(), unsigned(edges_.size()), "", blended->begin());
      for (const ExitEdge &edge : edges_) {
        if (!is_contained(group, edge.to)) continue;
        Value *value = phi.getIncomingValueForBlock(edge.to);
        auto *source = dyn_cast<PHINode>(value);
        if (source && source->getParent() == edge.to) value = source->getIncomingValueForBlock(edge.exit_block);
        merged->addIncoming(value, edge.exit_block);
      }
      phi.setIncomingValueForBlock(blended, merged);
    }
    for (PHINode *phi : old) phi->eraseFromParent();
    for (ExitEdge &edge : edges_) {
      if (is_contained(group, edge.to)) edge.to = blended;
    }
    for (BasicBlock *target : drop_begin(group)) {
      next->removePredecessor(target, /*KeepOneInputPHIs=*/true);
      targets_.remove(target);
      target->eraseFromParent();
    }
  }
}

/* What the old latch carried to the header comes through the new one. */
void LatchExitBuilder::move_header_values() {
  for (PHINode &phi : header_->phis()) {
    PHINode *next = PHINode::Create(phi.getType(), unsigned(edges_.size()) + 1, "next", out_.latch);
    next->addIncoming(phi.getIncomingValueForBlock(old_latch_), old_latch_);
    for (const ExitEdge &edge : edges_) next->addIncoming(PoisonValue::get(phi.getType()), edge.exit_block);
    int index = phi.getBasicBlockIndex(old_latch_);
    phi.setIncomingBlock(unsigned(index), out_.latch);
    phi.setIncomingValue(unsigned(index), next);
  }
}

/* True when each turn changes the phi by the same: that should be known of all lanes. */
static bool is_induction(const PHINode &phi, const Value *next) {
  auto *instruction = dyn_cast<Instruction>(next);
  bool adds = instruction && (isa<GetElementPtrInst>(instruction) || instruction->getOpcode() == Instruction::Add ||
                              instruction->getOpcode() == Instruction::Sub);
  return adds && is_contained(instruction->operands(), &phi);
}

/* What is wanted behind the loop is what goes to the header's phi, at the end of every turn: a work-item that has left
 * keeps that phi instead. Null when it is not so. Only of the header's block is it known that all lanes of a turn run
 * it. */
PHINode *LatchExitBuilder::find_blended_value(const PHINode &outside) {
  Value *value = nullptr;
  for (const ExitEdge &edge : edges_) {
    Value *live_out = edge.to == outside.getParent() ? outside.getIncomingValueForBlock(edge.exit_block) : nullptr;
    if (!live_out || (value && value != live_out)) return nullptr;
    value = live_out;
  }
  auto *made = dyn_cast_or_null<Instruction>(value);
  if (!made || made->getParent() != header_ || isa<PHINode>(made)) return nullptr;
  for (PHINode &phi : header_->phis()) {
    auto *next = dyn_cast<PHINode>(phi.getIncomingValueForBlock(out_.latch));
    if (!next || next->getIncomingValueForBlock(old_latch_) != value) continue;
    if (!varies_(phi) || is_induction(phi, value)) continue;
    for (const ExitEdge &edge : edges_) next->setIncomingValueForBlock(edge.exit_block, value);
    out_.blended.emplace_back(next, &phi);
    return next;
  }
  return nullptr;
}

/* A way out sets what its target's phis expect from it; other work-items keep theirs. */
void LatchExitBuilder::add_live_outs() {
  for (BasicBlock *target : targets_) {
    for (PHINode &phi : target->phis()) {
      if (PHINode *blended = find_blended_value(phi)) {
        for (const ExitEdge &edge : edges_) phi.removeIncomingValue(edge.exit_block, false);
        phi.addIncoming(blended, nullptr);
        continue;
      }
      PHINode *live_out = PHINode::Create(phi.getType(), unsigned(edges_.size()) + 1, "taken", out_.latch);
      live_out->addIncoming(PoisonValue::get(phi.getType()), old_latch_);
      for (const ExitEdge &edge : edges_) {
        Value *value = PoisonValue::get(phi.getType());
        if (edge.to == target) {
          value = phi.getIncomingValueForBlock(edge.exit_block);
          phi.removeIncomingValue(edge.exit_block, false);
        }
        live_out->addIncoming(value, edge.exit_block);
      }
      out_.live_out.push_back(live_out);
      phi.addIncoming(live_out, nullptr); /* the block is set by dispatch */
    }
  }
}

/* The block behind the loop, from which each work-item goes on to where it left for. */
BasicBlock *LatchExitBuilder::dispatch() {
  BasicBlock *behind = BasicBlock::Create(function_.getContext(), "left", &function_);
  Value *which = nullptr;
  Type *number = Type::getInt32Ty(function_.getContext());
  if (targets_.size() > 1) {
    PHINode *phi = PHINode::Create(number, unsigned(edges_.size()) + 1, "way", out_.latch->getFirstNonPHIIt());
    phi->addIncoming(PoisonValue::get(number), old_latch_);
    for (const ExitEdge &edge : edges_) {
      auto index = unsigned(find(targets_, edge.to) - targets_.begin());
      phi->addIncoming(ConstantInt::get(number, index), edge.exit_block);
    }
    out_.live_out.push_back(phi);
    which = phi;
  }
  BasicBlock *from = behind;
  for (auto [index, target] : enumerate(targets_)) {
    bool last = index + 1 == targets_.size();
    for (PHINode &phi : target->phis()) phi.setIncomingBlock(phi.getNumIncomingValues() - 1, from);
    if (targets_.size() == 1) IRBuilder<>(from).CreateBr(target);
    if (last) break;
    bool next_is_last = index + 2 == targets_.size();
    BasicBlock *next = next_is_last ? targets_.back() : BasicBlock::Create(function_.getContext(), "way", &function_);
    IRBuilder<> builder(from);
    builder.CreateCondBr(builder.CreateICmpEQ(which, ConstantInt::get(number, index)), target, next);
    if (!next_is_last) from = next;
  }
  return behind;
}

LatchExit LatchExitBuilder::build() {
  divert();
  for (const ExitEdge &edge : edges_) narrow_values(edge);
  merge_targets();
  move_header_values();
  add_live_outs();
  BasicBlock *behind = dispatch();
  IRBuilder<>(out_.latch).CreateCondBr(out_.live_mask, header_, behind);
  return out_;
}

}  // namespace

LatchExit make_latch_exit(Loop &loop, function_ref<bool(const PHINode &)> varies) {
  return LatchExitBuilder(loop, varies).build();
}

}  // namespace quern
