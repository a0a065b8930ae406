/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Masks out of bounds. */
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

/* for (turn = 0, is_on = first;; turn += step) {
 *   ...
 *   is_on &= turn < bound;
 *   if (none of is_on) break;
 * }
 *
 * `step` is a power of two of at least 2, and all bounds are multiples of it: then a lane is on in a later turn where
 * turn <= bound, neither bound + 1 nor turn + 1 is too large for its type, and turn never is. There is no other way
 * out: what the first test finds, each later turn may rely on. */
struct BoundLoop {
  BasicBlock *before;
  PHINode *turn, *is_on;
  Value *first, *bound;
  BranchInst *branch;
  bool is_left_if_true;
};

}  // namespace

static bool is_multiple(const Value *value, const APInt &step, const DataLayout &layout) {
  return computeKnownBits(value, layout).countMinTrailingZeros() >= step.logBase2();
}

/* What says when the loop is left: `none` of the lanes in `is_on` is. */
static bool is_test(const BranchInst &branch, const Value *is_on, bool *is_left_if_true) {
  CmpPredicate predicate;
  if (!branch.isConditional() || !branch.getCondition()->hasOneUse()) return false;
  auto lanes = m_OneUse(m_BitCast(m_Specific(is_on)));
  if (!match(branch.getCondition(), m_ICmp(predicate, lanes, m_ZeroInt())) || !ICmpInst::isEquality(predicate)) {
    return false;
  }
  *is_left_if_true = predicate == ICmpInst::ICMP_EQ;
  return true;
}

static std::optional<BoundLoop> match_loop(const Loop &loop, PHINode &is_on, unsigned register_bits) {
  auto *lanes = dyn_cast<FixedVectorType>(is_on.getType());
  BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  if (!lanes || !lanes->getElementType()->isIntegerTy(1) || !before) return std::nullopt;
  if (!latch || loop.getExitingBlock() != latch) return std::nullopt;
  BoundLoop out = {before, nullptr, &is_on, is_on.getIncomingValueForBlock(before), nullptr, nullptr, false};
  Value *next = is_on.getIncomingValueForBlock(latch), *is_below, *turns;
  if (!next->hasNUses(2) || !match(next, m_LogicalAnd(m_Specific(&is_on), m_OneUse(m_Value(is_below))))) {
    return std::nullopt;
  }
  if (!match(is_below, m_SpecificICmp(ICmpInst::ICMP_ULT, m_Value(turns), m_Value(out.bound)))) return std::nullopt;
  if (!loop.isLoopInvariant(out.bound)) return std::nullopt;
  const APInt *step;
  out.turn = dyn_cast_or_null<PHINode>(getSplatValue(turns));
  if (!out.turn || out.turn->getParent() != loop.getHeader()) return std::nullopt;
  if (!match(out.turn->getIncomingValueForBlock(before), m_ZeroInt())) return std::nullopt;
  if (!match(out.turn->getIncomingValueForBlock(latch), m_Add(m_Specific(out.turn), m_APInt(step)))) {
    return std::nullopt;
  }
  if (!step->isPowerOf2() || step->isOne()) return std::nullopt;
  const DataLayout &layout = before->getDataLayout();
  if (lanes->getNumElements() * step->getBitWidth() <= register_bits) return std::nullopt;
  if (!is_multiple(out.bound, *step, layout)) return std::nullopt;
  out.branch = dyn_cast<BranchInst>(latch->getTerminator());
  if (!out.branch || !is_test(*out.branch, next, &out.is_left_if_true)) return std::nullopt;
  if (loop.contains(out.branch->getSuccessor(out.is_left_if_true ? 0 : 1))) return std::nullopt;
  return out;
}

static void rewrite(const BoundLoop &loop) {
  IRBuilder<> builder(loop.before->getTerminator());
  Type *type = loop.bound->getType();
  auto count = cast<VectorType>(type)->getElementCount();
  Constant *one = ConstantInt::get(loop.turn->getType(), 1);
  Value *raised = builder.CreateAdd(loop.bound, ConstantInt::get(type, 1));
  Value *bound = builder.CreateSelect(loop.first, raised, Constant::getNullValue(type));
  Value *highest = builder.CreateIntMaxReduce(bound);
  BasicBlock *header = loop.turn->getParent();
  builder.SetInsertPoint(header, header->getFirstInsertionPt());
  loop.is_on->replaceAllUsesWith(builder.CreateICmpULT(builder.CreateVectorSplat(count, loop.turn), bound));
  loop.is_on->eraseFromParent();
  builder.SetInsertPoint(loop.branch);
  Value *next = builder.CreateAdd(loop.turn, one), *test = loop.branch->getCondition();
  loop.branch->setCondition(loop.is_left_if_true ? builder.CreateICmpUGE(next, highest)
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
