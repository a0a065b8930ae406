/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Item loops that begin at the first work-item inside a lower bound, or run the only one that a guard names. */
#include "compiler/passes/vectorize/transform/first_items.hpp"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/item_guard.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* A comparison of the work-item's number with a loop-invariant value, in the form number >= bound, number > bound or
 * number == bound. */
struct LowerGuard {
  ICmpInst *compare;
  /** What the comparison gives for work-items that run the body. */
  bool is_true_inside;
  ICmpInst::Predicate predicate;
  Value *bound;
  /** The comparison is evaluated only if another condition holds, and may be poison if not. */
  bool is_after_test;
};

using LowerGuards = SmallVector<LowerGuard, 2>;

/* Whether the value is the loop counter. Numbers of work-items in a group fit in 31 bits. */
bool is_counter(const Value *value, const ItemLoop &loop) {
  const APInt *mask;
  Value *operand;
  while (value != loop.counter) {
    if (value->getType()->isVectorTy() || value->getType()->getScalarSizeInBits() < 32) return false;
    const bool is_masked =
        match(value, m_And(m_Value(operand), m_APInt(mask))) && mask->isMask() && mask->countr_one() >= 32;
    if (!is_masked && !match(value, m_Trunc(m_Value(operand))) && !match(value, m_ZExtOrSExt(m_Value(operand))))
      return false;
    value = operand;
  }
  return true;
}

/* The condition as a comparison with a lower bound, if it is one. */
std::optional<LowerGuard> match_lower_guard(const GuardCondition &condition, const ItemLoop &loop) {
  const auto compare = match_guard_compare(condition, loop);
  if (!compare || !compare->bound->getType()->isIntegerTy() || !is_counter(compare->index, loop)) return {};
  const ICmpInst::Predicate predicate = compare->predicate;
  /* The item bound has this one. */
  if (predicate == ICmpInst::ICMP_EQ && match(compare->bound, m_Zero())) return {};
  const bool is_lower = predicate == ICmpInst::ICMP_EQ || ICmpInst::isGE(predicate) || ICmpInst::isGT(predicate);
  if (!is_lower) return {};
  return LowerGuard{cast<ICmpInst>(condition.value), condition.is_true_inside, predicate, compare->bound,
                    condition.is_after_test};
}

LowerGuards find_lower_guards(const ItemLoop &loop) {
  LowerGuards guards;
  if (any_of(*loop.header, [](const Instruction &one) { return one.mayHaveSideEffects(); })) return guards;
  for (const GuardCondition &condition : find_guard(loop)) {
    if (auto guard = match_lower_guard(condition, loop)) guards.push_back(*guard);
  }
  return guards;
}

/* The rewriting of one loop:
 *   if (first < count) { counter = 0; do { body of work-item first + counter } while (++counter < count - first) } */
class LoopShifter {
 public:
  LoopShifter(const ItemLoop &loop, const LowerGuards &guards)
      : loop_(loop), guards_(guards), builder_(loop.preheader->getTerminator()) {}
  void shift();

 private:
  Value *first_inside(const LowerGuard &guard);
  void skip_empty_loop();
  void replace_counter();
  void drop_guards();

  const ItemLoop &loop_;
  const LowerGuards &guards_;
  IRBuilder<> builder_;
  Value *first_ = nullptr;
};

/* The number of work-items before the first one inside the guard, or any number of at least the trip count. */
Value *LoopShifter::first_inside(const LowerGuard &guard) {
  Type *i64 = builder_.getInt64Ty();
  Value *bound = guard.is_after_test ? builder_.CreateFreeze(guard.bound) : guard.bound;
  if (ICmpInst::isSigned(guard.predicate)) {
    bound = builder_.CreateSExt(bound, i64);
    const bool is_strict = guard.predicate == ICmpInst::ICMP_SGT;
    bound = builder_.CreateBinaryIntrinsic(Intrinsic::smax, bound, builder_.getInt64(is_strict ? uint64_t(-1) : 0));
    return is_strict ? builder_.CreateAdd(bound, builder_.getInt64(1)) : bound;
  }
  const bool is_wide = bound->getType() == i64;
  bound = builder_.CreateZExt(bound, i64);
  if (guard.predicate != ICmpInst::ICMP_UGT) return bound;
  if (is_wide) bound = builder_.CreateBinaryIntrinsic(Intrinsic::umin, bound, loop_.count);
  return builder_.CreateAdd(bound, builder_.getInt64(1));
}

/* The loop runs at least once: a branch goes around it where no work-item is left. */
void LoopShifter::skip_empty_loop() {
  BasicBlock *before = loop_.preheader, *exit = loop_.exit;
  Function *function = before->getParent();
  LLVMContext &context = function->getContext();
  BasicBlock *preheader = BasicBlock::Create(context, "items.left", function, loop_.header);
  BasicBlock *done = BasicBlock::Create(context, "items.done", function, exit);
  loop_.latch->getTerminator()->replaceSuccessorWith(exit, done);
  exit->replacePhiUsesWith(loop_.latch, done);
  IRBuilder<>(done).CreateBr(exit);
  for (PHINode &phi : exit->phis()) phi.addIncoming(phi.getIncomingValueForBlock(done), before);
  Value *has_items = builder_.CreateICmpULT(first_, loop_.count);
  Instruction *old = before->getTerminator();
  builder_.CreateCondBr(has_items, preheader, exit);
  old->eraseFromParent();
  builder_.SetInsertPoint(IRBuilder<>(preheader).CreateBr(loop_.header));
  loop_.header->replacePhiUsesWith(before, preheader);
  const bool is_single = any_of(guards_, [](const LowerGuard &guard) { return guard.predicate == ICmpInst::ICMP_EQ; });
  Value *left = is_single ? builder_.getInt64(1) : builder_.CreateSub(loop_.count, first_, "", true, true);
  loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.count ? 0 : 1, left);
}

/* The narrow forms of the number are made of narrow forms of its parts: so the distance from the bound, of which a scan
 * makes the address of the other element, is the counter again. */
void LoopShifter::replace_counter() {
  IRBuilder<> builder(&*loop_.header->getFirstInsertionPt());
  auto *next = cast<Instruction>(loop_.counter->getIncomingValueForBlock(loop_.latch));
  auto *item = cast<Instruction>(builder.CreateNUWAdd(loop_.counter, first_, "item"));
  item->setHasNoSignedWrap();
  SmallVector<WeakTrackingVH, 8> narrow, masked;
  for (User *user : loop_.counter->users()) {
    if (is_counter(user, loop_)) (isa<TruncInst>(user) ? narrow : masked).push_back(user);
  }
  loop_.counter->replaceUsesWithIf(item,
                                   [&](const Use &use) { return use.getUser() != next && use.getUser() != item; });
  const LowerGuard &guard = guards_.front();
  const bool is_bound = guards_.size() == 1 && !guard.is_after_test &&
                        (guard.predicate == ICmpInst::ICMP_UGE || guard.predicate == ICmpInst::ICMP_EQ);
  for (Value *value : narrow) {
    auto *trunc = dyn_cast_or_null<TruncInst>(value);
    if (!trunc) continue;
    Type *type = trunc->getType();
    Value *first = is_bound && guard.bound->getType() == type ? guard.bound : builder_.CreateTrunc(first_, type);
    Value *counter = builder.CreateTrunc(loop_.counter, type);
    replaceAndRecursivelySimplify(trunc, builder.CreateAdd(counter, first, "", true, true));
  }
  for (Value *value : masked) {
    auto *mask = dyn_cast_or_null<Instruction>(value);
    if (mask && mask->getOpcode() == Instruction::And) replaceAndRecursivelySimplify(mask, item);
  }
}

void LoopShifter::drop_guards() {
  LLVMContext &context = loop_.header->getContext();
  SmallVector<std::pair<WeakTrackingVH, bool>, 2> compares;
  for (const LowerGuard &guard : guards_) compares.emplace_back(guard.compare, guard.is_true_inside);
  for (auto &[value, is_true] : compares) {
    if (auto *compare = dyn_cast_or_null<ICmpInst>(value)) {
      replaceAndRecursivelySimplify(compare, ConstantInt::getBool(context, is_true));
    }
  }
  ConstantFoldTerminator(loop_.header);
}

void LoopShifter::shift() {
  for (const LowerGuard &guard : guards_) {
    Value *first = first_inside(guard);
    first_ = first_ ? builder_.CreateBinaryIntrinsic(Intrinsic::umax, first_, first) : first;
  }
  skip_empty_loop();
  drop_guards();
  replace_counter();
}

}  // namespace

PreservedAnalyses SkipFirstItemsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  /* Which work-items form a sub-group does not depend on their control flow. */
  if (function.hasFnAttribute(sub_groups_attribute)) return PreservedAnalyses::all();
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    const char *why;
    auto item_loop = ItemLoop::match(*loop, why);
    /* A y loop must have nothing but its item loop in it for unroll-and-jam. */
    if (!item_loop || (loop->getParentLoop() && is_y_loop(*loop->getParentLoop()))) continue;
    const LowerGuards guards = find_lower_guards(*item_loop);
    if (guards.empty()) continue;
    LoopShifter(*item_loop, guards).shift();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
