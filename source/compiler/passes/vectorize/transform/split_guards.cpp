/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Guards of item loops, split into what bounds the loop and what is left for masks. */
#include "compiler/passes/vectorize/transform/split_guards.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/item_guard.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* The guard of one item loop. */
class GuardSplitter {
 public:
  explicit GuardSplitter(const ItemLoop &loop) : loop_(loop), builder_(loop.header->getContext()) {}

  /** True when the loop has a guard, and what is to be split off. */
  bool find();
  void split();

 private:
  bool is_upper_bound(const GuardCondition &condition) const;
  bool is_conjunction() const;
  Value *positive(const GuardCondition &condition);
  Value *invariant_conditions();
  Value *upper_bound();
  Value *other_conditions();

  const ItemLoop &loop_;
  IRBuilder<> builder_;
  BranchInst *branch_ = nullptr;
  SmallVector<GuardCondition, 8> invariant_, others_;
  std::optional<GuardCondition> bound_;
};

}  // namespace

/* The id of a work-item, also truncated. It is never poison. */
static bool is_possibly_narrow_id(const Value *value, const ItemLoop &loop) {
  const Value *operand;
  if (match(value, m_Trunc(m_Value(operand)))) value = operand;
  return is_item_id(*value, *loop.counter, [&](const Value *one) { return loop.loop->isLoopInvariant(one); });
}

/* Whether ItemBound knows the condition, and it may be evaluated before all others. */
bool GuardSplitter::is_upper_bound(const GuardCondition &condition) const {
  const auto compare = match_guard_compare(condition, loop_);
  return compare && ICmpInst::isLT(compare->predicate) && is_possibly_narrow_id(compare->index, loop_);
}

bool GuardSplitter::find() {
  for (const GuardCondition &one : find_guard(loop_)) {
    if (loop_.loop->isLoopInvariant(one.value)) {
      invariant_.push_back(one);
    } else if (!bound_ && is_upper_bound(one)) {
      bound_ = one;
    } else {
      others_.push_back(one);
    }
  }
  const size_t first_part = invariant_.size() + (bound_ ? 1 : 0);
  if (first_part > 2 || (first_part && !others_.empty())) return true;
  /* ItemBound takes a bound and one invariant condition as they are. SimplifyCFG makes a disjunction of nested branches
   * that skip the body. */
  return first_part == 2 && !is_conjunction();
}

/* Whether the body runs where all of the operands of an `and` are true. */
bool GuardSplitter::is_conjunction() const {
  auto *branch = cast<BranchInst>(loop_.header->getTerminator());
  return branch->getSuccessor(1) == loop_.latch && match(branch->getCondition(), m_LogicalAnd(m_Value(), m_Value()));
}

Value *GuardSplitter::positive(const GuardCondition &condition) {
  if (condition.is_true_inside) return condition.value;
  auto *compare = dyn_cast<ICmpInst>(condition.value);
  if (!compare) return builder_.CreateNot(condition.value);
  return builder_.CreateICmp(compare->getInversePredicate(), compare->getOperand(0), compare->getOperand(1));
}

/* Their conjunction, before the loop; null when there are none. */
Value *GuardSplitter::invariant_conditions() {
  Value *all = nullptr;
  builder_.SetInsertPoint(loop_.preheader->getTerminator());
  for (const GuardCondition &condition : invariant_) {
    Value *one = condition.is_after_test ? builder_.CreateFreeze(condition.value) : condition.value;
    if (!condition.is_true_inside) one = builder_.CreateNot(one);
    all = all ? builder_.CreateAnd(all, one) : one;
  }
  return all;
}

/* The comparison, or null. It may have been after a test that excluded a bound that is poison. */
Value *GuardSplitter::upper_bound() {
  if (!bound_) return nullptr;
  if (bound_->is_after_test) {
    Instruction *copy = cast<ICmpInst>(bound_->value)->clone();
    copy->insertBefore(branch_->getIterator());
    for (Use &operand : copy->operands()) {
      if (!loop_.loop->isLoopInvariant(operand) || isa<Constant>(operand)) continue;
      builder_.SetInsertPoint(loop_.preheader->getTerminator());
      operand.set(builder_.CreateFreeze(operand));
    }
    bound_->value = copy;
  }
  builder_.SetInsertPoint(branch_);
  return positive(*bound_);
}

/* Their conjunction in the order of the program; null when there are none. */
Value *GuardSplitter::other_conditions() {
  Value *all = nullptr;
  for (const GuardCondition &condition : others_) {
    Value *one = positive(condition);
    all = all ? builder_.CreateLogicalAnd(all, one) : one;
  }
  return all;
}

void GuardSplitter::split() {
  branch_ = cast<BranchInst>(loop_.header->getTerminator());
  Value *invariant = invariant_conditions(), *bound = upper_bound();
  builder_.SetInsertPoint(branch_);
  Value *first = invariant && bound ? builder_.CreateLogicalAnd(invariant, bound) : invariant ? invariant : bound;
  BasicBlock *body = branch_->getSuccessor(branch_->getSuccessor(0) == loop_.latch ? 1 : 0), *next = body;
  if (!others_.empty()) {
    next = BasicBlock::Create(builder_.getContext(), "guard", loop_.header->getParent(), body);
    body->replacePhiUsesWith(loop_.header, next);
    builder_.SetInsertPoint(next);
    builder_.CreateCondBr(other_conditions(), body, loop_.latch);
    builder_.SetInsertPoint(branch_);
  }
  builder_.CreateCondBr(first, next, loop_.latch);
  Value *whole = branch_->getCondition();
  branch_->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(whole);
}

PreservedAnalyses SplitGuardsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  /* Which work-items form a sub-group does not depend on their control flow. */
  if (function.hasFnAttribute(sub_groups_attribute)) return PreservedAnalyses::all();
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    const char *why;
    const auto item_loop = ItemLoop::match(*loop, why);
    if (!item_loop) continue;
    GuardSplitter splitter(*item_loop);
    if (!splitter.find()) continue;
    splitter.split();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
