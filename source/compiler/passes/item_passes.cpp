/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Single transformations of item loops: outlines the body, transforms it, and makes a loop of it again. */
#include "compiler/passes/item_passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/transform/strength_reduction.hpp"
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

using namespace llvm;

namespace quern {

static SmallVector<ItemLoop, 4> find_item_loops(const LoopInfo &loops) {
  SmallVector<ItemLoop, 4> found;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const char *why;
    if (auto item_loop = ItemLoop::match(*loop, why)) found.push_back(*item_loop);
  }
  return found;
}

/* The body's value for one of the item loop that is used after it; others are the same. */
static Value *find_live_out(const ItemBody &body, Value *value) {
  for (auto &[outside, inside] : body.live_out()) {
    if (outside == value) return inside;
  }
  return value;
}

/* Replaces the parameters of the body by what they stand for. */
static void bind_parameters(const ItemBody &body, Value *counter) {
  for (Argument &parameter : body.function().args()) {
    parameter.replaceAllUsesWith(&parameter == body.counter() ? counter : body.outside(&parameter));
  }
}

/* Moves the body into a loop over the work-items of `loop`, from the end of `preheader`, which has no terminator, to
 * the exit of `loop`. */
static void write_items(const ItemBody &body, const ItemLoop &loop, BasicBlock *preheader) {
  Function &function = *preheader->getParent();
  BasicBlock *header = BasicBlock::Create(function.getContext(), "item.header", &function, loop.exit);
  BasicBlock *latch = BasicBlock::Create(function.getContext(), "item.latch", &function, loop.exit);
  IRBuilder<>(preheader).CreateBr(header);
  IRBuilder<> builder(header);
  PHINode *counter = builder.CreatePHI(builder.getInt64Ty(), 2, "item");
  counter->addIncoming(builder.getInt64(0), preheader);
  bind_parameters(body, counter);
  builder.CreateBr(&body.function().getEntryBlock());
  for (BasicBlock &block : body.function()) {
    auto *end = dyn_cast<ReturnInst>(block.getTerminator());
    if (!end) continue;
    IRBuilder<>(end).CreateBr(latch);
    end->eraseFromParent();
  }
  function.splice(latch->getIterator(), &body.function());
  builder.SetInsertPoint(latch);
  Value *next = builder.CreateAdd(counter, builder.getInt64(1), "item.next", true, true);
  counter->addIncoming(next, latch);
  mark_item_loop(builder.CreateCondBr(builder.CreateICmpULT(next, loop.count), header, loop.exit));
  for (PHINode &phi : loop.exit->phis()) {
    phi.addIncoming(find_live_out(body, phi.getIncomingValueForBlock(loop.latch)), latch);
  }
}

/* Puts the loop over `body` in the place of the item loop. */
static void replace_items(const ItemBody &body, const ItemLoop &loop) {
  loop.preheader->getTerminator()->eraseFromParent();
  write_items(body, loop, loop.preheader);
  for (auto &[outside, inside] : body.live_out()) {
    outside->replaceUsesWithIf(inside, [&](const Use &use) {
      auto *user = cast<Instruction>(use.getUser());
      return !loop.loop->contains(user) && !(isa<PHINode>(user) && user->getParent() == loop.exit);
    });
  }
  const SmallVector<BasicBlock *, 16> old(loop.loop->blocks());
  DeleteDeadBlocks(old);
}

/* Brings a body into the form that the vectorizer works on. */
static bool canonicalize(const ItemBody &body) {
  const PrivateMemory memory(body);
  auto shapes = memory.shapes();
  shapes[body.counter()] = {Shape::strided, 1};
  const char *why;
  return ShapeAnalysis(body.function(), shapes, memory.parameters()).run(why);
}

PreservedAnalyses CanonicalizeItemsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (const ItemLoop &loop : find_item_loops(analyses.getResult<LoopAnalysis>(function))) {
    const char *why;
    const auto body = ItemBody::extract(loop, nullptr, why);
    if (!body || !canonicalize(*body)) continue;
    replace_items(*body, loop);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/* As in LoopWriter, but that the body stays scalar. */
static bool unroll_and_jam(const ItemLoop &loop, const LoopInfo &loops) {
  auto y_loop = YLoop::match(loop);
  if (!y_loop || !y_loop->can_unroll_and_jam(loops)) return false;
  const char *why;
  const auto body = ItemBody::extract(loop, &*y_loop, why);
  if (!body) return false;
  unroll_and_jam(body->function(), body->jammed_copies());
  ItemLoop remainder = loop;
  BasicBlock *jammed = y_loop->split_for_jam(remainder);
  body->place_jammed_copies(*y_loop, jammed);
  jammed->getTerminator()->eraseFromParent();
  remainder.counter->removeIncomingValue(jammed, /*DeletePHIIfEmpty=*/false);
  write_items(*body, loop, jammed);
  return true;
}

PreservedAnalyses UnrollAndJamItemsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (const ItemLoop &loop : find_item_loops(loops)) changed |= unroll_and_jam(loop, loops);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/* The constant by which the counter of a loop grows that reduce_strength takes, or 0. */
static unsigned find_step(const Loop &loop, const PHINode &counter) {
  const BasicBlock *latch = loop.getLoopLatch();
  auto *first = dyn_cast<ConstantInt>(counter.getIncomingValueForBlock(loop.getLoopPreheader()));
  auto *next = dyn_cast<BinaryOperator>(counter.getIncomingValueForBlock(latch));
  if (!first || !first->isZero() || !next || next->getParent() != latch || next->getOpcode() != Instruction::Add)
    return 0;
  auto *step = dyn_cast<ConstantInt>(next->getOperand(1));
  return next->getOperand(0) == &counter && step ? unsigned(step->getZExtValue()) : 0;
}

static bool reduce_strength(Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch(), *preheader = loop.getLoopPreheader();
  if (!loop.isInnermost() || !latch || latch == loop.getHeader() || !preheader) return false;
  auto *y = dyn_cast<PHINode>(&loop.getHeader()->front());
  if (!y || !y->getType()->isIntegerTy(64) || y->getIncomingBlock(0) != preheader) return false;
  const unsigned step = find_step(loop, *y);
  if (!step) return false;
  std::optional<EnclosingInduction> enclosing;
  if (Loop *items = loop.getParentLoop()) {
    const char *why;
    auto item_loop = ItemLoop::match(*items, why);
    if (item_loop) enclosing = EnclosingInduction::find(*item_loop);
  }
  reduce_strength(*y, step, latch, NoWrapValues(), enclosing ? &*enclosing : nullptr, /*prefetches_only=*/false);
  return true;
}

PreservedAnalyses ReduceStrengthPass::run(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) changed |= reduce_strength(*loop);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
