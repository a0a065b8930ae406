/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Item loops that begin at the first work-item whose global id is inside a lower bound. */
#include "compiler/passes/vectorize/transform/lower_bounds.hpp"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/item_guard.hpp"
#include "compiler/passes/vectorize/transform/clone_loop.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* A comparison of the global id, perhaps truncated, with a value that is the same for all work-items, in the form
 * id >= bound or id > bound. */
struct GlobalLowerBound {
  GuardCondition condition;
  ICmpInst::Predicate predicate;
  Value *bound;
  /** counter + base, and the truncation of this sum that is compared, or null. */
  Instruction *id;
  Value *base;
  TruncInst *narrow;

  bool is_signed() const { return ICmpInst::isSigned(predicate); }
  bool is_strict() const { return ICmpInst::isGT(predicate); }
};

/* The item loop, and the y loop around it: nothing but the item loop has effects there. */
struct ItemNest {
  ItemLoop items;
  /** The y loop around the item loop, or the item loop. */
  Loop *outer;
};

/* Rewrites one nest, of which all but the first case is the same for each run:
 *   if (ids do not wrap) { if (first < count) the nest for work-items from `first` on } else a copy of the nest */
class NestShifter {
 public:
  NestShifter(const ItemNest &nest, const GlobalLowerBound &guard, LoopInfo &loops, DominatorTree &dominators)
      : nest_(nest), guard_(guard), loops_(loops), dominators_(dominators), builder_(nest.outer->getHeader()) {}
  void shift();

 private:
  Value *extend(Value *value) {
    return guard_.is_signed() ? builder_.CreateSExt(value, builder_.getInt64Ty())
                              : builder_.CreateZExt(value, builder_.getInt64Ty());
  }
  Value *narrow_id(Value *id) { return guard_.narrow ? builder_.CreateTrunc(id, guard_.narrow->getType()) : id; }
  Value *ids_do_not_wrap(Value *first_id);
  Value *items_outside(Value *first_id);
  void keep_copy(Value *condition);
  void skip_empty_nest(Value *outside);
  void replace_ids(Value *outside);
  void drop_guard();

  const ItemNest &nest_;
  const GlobalLowerBound &guard_;
  LoopInfo &loops_;
  DominatorTree &dominators_;
  IRBuilder<> builder_;
};

std::optional<GlobalLowerBound> match_lower_bound(const GuardCondition &condition, const ItemNest &nest) {
  const ItemLoop &items = nest.items;
  const auto compare = match_guard_compare(condition, items);
  if (!compare || !nest.outer->isLoopInvariant(compare->bound)) return std::nullopt;
  GlobalLowerBound out = {condition, compare->predicate, compare->bound, nullptr, nullptr, nullptr};
  if (!ICmpInst::isGE(out.predicate) && !ICmpInst::isGT(out.predicate)) return std::nullopt;
  out.narrow = dyn_cast<TruncInst>(compare->index);
  Value *id = out.narrow ? out.narrow->getOperand(0) : compare->index;
  const bool is_global_id = match(id, m_NUWAdd(m_Value(out.base), m_Specific(items.counter))) ||
                            match(id, m_NUWAdd(m_Specific(items.counter), m_Value(out.base)));
  if (!is_global_id || !nest.outer->isLoopInvariant(out.base)) return std::nullopt;
  /* An id of 64 bits is not negative, but nothing here says so. */
  if (out.narrow ? !out.narrow->getType()->isIntegerTy(32) : out.is_signed()) return std::nullopt;
  out.id = cast<Instruction>(id);
  return out;
}

/* The guard's lower bound, if all else in the guard is loop invariant or an upper bound: else there is a mask in any
 * case. */
std::optional<GlobalLowerBound> find_lower_bound(const ItemNest &nest) {
  std::optional<GlobalLowerBound> found;
  if (any_of(*nest.items.header, [](const Instruction &one) { return one.mayHaveSideEffects(); })) return found;
  for (const GuardCondition &condition : find_guard(nest.items)) {
    if (nest.items.loop->isLoopInvariant(condition.value)) continue;
    const auto compare = match_guard_compare(condition, nest.items);
    if (compare && ICmpInst::isLT(compare->predicate)) continue;
    const auto bound = found ? std::nullopt : match_lower_bound(condition, nest);
    if (!bound) return std::nullopt;
    found = bound;
  }
  return found;
}

/* Whether the y loop does something beside its item loop. */
bool has_effects_outside(const Loop &loop, const Loop &items) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return !items.contains(block) &&
           any_of(*block, [](const Instruction &instruction) { return instruction.mayHaveSideEffects(); });
  });
}

std::optional<ItemNest> match_nest(Loop &loop) {
  const char *why;
  const auto items = ItemLoop::match(loop, why);
  if (!items) return std::nullopt;
  Loop *outer = &loop, *parent = loop.getParentLoop();
  if (parent && is_y_loop(*parent)) {
    if (has_effects_outside(*parent, loop) || !parent->isLoopInvariant(items->count)) return std::nullopt;
    outer = parent;
  }
  const BasicBlock *exit = outer->getExitBlock();
  if (!outer->getLoopPreheader() || !outer->getExitingBlock() || !exit || has_live_out(*outer)) return std::nullopt;
  return exit->phis().empty() ? std::optional(ItemNest{*items, outer}) : std::nullopt;
}

}  // namespace

/* The ids of the first and the last work-item differ by as much as their numbers. */
Value *NestShifter::ids_do_not_wrap(Value *first_id) {
  if (!guard_.narrow) return builder_.getTrue();
  Value *last_number = builder_.CreateSub(nest_.items.count, builder_.getInt64(1));
  Value *last_id = extend(narrow_id(builder_.CreateAdd(guard_.base, last_number)));
  return builder_.CreateICmpEQ(builder_.CreateSub(last_id, first_id), last_number);
}

/* How many work-items come before the first one inside the bound; at most the trip count. */
Value *NestShifter::items_outside(Value *first_id) {
  Value *bound = guard_.condition.is_after_test ? builder_.CreateFreeze(guard_.bound) : guard_.bound;
  Value *is_inside, *outside;
  if (guard_.narrow) {
    bound = extend(bound);
    if (guard_.is_strict()) bound = builder_.CreateAdd(bound, builder_.getInt64(1));
    is_inside = builder_.CreateICmpSGE(first_id, bound);
    outside = builder_.CreateSub(bound, first_id);
  } else {
    is_inside = builder_.CreateICmp(guard_.predicate, first_id, bound);
    outside = builder_.CreateSub(bound, first_id);
    outside = builder_.CreateBinaryIntrinsic(Intrinsic::umin, outside, nest_.items.count);
    if (guard_.is_strict()) outside = builder_.CreateAdd(outside, builder_.getInt64(1));
  }
  outside = builder_.CreateSelect(is_inside, builder_.getInt64(0), outside);
  return builder_.CreateBinaryIntrinsic(Intrinsic::umin, outside, nest_.items.count);
}

/* A block for the exit of a loop alone, as loops in LoopSimplify form have it. */
static void add_exit_block(BasicBlock *exiting, BasicBlock *exit) {
  BasicBlock *done = BasicBlock::Create(exit->getContext(), "items.done", exit->getParent(), exit);
  exiting->getTerminator()->replaceSuccessorWith(exit, done);
  IRBuilder<>(done).CreateBr(exit);
}

/* Keeps a copy of the nest for ids that wrap. It is no item loop for later passes. */
void NestShifter::keep_copy(Value *condition) {
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 16> blocks;
  BranchInst *branch = clone_loop(*nest_.outer, condition, ".wraps", loops_, dominators_, copies, blocks);
  branch->swapSuccessors(); /* the copy is for where it is false */
  for (BasicBlock *block : blocks) block->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
  add_exit_block(cast<BasicBlock>(copies.lookup(nest_.outer->getExitingBlock())), nest_.outer->getExitBlock());
  builder_.SetInsertPoint(branch->getSuccessor(0)->getTerminator());
}

void NestShifter::skip_empty_nest(Value *outside) {
  BasicBlock *before = builder_.GetInsertBlock(), *exit = nest_.outer->getExitBlock();
  BasicBlock *preheader = SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
  add_exit_block(nest_.outer->getExitingBlock(), exit);
  before->getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(before);
  builder_.CreateCondBr(builder_.CreateICmpULT(outside, nest_.items.count), preheader, exit);
  builder_.SetInsertPoint(preheader->getTerminator());
}

/* The counter counts from the first work-item inside; ids that are sums with it get another base. */
void NestShifter::replace_ids(Value *outside) {
  const ItemLoop &items = nest_.items;
  Value *left = builder_.CreateSub(items.count, outside, "items.left", true, true);
  items.compare->setOperand(items.compare->getOperand(0) == items.count ? 0 : 1, left);
  Value *base = builder_.CreateAdd(guard_.base, outside);
  IRBuilder<> body(&*items.header->getFirstInsertionPt());
  auto *id = cast<Instruction>(body.CreateNUWAdd(base, items.counter, "id"));
  auto *number = cast<Instruction>(body.CreateAdd(items.counter, outside, "item", true, true));
  auto *next = cast<Instruction>(items.counter->getIncomingValueForBlock(items.latch));
  guard_.id->replaceAllUsesWith(id);
  guard_.id->eraseFromParent();
  items.counter->replaceUsesWithIf(
      number, [&](const Use &use) { return use.getUser() != next && use.getUser() != number && use.getUser() != id; });
  if (number->use_empty()) number->eraseFromParent();
}

void NestShifter::drop_guard() {
  LLVMContext &context = builder_.getContext();
  auto *compare = cast<Instruction>(guard_.condition.value);
  replaceAndRecursivelySimplify(compare, ConstantInt::getBool(context, guard_.condition.is_true_inside));
  ConstantFoldTerminator(nest_.items.header);
}

void NestShifter::shift() {
  builder_.SetInsertPoint(nest_.outer->getLoopPreheader()->getTerminator());
  Value *first_id = guard_.narrow ? extend(narrow_id(guard_.base)) : guard_.base;
  Value *condition = ids_do_not_wrap(first_id);
  if (!isa<Constant>(condition)) keep_copy(condition);
  Value *outside = items_outside(first_id);
  skip_empty_nest(outside);
  drop_guard();
  replace_ids(outside);
  dominators_.recalculate(*nest_.items.header->getParent());
}

PreservedAnalyses RemoveLowerBoundsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  /* Which work-items form a sub-group does not depend on their control flow. */
  if (function.hasFnAttribute(sub_groups_attribute)) return PreservedAnalyses::all();
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const auto nest = match_nest(*loop);
    const auto bound = nest ? find_lower_bound(*nest) : std::nullopt;
    if (!bound) continue;
    NestShifter(*nest, *bound, loops, dominators).shift();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
