/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Numbers that grow with another one become a product and a sum of it. */
#include "compiler/passes/induction_variables.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {
namespace {

/* A number that begins with `start`, and has `step` added in each turn. */
struct InductionVariable {
  PHINode *phi;
  const SCEV *start, *step;
};

/* The constant factor of a product, and the rest: null where there is none. */
std::pair<APInt, const SCEV *> split(const SCEV *product, ScalarEvolution &evolution) {
  unsigned bits = unsigned(evolution.getTypeSizeInBits(product->getType()));
  if (auto *constant = dyn_cast<SCEVConstant>(product)) return {constant->getAPInt(), nullptr};
  auto *factors = dyn_cast<SCEVMulExpr>(product);
  auto *constant = factors ? dyn_cast<SCEVConstant>(factors->getOperand(0)) : nullptr;
  if (!constant) return {APInt(bits, 1), product};
  SmallVector<const SCEV *, 4> rest(drop_begin(factors->operands()));
  return {constant->getAPInt(), evolution.getMulExpr(rest)};
}

/* More than that are no loop that was written, and each looks at the others. */
constexpr size_t most_inductions = 32;
constexpr unsigned deepest_start = 6;

/* Whether the value is one and the same wherever it is used, were it undefined in some runs: kernels are given their
 * arguments, functions of the library what they give. */
bool has_value(const Value *value, unsigned depth = deepest_start) {
  if (isa<Argument>(value) || isGuaranteedNotToBeUndefOrPoison(value)) return true;
  if (auto *load = dyn_cast<LoadInst>(value)) return !isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()));
  if (isa<CallInst>(value) && !isa<IntrinsicInst>(value)) return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !depth || isa<PHINode>(value) || canCreateUndefOrPoison(cast<Operator>(value))) return false;
  return all_of(instruction->operands(), [&](const Use &use) { return has_value(use, depth - 1); });
}

class InductionVariables {
 public:
  /** Phis that are replaced are added to `replaced`: while loops are looked at nothing is deleted. */
  InductionVariables(Loop &loop, ScalarEvolution &evolution, const DominatorTree &dominators, SCEVExpander &expander,
                     SmallVectorImpl<WeakTrackingVH> &replaced)
      : loop_(loop), evolution_(evolution), dominators_(dominators), expander_(expander), replaced_(replaced) {}
  bool keep_one_induction();

 private:
  void find_inductions();
  void find_tests();
  Value *next_of(const InductionVariable &counter) const {
    return counter.phi->getIncomingValueForBlock(loop_.getLoopLatch());
  }
  /* Whether one of the tests, of those in a block where that is given, compares the value. */
  bool is_compared(const Value *value, const BasicBlock *where = nullptr) const;
  bool is_defined(const InductionVariable &counter) const;
  const InductionVariable *choose() const;
  InductionVariable count_up();
  const SCEV *ratio(const InductionVariable &counter, const InductionVariable &chosen) const;
  bool compute(const InductionVariable &counter, const InductionVariable &chosen);
  Value *base_of(const InductionVariable &counter, const InductionVariable &chosen, const SCEV *times, Value *factor);

  Loop &loop_;
  ScalarEvolution &evolution_;
  const DominatorTree &dominators_;
  SCEVExpander &expander_;
  SmallVectorImpl<WeakTrackingVH> &replaced_;
  SmallVector<InductionVariable, 8> counters_;
  /* What decides in each turn whether the loop goes on. */
  SmallVector<const ICmpInst *, 4> tests_;
  /* The chosen one is ours, and its next value known wherever the loop does something. */
  bool is_new_ = false;
};

bool steps_down(const InductionVariable &counter) {
  auto *step = dyn_cast<SCEVConstant>(counter.step);
  return step && step->getAPInt().isNegative();
}

void InductionVariables::find_inductions() {
  for (PHINode &phi : loop_.getHeader()->phis()) {
    if (!evolution_.isSCEVable(phi.getType()) || evolution_.getTypeSizeInBits(phi.getType()) > 64) continue;
    auto *grows = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi));
    if (!grows || grows->getLoop() != &loop_ || !grows->isAffine()) continue;
    counters_.push_back({&phi, grows->getStart(), grows->getStepRecurrence(evolution_)});
  }
}

void InductionVariables::find_tests() {
  SmallVector<BasicBlock *, 4> ends;
  loop_.getExitingBlocks(ends);
  for (BasicBlock *block : ends) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (test && dominators_.dominates(block, loop_.getLoopLatch())) tests_.push_back(test);
  }
}

bool InductionVariables::is_compared(const Value *value, const BasicBlock *where) const {
  return any_of(tests_, [&](const ICmpInst *test) {
    return (!where || test->getParent() == where) && is_contained(test->operand_values(), value);
  });
}

/* Others may be computed from it, which have a value even where it had none: it begins with one, and where its next
 * one is poison, that is looked at before anything else can be. */
bool InductionVariables::is_defined(const InductionVariable &counter) const {
  if (!has_value(counter.phi->getIncomingValueForBlock(loop_.getLoopPreheader()))) return false;
  auto *next = dyn_cast<Instruction>(next_of(counter));
  if (!next || !next->hasPoisonGeneratingFlags()) return next;
  return is_compared(next) || is_compared(counter.phi, loop_.getHeader());
}

/* The number that the loop ends by, the widest of several. */
const InductionVariable *InductionVariables::choose() const {
  const InductionVariable *chosen = nullptr;
  for (const InductionVariable &counter : counters_) {
    bool is_tested = is_compared(counter.phi) || is_compared(next_of(counter));
    if (!counter.phi->getType()->isIntegerTy() || !is_tested) continue;
    bool is_wider =
        !chosen || chosen->phi->getType()->getIntegerBitWidth() < counter.phi->getType()->getIntegerBitWidth();
    if (is_wider) chosen = &counter;
  }
  return chosen;
}

/* How often the chosen one's step is in the other's, in the other's bits; null where it is not known to be a whole
 * number. */
const SCEV *InductionVariables::ratio(const InductionVariable &counter, const InductionVariable &chosen) const {
  if (evolution_.getTypeSizeInBits(chosen.step->getType()) < evolution_.getTypeSizeInBits(counter.step->getType())) {
    return nullptr;
  }
  const SCEV *step = evolution_.getTruncateOrNoop(chosen.step, counter.step->getType());
  auto [factor, rest] = split(counter.step, evolution_);
  auto [unit, other] = split(step, evolution_);
  if (unit.isZero() || (other && other != rest) || !factor.srem(unit).isZero()) return nullptr;
  const SCEV *times = evolution_.getConstant(factor.sdiv(unit));
  return rest && !other ? evolution_.getMulExpr(times, rest) : times;
}

/* One that begins with zero, and will not be there long enough to begin again. */
InductionVariable InductionVariables::count_up() {
  IRBuilder<> builder(loop_.getHeader(), loop_.getHeader()->begin());
  Type *type = builder.getInt64Ty();
  PHINode *phi = builder.CreatePHI(type, 2);
  builder.SetInsertPoint(loop_.getHeader()->getFirstInsertionPt());
  Value *next = builder.CreateAdd(phi, builder.getInt64(1), "", true, true);
  for (BasicBlock *before : predecessors(loop_.getHeader())) {
    phi->addIncoming(before == loop_.getLoopLatch() ? next : builder.getInt64(0), before);
  }
  return {phi, evolution_.getZero(type), evolution_.getOne(type)};
}

/* Expanding what an outer loop counts would have that loop count once more. */
bool is_of_outer_loop(const SCEV *expression) {
  return SCEVExprContains(expression, [](const SCEV *part) { return isa<SCEVAddRecExpr>(part); });
}

/* sum + factor * number; sum may be an address. */
Value *add_product(IRBuilder<> &builder, Value *sum, Value *factor, Value *number) {
  Value *narrow = builder.CreateTrunc(number, factor->getType());
  if (match(factor, PatternMatch::m_AllOnes()) && sum->getType()->isIntegerTy()) {
    return builder.CreateSub(sum, narrow); /* LLVM would move the sign to where it hides what is compared */
  }
  Value *product = builder.CreateMul(narrow, factor);
  return sum->getType()->isPointerTy() ? builder.CreatePtrAdd(sum, product) : builder.CreateAdd(sum, product);
}

/* What the counter would be were the chosen one 0. */
Value *InductionVariables::base_of(const InductionVariable &counter, const InductionVariable &chosen, const SCEV *times,
                                   Value *factor) {
  BasicBlock *before = loop_.getLoopPreheader();
  Value *start = counter.phi->getIncomingValueForBlock(before);
  if (chosen.start->isZero()) return start;
  const SCEV *product = evolution_.getMulExpr(times, evolution_.getTruncateOrNoop(chosen.start, times->getType()));
  const SCEV *base = evolution_.getAddExpr(counter.start, evolution_.getNegativeSCEV(product));
  if (!is_of_outer_loop(base) && expander_.isSafeToExpandAt(base, before->getTerminator())) {
    return expander_.expandCodeFor(base, start->getType(), before->getTerminator());
  }
  IRBuilder<> builder(before->getTerminator());
  return add_product(builder, start, builder.CreateNeg(factor), chosen.phi->getIncomingValueForBlock(before));
}

/* counter = (start - ratio * chosen's start) + ratio * chosen, modulo the power of two. */
bool InductionVariables::compute(const InductionVariable &counter, const InductionVariable &chosen) {
  const SCEV *times = ratio(counter, chosen);
  Instruction *before = loop_.getLoopPreheader()->getTerminator();
  if (!times || is_of_outer_loop(times) || !expander_.isSafeToExpandAt(times, before)) return false;
  Value *factor = expander_.expandCodeFor(times, times->getType(), before);
  Value *base = base_of(counter, chosen, times, factor);
  auto *next = dyn_cast<Instruction>(next_of(counter)), *chosen_next = dyn_cast<Instruction>(next_of(chosen));
  evolution_.forgetValue(counter.phi);
  if (is_new_ && next && loop_.contains(next) && !isa<PHINode>(next)) {
    IRBuilder<> builder(next);
    next->replaceAllUsesWith(add_product(builder, base, factor, chosen_next));
  }
  /* Behind our next: what is put here may be the next of another one. */
  IRBuilder<> builder(is_new_ ? chosen_next->getNextNode() : &*loop_.getHeader()->getFirstInsertionPt());
  counter.phi->replaceAllUsesWith(add_product(builder, base, factor, chosen.phi));
  replaced_.push_back(counter.phi);
  return true;
}

bool InductionVariables::keep_one_induction() {
  if (!loop_.getLoopPreheader() || !loop_.getLoopLatch()) return false;
  find_inductions();
  if (counters_.size() < 2 || counters_.size() > most_inductions) return false;
  find_tests();
  const InductionVariable *found = choose();
  if (!found) return false;
  is_new_ = (steps_down(*found) && !all_of(counters_, steps_down)) || !is_defined(*found);
  const InductionVariable chosen = is_new_ ? count_up() : *found;
  bool changed = is_new_;
  for (const InductionVariable &counter : counters_) {
    if (counter.phi != chosen.phi) changed |= compute(counter, chosen);
  }
  return changed;
}

}  // namespace

PreservedAnalyses CanonicalizeInductionPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  SCEVExpander expander(evolution, "");
  SmallVector<WeakTrackingVH, 16> replaced;
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    changed |= InductionVariables(*loop, evolution, dominators, expander, replaced).keep_one_induction();
  }
  expander.clear(); /* it remembers what it made, some of which goes now */
  for (WeakTrackingVH &phi : replaced) {
    if (phi) RecursivelyDeleteDeadPHINode(cast<PHINode>(phi));
  }
  return preserve_blocks(changed);
}

}  // namespace quern
