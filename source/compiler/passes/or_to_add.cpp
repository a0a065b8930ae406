/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recovery of add from disjoint or, with known bits from dominating branches (DomConditionCache). */
#include "compiler/passes/or_to_add.hpp"

#include <llvm/Analysis/DomConditionCache.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* Width of an index before its extension. */
static constexpr unsigned index_bits = 32;

/* Nested ors that are searched, one per dimension of an index. */
static constexpr unsigned max_or_depth = 3;

namespace {

class BoundedIndices {
 public:
  BoundedIndices(Function &function, const DominatorTree &dominators);

  bool run();

 private:
  APInt known_zeros(const Value *value, const Instruction &at, unsigned depth = max_or_depth) const;
  bool replace_or_by_add(BinaryOperator &mask);
  bool widen_mask(BinaryOperator &mask);

  Function &function_;
  const DominatorTree &dominators_;
  DomConditionCache conditions_;
};

}  // namespace

BoundedIndices::BoundedIndices(Function &function, const DominatorTree &dominators)
    : function_(function), dominators_(dominators) {
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch && branch->isConditional()) conditions_.registerBranch(branch);
  }
}

/* Bits of a 64-bit value that are known to be zero at `at`. Conditions usually compare its truncation to 32 bits, so
 * the known bits of the truncations count too. */
APInt BoundedIndices::known_zeros(const Value *value, const Instruction &at, unsigned depth) const {
  const SimplifyQuery query(at.getDataLayout(), nullptr, &dominators_, nullptr, &at, true, true, &conditions_);
  const Value *left, *right;
  if (depth && match(value, m_Or(m_Value(left), m_Value(right)))) {
    return known_zeros(left, at, depth - 1) & known_zeros(right, at, depth - 1);
  }
  APInt zero_bits = computeKnownBits(value, query).Zero;
  if (isa<Constant>(value)) return zero_bits;
  for (const User *user : value->users()) {
    auto *low = dyn_cast<TruncInst>(user);
    if (!low || low->getFunction() != &function_ || !low->getType()->isIntegerTy(index_bits)) continue;
    if (dominators_.dominates(low, &at)) zero_bits |= computeKnownBits(low, query).Zero.zext(zero_bits.getBitWidth());
  }
  return zero_bits;
}

/* Replaces or by add when no bit in the mask can be one in both operands. */
bool BoundedIndices::replace_or_by_add(BinaryOperator &mask) {
  auto *sum = dyn_cast<PossiblyDisjointInst>(mask.getOperand(0));
  if (!sum || sum->isDisjoint()) return false;
  Value *left = sum->getOperand(0), *right = sum->getOperand(1);
  const APInt &bits = cast<ConstantInt>(mask.getOperand(1))->getValue();
  if (!bits.isSubsetOf(known_zeros(left, mask) | known_zeros(right, mask))) return false;
  mask.setOperand(0, BinaryOperator::CreateAdd(left, right, sum->getName(), mask.getIterator()));
  return true;
}

/* Widens the mask to 32 bits when the additional bits are zero anyway. */
bool BoundedIndices::widen_mask(BinaryOperator &mask) {
  const APInt low = APInt::getLowBitsSet(64, index_bits);
  const APInt &bits = cast<ConstantInt>(mask.getOperand(1))->getValue();
  if (bits.uge(low) || !low.isSubsetOf(bits | known_zeros(mask.getOperand(0), mask))) return false;
  mask.setOperand(1, ConstantInt::get(mask.getType(), low));
  return true;
}

bool BoundedIndices::run() {
  bool changed = false;
  for (Instruction &instruction : instructions(function_)) {
    const APInt *bits;
    if (!instruction.getType()->isIntegerTy(64) || !match(&instruction, m_And(m_Value(), m_APInt(bits)))) continue;
    if (!bits->isMask() || bits->getActiveBits() > index_bits) continue;
    auto &mask = cast<BinaryOperator>(instruction);
    /* Before the or is replaced: known bits of an add are less precise. */
    changed |= widen_mask(mask);
    changed |= replace_or_by_add(mask);
  }
  return changed;
}

PreservedAnalyses OrToAddPass::run(Function &function, FunctionAnalysisManager &analyses) {
  return preserve_blocks(BoundedIndices(function, analyses.getResult<DominatorTreeAnalysis>(function)).run());
}

}  // namespace quern
