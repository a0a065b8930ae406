/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Masks from trip counts. */
#include "compiler/passes/vectorize/transform/trip_count_masks.hpp"

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/preserved.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* for (counter = 0, mask = first;; counter += step) {
 *   ...
 *   mask &= counter < bound;
 *   if (none of mask) break;
 * }
 *
 * `step` is a power of two of at least 2, and all bounds are multiples of it: then a lane is active in a later
 * iteration where counter <= bound, and neither bound + 1 nor counter + 1 wraps. There is no other exit: if any lane is
 * active in the first iteration, the loop ends with the highest bound. */
struct BoundLoop {
  BasicBlock *before;
  PHINode *counter, *mask;
  Value *first, *bound;
  BranchInst *branch;
  bool exits_if_true;
};

}  // namespace

static bool is_multiple(const Value *value, const APInt &step, const DataLayout &layout) {
  return computeKnownBits(value, layout).countMinTrailingZeros() >= step.logBase2();
}

/* Matches the exit test: no lane of `mask` is active. */
static bool is_test(const BranchInst &branch, const Value *mask, bool *exits_if_true) {
  CmpPredicate predicate;
  if (!branch.isConditional() || !branch.getCondition()->hasOneUse()) return false;
  auto lanes = m_OneUse(m_BitCast(m_Specific(mask)));
  if (!match(branch.getCondition(), m_ICmp(predicate, lanes, m_ZeroInt())) || !ICmpInst::isEquality(predicate)) {
    return false;
  }
  *exits_if_true = predicate == ICmpInst::ICMP_EQ;
  return true;
}

static std::optional<BoundLoop> match_loop(const Loop &loop, PHINode &mask, unsigned register_bits) {
  auto *lanes = dyn_cast<FixedVectorType>(mask.getType());
  BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  if (!lanes || !lanes->getElementType()->isIntegerTy(1) || !before) return std::nullopt;
  if (!latch || loop.getExitingBlock() != latch) return std::nullopt;
  BoundLoop out = {before, nullptr, &mask, mask.getIncomingValueForBlock(before), nullptr, nullptr, false};
  Value *next = mask.getIncomingValueForBlock(latch), *is_below, *counters;
  if (!next->hasNUses(2) || !match(next, m_LogicalAnd(m_Specific(&mask), m_OneUse(m_Value(is_below))))) {
    return std::nullopt;
  }
  if (!match(is_below, m_SpecificICmp(ICmpInst::ICMP_ULT, m_Value(counters), m_Value(out.bound)))) return std::nullopt;
  if (!loop.isLoopInvariant(out.bound)) return std::nullopt;
  const APInt *step;
  out.counter = dyn_cast_or_null<PHINode>(getSplatValue(counters));
  if (!out.counter || out.counter->getParent() != loop.getHeader()) return std::nullopt;
  if (!match(out.counter->getIncomingValueForBlock(before), m_ZeroInt())) return std::nullopt;
  if (!match(out.counter->getIncomingValueForBlock(latch), m_Add(m_Specific(out.counter), m_APInt(step)))) {
    return std::nullopt;
  }
  if (!step->isPowerOf2() || step->isOne()) return std::nullopt;
  const DataLayout &layout = before->getDataLayout();
  if (lanes->getNumElements() * step->getBitWidth() <= register_bits) return std::nullopt;
  if (!is_multiple(out.bound, *step, layout)) return std::nullopt;
  out.branch = dyn_cast<BranchInst>(latch->getTerminator());
  if (!out.branch || !is_test(*out.branch, next, &out.exits_if_true)) return std::nullopt;
  if (loop.contains(out.branch->getSuccessor(out.exits_if_true ? 0 : 1))) return std::nullopt;
  return out;
}

static void rewrite(const BoundLoop &loop) {
  IRBuilder<> builder(loop.before->getTerminator());
  Type *type = loop.bound->getType();
  auto count = cast<VectorType>(type)->getElementCount();
  Constant *one = ConstantInt::get(loop.counter->getType(), 1);
  Value *raised = builder.CreateAdd(loop.bound, ConstantInt::get(type, 1));
  Value *bound = builder.CreateSelect(loop.first, raised, Constant::getNullValue(type));
  Value *highest = builder.CreateIntMaxReduce(bound);
  BasicBlock *header = loop.counter->getParent();
  builder.SetInsertPoint(header, header->getFirstInsertionPt());
  loop.mask->replaceAllUsesWith(builder.CreateICmpULT(builder.CreateVectorSplat(count, loop.counter), bound));
  loop.mask->eraseFromParent();
  builder.SetInsertPoint(loop.branch);
  Value *next = builder.CreateAdd(loop.counter, one), *test = loop.branch->getCondition();
  loop.branch->setCondition(loop.exits_if_true ? builder.CreateICmpUGE(next, highest)
                                               : builder.CreateICmpULT(next, highest));
  RecursivelyDeleteTriviallyDeadInstructions(test);
}

PreservedAnalyses TripCountMasksPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const unsigned bits = register_bits(analyses.getResult<TargetIRAnalysis>(function));
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    for (PHINode &phi : make_early_inc_range(loop->getHeader()->phis())) {
      if (auto found = match_loop(*loop, phi, bits)) {
        rewrite(*found);
        changed = true;
      }
    }
  }
  return preserve_blocks(changed);
}

}  // namespace quern
