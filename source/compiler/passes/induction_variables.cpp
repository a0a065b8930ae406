/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Canonicalization of loops to one induction variable. */
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

/* An affine induction variable {start,+,step}. */
struct InductionVariable {
  PHINode *phi;
  const SCEV *start, *step;
};

/* The constant factor of a product, and the product of the other factors, which is null when there are none. */
std::pair<APInt, const SCEV *> split_constant_factor(const SCEV *product, ScalarEvolution &evolution) {
  unsigned bits = unsigned(evolution.getTypeSizeInBits(product->getType()));
  if (auto *constant = dyn_cast<SCEVConstant>(product)) return {constant->getAPInt(), nullptr};
  auto *factors = dyn_cast<SCEVMulExpr>(product);
  auto *constant = factors ? dyn_cast<SCEVConstant>(factors->getOperand(0)) : nullptr;
  if (!constant) return {APInt(bits, 1), product};
  SmallVector<const SCEV *, 4> other_factors(drop_begin(factors->operands()));
  return {constant->getAPInt(), evolution.getMulExpr(other_factors)};
}

/* Loops with more induction variables are not handwritten; the limit bounds compile time. */
constexpr size_t max_inductions = 32;
constexpr unsigned max_operand_depth = 6;

/* Whether the value is the same at all its uses: not undef or poison. Arguments of kernels and results of library
 * functions count as well defined. */
bool is_well_defined(const Value *value, unsigned depth = max_operand_depth) {
  if (isa<Argument>(value) || isGuaranteedNotToBeUndefOrPoison(value)) return true;
  if (auto *load = dyn_cast<LoadInst>(value)) return !isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()));
  if (isa<CallInst>(value) && !isa<IntrinsicInst>(value)) return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !depth || isa<PHINode>(value) || canCreateUndefOrPoison(cast<Operator>(value))) return false;
  return all_of(instruction->operands(), [&](const Use &use) { return is_well_defined(use, depth - 1); });
}

class InductionVariables {
 public:
  /** Replaced phis are added to `replaced`, for the caller to delete once all loops have been processed. */
  InductionVariables(Loop &loop, ScalarEvolution &evolution, const DominatorTree &dominators, SCEVExpander &expander,
                     SmallVectorImpl<WeakTrackingVH> &replaced)
      : loop_(loop), evolution_(evolution), dominators_(dominators), expander_(expander), replaced_(replaced) {}
  bool canonicalize();

 private:
  void find_inductions();
  void find_exit_tests();
  Value *next_of(const InductionVariable &induction) const {
    return induction.phi->getIncomingValueForBlock(loop_.getLoopLatch());
  }
  /* Whether one of the exit tests compares the value; with `where`, only tests in that block count. */
  bool is_compared(const Value *value, const BasicBlock *where = nullptr) const;
  bool is_never_poison(const InductionVariable &induction) const;
  const InductionVariable *choose_canonical() const;
  InductionVariable create_canonical();
  const SCEV *step_ratio(const InductionVariable &induction, const InductionVariable &canonical) const;
  bool rewrite(const InductionVariable &induction, const InductionVariable &canonical);
  Value *base_of(const InductionVariable &induction, const InductionVariable &canonical, const SCEV *times,
                 Value *factor);

  Loop &loop_;
  ScalarEvolution &evolution_;
  const DominatorTree &dominators_;
  SCEVExpander &expander_;
  SmallVectorImpl<WeakTrackingVH> &replaced_;
  SmallVector<InductionVariable, 8> inductions_;
  /* Conditions that are evaluated in every iteration and may exit the loop. */
  SmallVector<const ICmpInst *, 4> exit_tests_;
  /* This pass created the canonical induction variable: its increment is in the header and dominates the body. */
  bool is_new_ = false;
};

bool steps_down(const InductionVariable &induction) {
  auto *step = dyn_cast<SCEVConstant>(induction.step);
  return step && step->getAPInt().isNegative();
}

void InductionVariables::find_inductions() {
  for (PHINode &phi : loop_.getHeader()->phis()) {
    if (!evolution_.isSCEVable(phi.getType()) || evolution_.getTypeSizeInBits(phi.getType()) > 64) continue;
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi));
    if (!recurrence || recurrence->getLoop() != &loop_ || !recurrence->isAffine()) continue;
    inductions_.push_back({&phi, recurrence->getStart(), recurrence->getStepRecurrence(evolution_)});
  }
}

void InductionVariables::find_exit_tests() {
  SmallVector<BasicBlock *, 4> exiting_blocks;
  loop_.getExitingBlocks(exiting_blocks);
  for (BasicBlock *block : exiting_blocks) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (test && dominators_.dominates(block, loop_.getLoopLatch())) exit_tests_.push_back(test);
  }
}

bool InductionVariables::is_compared(const Value *value, const BasicBlock *where) const {
  return any_of(exit_tests_, [&](const ICmpInst *test) {
    return (!where || test->getParent() == where) && is_contained(test->operand_values(), value);
  });
}

/* Whether other values may be computed from the induction variable: it must not be poison where they are not. Its start
 * is well defined. If its increment can be poison, an exit test branches on it before any other use. */
bool InductionVariables::is_never_poison(const InductionVariable &induction) const {
  if (!is_well_defined(induction.phi->getIncomingValueForBlock(loop_.getLoopPreheader()))) return false;
  auto *next = dyn_cast<Instruction>(next_of(induction));
  if (!next || !next->hasPoisonGeneratingFlags()) return next;
  return is_compared(next) || is_compared(induction.phi, loop_.getHeader());
}

/* The induction variable that an exit test compares; the widest if there are several. */
const InductionVariable *InductionVariables::choose_canonical() const {
  const InductionVariable *canonical = nullptr;
  for (const InductionVariable &induction : inductions_) {
    bool is_tested = is_compared(induction.phi) || is_compared(next_of(induction));
    if (!induction.phi->getType()->isIntegerTy() || !is_tested) continue;
    bool is_wider =
        !canonical || canonical->phi->getType()->getIntegerBitWidth() < induction.phi->getType()->getIntegerBitWidth();
    if (is_wider) canonical = &induction;
  }
  return canonical;
}

/* The step of `induction` divided by the step of `canonical`, in the type of the former; null when it is not known to
 * be an integer. */
const SCEV *InductionVariables::step_ratio(const InductionVariable &induction,
                                           const InductionVariable &canonical) const {
  if (evolution_.getTypeSizeInBits(canonical.step->getType()) <
      evolution_.getTypeSizeInBits(induction.step->getType())) {
    return nullptr;
  }
  const SCEV *step = evolution_.getTruncateOrNoop(canonical.step, induction.step->getType());
  auto [factor, other_factors] = split_constant_factor(induction.step, evolution_);
  auto [unit, step_factors] = split_constant_factor(step, evolution_);
  if (unit.isZero() || (step_factors && step_factors != other_factors) || !factor.srem(unit).isZero()) return nullptr;
  const SCEV *times = evolution_.getConstant(factor.sdiv(unit));
  return other_factors && !step_factors ? evolution_.getMulExpr(times, other_factors) : times;
}

/* Creates the i64 induction variable {0,+,1}; 64 bits do not wrap in the lifetime of a program. */
InductionVariable InductionVariables::create_canonical() {
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

/* Expansion of a recurrence of an outer loop would add an induction variable to that loop. */
bool contains_recurrence(const SCEV *expression) {
  return SCEVExprContains(expression, [](const SCEV *part) { return isa<SCEVAddRecExpr>(part); });
}

/* sum + factor * value; sum may be a pointer. */
Value *add_product(IRBuilder<> &builder, Value *sum, Value *factor, Value *value) {
  Value *narrow = builder.CreateTrunc(value, factor->getType());
  if (match(factor, PatternMatch::m_AllOnes()) && sum->getType()->isIntegerTy()) {
    /* LLVM would move a negation to a place where it hides the compared value. */
    return builder.CreateSub(sum, narrow);
  }
  Value *product = builder.CreateMul(narrow, factor);
  return sum->getType()->isPointerTy() ? builder.CreatePtrAdd(sum, product) : builder.CreateAdd(sum, product);
}

/* The value of the induction variable for a canonical value of 0. */
Value *InductionVariables::base_of(const InductionVariable &induction, const InductionVariable &canonical,
                                   const SCEV *times, Value *factor) {
  BasicBlock *before = loop_.getLoopPreheader();
  Value *start = induction.phi->getIncomingValueForBlock(before);
  if (canonical.start->isZero()) return start;
  const SCEV *product = evolution_.getMulExpr(times, evolution_.getTruncateOrNoop(canonical.start, times->getType()));
  const SCEV *base = evolution_.getAddExpr(induction.start, evolution_.getNegativeSCEV(product));
  if (!contains_recurrence(base) && expander_.isSafeToExpandAt(base, before->getTerminator())) {
    return expander_.expandCodeFor(base, start->getType(), before->getTerminator());
  }
  IRBuilder<> builder(before->getTerminator());
  return add_product(builder, start, builder.CreateNeg(factor), canonical.phi->getIncomingValueForBlock(before));
}

/* Rewrites induction = (start - ratio * canonical start) + ratio * canonical, modulo 2^bits. */
bool InductionVariables::rewrite(const InductionVariable &induction, const InductionVariable &canonical) {
  const SCEV *times = step_ratio(induction, canonical);
  Instruction *before = loop_.getLoopPreheader()->getTerminator();
  if (!times || contains_recurrence(times) || !expander_.isSafeToExpandAt(times, before)) return false;
  Value *factor = expander_.expandCodeFor(times, times->getType(), before);
  Value *base = base_of(induction, canonical, times, factor);
  auto *next = dyn_cast<Instruction>(next_of(induction)), *canonical_next = dyn_cast<Instruction>(next_of(canonical));
  evolution_.forgetValue(induction.phi);
  if (is_new_ && next && loop_.contains(next) && !isa<PHINode>(next)) {
    IRBuilder<> builder(next);
    next->replaceAllUsesWith(add_product(builder, base, factor, canonical_next));
  }
  /* After the canonical increment: the rewritten value may be the increment of another induction variable. */
  IRBuilder<> builder(is_new_ ? canonical_next->getNextNode() : &*loop_.getHeader()->getFirstInsertionPt());
  induction.phi->replaceAllUsesWith(add_product(builder, base, factor, canonical.phi));
  replaced_.push_back(induction.phi);
  return true;
}

bool InductionVariables::canonicalize() {
  if (!loop_.getLoopPreheader() || !loop_.getLoopLatch()) return false;
  find_inductions();
  if (inductions_.size() < 2 || inductions_.size() > max_inductions) return false;
  find_exit_tests();
  const InductionVariable *found = choose_canonical();
  if (!found) return false;
  is_new_ = (steps_down(*found) && !all_of(inductions_, steps_down)) || !is_never_poison(*found);
  const InductionVariable canonical = is_new_ ? create_canonical() : *found;
  bool changed = is_new_;
  for (const InductionVariable &induction : inductions_) {
    if (induction.phi != canonical.phi) changed |= rewrite(induction, canonical);
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
    changed |= InductionVariables(*loop, evolution, dominators, expander, replaced).canonicalize();
  }
  expander.clear(); /* it holds handles to expanded instructions, some of which are deleted now */
  for (WeakTrackingVH &phi : replaced) {
    if (phi) RecursivelyDeleteDeadPHINode(cast<PHINode>(phi));
  }
  return preserve_blocks(changed);
}

}  // namespace quern
