/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Evaluates expressions in each iteration of the loops that they change with. */
#include "compiler/passes/unrolled_trip_counts.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace quern {

namespace {

/* Combinations of iterations that are looked at, and iterations that a phi is followed through. */
constexpr uint64_t most_combinations = 1024, most_iterations = 64;

/* Operations that SCEV has no expression for: the most in each other's operands, and the most, with phis, that are
 * evaluated for one trip count. */
constexpr unsigned most_nested = 16, most_evaluated = 4096;

using Iterations = SmallDenseMap<const Loop *, uint64_t, 4>;

/* Collects the loops that an expression depends on. */
class DependentLoops {
 public:
  DependentLoops(ScalarEvolution &SE, const LoopInfo &loop_info, LoopSet &loops)
      : SE_(SE), loop_info_(loop_info), loops_(loops) {}
  bool find(const SCEV *expression);

 private:
  bool find_in_phi(const PHINode &phi);
  bool find_in_operands(const Instruction &operation);

  ScalarEvolution &SE_;
  const LoopInfo &loop_info_;
  LoopSet &loops_;
  SmallPtrSet<const Instruction *, 8> found_;
  unsigned depth_ = 0;
};

/* Rewrites expressions to their values in one iteration of each of some loops. */
class IterationValue : public SCEVRewriteVisitor<IterationValue> {
 public:
  /** Counts `evaluated` up; what is beyond the limit stays as it is. */
  IterationValue(ScalarEvolution &SE, const LoopInfo &loop_info, const Iterations &iterations, unsigned &evaluated)
      : SCEVRewriteVisitor(SE), loop_info_(loop_info), iterations_(iterations), evaluated_(evaluated) {}

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *recurrence) {
    auto found = iterations_.find(recurrence->getLoop());
    if (found == iterations_.end()) return recurrence;
    const SCEV *iteration = SE.getConstant(SE.getEffectiveSCEVType(recurrence->getType()), found->second);
    return visit(recurrence->evaluateAtIteration(iteration, SE));
  }
  const SCEV *visitUnknown(const SCEVUnknown *unknown);

 private:
  const SCEV *visit_phi(const PHINode &phi);

  const LoopInfo &loop_info_;
  const Iterations &iterations_;
  unsigned &evaluated_;
};

}  // namespace

/* An operation on integers that SCEV may have no expression for; else null. */
static const Instruction *as_operation(const SCEVUnknown &unknown) {
  auto *instruction = dyn_cast<Instruction>(unknown.getValue());
  const bool is_operation = instruction && isa<BinaryOperator, CmpInst, SelectInst, CastInst>(instruction);
  auto is_integer = [](const Value *operand) { return operand->getType()->isIntegerTy(); };
  return is_operation && all_of(instruction->operands(), is_integer) ? instruction : nullptr;
}

/* The loop whose header has the phi, if it has a preheader and one latch; else null. */
static const Loop *loop_of_phi(const PHINode &phi, const LoopInfo &loop_info) {
  const Loop *loop = loop_info.getLoopFor(phi.getParent());
  const bool is_in_header = loop && loop->getHeader() == phi.getParent() && phi.getType()->isIntegerTy();
  return is_in_header && loop->getLoopPreheader() && loop->getLoopLatch() ? loop : nullptr;
}

/* The next value of a phi of the header, in terms of the loop's own iteration. */
static const SCEV *next_value(const PHINode &phi, const Loop &loop, ScalarEvolution &SE) {
  return SE.getSCEVAtScope(phi.getIncomingValueForBlock(loop.getLoopLatch()), &loop);
}

bool DependentLoops::find_in_phi(const PHINode &phi) {
  const Loop *loop = loop_of_phi(phi, loop_info_);
  if (!loop) return false;
  loops_.insert(loop);
  return find(SE_.getSCEV(phi.getIncomingValueForBlock(loop->getLoopPreheader()))) && find(next_value(phi, *loop, SE_));
}

bool DependentLoops::find_in_operands(const Instruction &operation) {
  return all_of(operation.operands(), [&](Value *operand) { return find(SE_.getSCEV(operand)); });
}

bool DependentLoops::find(const SCEV *expression) {
  return !SCEVExprContains(expression, [&](const SCEV *part) {
    if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(part)) loops_.insert(recurrence->getLoop());
    if (isa<SCEVCouldNotCompute>(part)) return true;
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    if (!unknown) return false;
    auto *phi = dyn_cast<PHINode>(unknown->getValue());
    const Instruction *operation = phi ? phi : as_operation(*unknown);
    if (!operation || depth_ == most_nested) return true;
    if (!found_.insert(operation).second) return false;
    depth_++;
    const bool is_found = phi ? find_in_phi(*phi) : find_in_operands(*operation);
    depth_--;
    return !is_found;
  });
}

const SCEV *IterationValue::visit_phi(const PHINode &phi) {
  const Loop *loop = loop_of_phi(phi, loop_info_);
  auto found = loop ? iterations_.find(loop) : iterations_.end();
  if (found == iterations_.end() || found->second > most_iterations) return SE.getUnknown(const_cast<PHINode *>(&phi));
  if (found->second == 0) return visit(SE.getSCEV(phi.getIncomingValueForBlock(loop->getLoopPreheader())));
  Iterations before = iterations_;
  before[loop]--;
  return IterationValue(SE, loop_info_, before, evaluated_).visit(next_value(phi, *loop, SE));
}

const SCEV *IterationValue::visitUnknown(const SCEVUnknown *unknown) {
  if (evaluated_ == most_evaluated) return unknown;
  evaluated_++;
  if (auto *phi = dyn_cast<PHINode>(unknown->getValue())) return visit_phi(*phi);
  const Instruction *operation = as_operation(*unknown);
  if (!operation) return unknown;
  SmallVector<Constant *, 3> operands;
  for (Value *operand : operation->operands()) {
    auto *value = dyn_cast<SCEVConstant>(visit(SE.getSCEV(operand)));
    if (!value) return unknown;
    operands.push_back(value->getValue());
  }
  const DataLayout &layout = operation->getModule()->getDataLayout();
  auto *folded =
      dyn_cast_or_null<ConstantInt>(ConstantFoldInstOperands(const_cast<Instruction *>(operation), operands, layout));
  return folded ? SE.getConstant(folded) : unknown;
}

bool find_dependent_loops(const SCEV *expression, ScalarEvolution &SE, const LoopInfo &loop_info, LoopSet &loops) {
  return DependentLoops(SE, loop_info, loops).find(expression);
}

/* The mean of `count` + 1, rounded up, over all combinations of iterations; 0 if it is no constant in one of them. */
static uint64_t find_mean(const SCEV *count, ScalarEvolution &SE, const LoopInfo &loop_info, const LoopSet &loops) {
  uint64_t combinations = 1, sum = 0;
  for (const Loop *loop : loops) {
    combinations *= SE.getSmallConstantTripCount(loop);
    if (combinations == 0 || combinations > most_combinations) return 0;
  }
  unsigned evaluated = 0;
  for (uint64_t at = 0; at < combinations; at++) {
    Iterations iterations;
    uint64_t rest = at;
    for (const Loop *loop : loops) {
      iterations[loop] = rest % SE.getSmallConstantTripCount(loop);
      rest /= SE.getSmallConstantTripCount(loop);
    }
    auto *value = dyn_cast<SCEVConstant>(IterationValue(SE, loop_info, iterations, evaluated).visit(count));
    if (!value) return 0;
    /* -1 is that of a loop that is not entered then, unless it was extended */
    sum += (value->getAPInt() + 1).getLimitedValue(UINT32_MAX);
  }
  return divideCeil(sum, combinations);
}

uint64_t find_mean_trip_count(const Loop &loop, ScalarEvolution &SE, const LoopInfo &loop_info, LoopSet &outer) {
  outer.clear();
  if (const unsigned count = SE.getSmallConstantTripCount(&loop)) return count;
  const SCEV *count = SE.getBackedgeTakenCount(&loop);
  if (!find_dependent_loops(count, SE, loop_info, outer)) return 0;
  const uint64_t mean = find_mean(count, SE, loop_info, outer);
  return mean ? mean : SE.getSmallConstantMaxTripCount(&loop);
}

}  // namespace quern
