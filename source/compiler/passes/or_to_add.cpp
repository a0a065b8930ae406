/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What branches tell of the bits of sums. */
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

/* Of an index before it was extended. */
static constexpr unsigned index_bits = 32;

/* Dimensions of an index. */
static constexpr unsigned deepest = 3;

namespace {

class BoundedIndices {
 public:
  BoundedIndices(Function &function, const DominatorTree &dominators);

  bool run();

 private:
  APInt zeros(const Value *value, const Instruction &at, unsigned depth = deepest) const;
  bool add_parts(BinaryOperator &mask);
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

/* Bits that are known to be zero where `at` runs, of a number of 64 bits. Bounds are mostly of its low half. */
APInt BoundedIndices::zeros(const Value *value, const Instruction &at, unsigned depth) const {
  const SimplifyQuery query(at.getDataLayout(), nullptr, &dominators_, nullptr, &at, true, true, &conditions_);
  const Value *left, *right;
  if (depth && match(value, m_Or(m_Value(left), m_Value(right)))) {
    return zeros(left, at, depth - 1) & zeros(right, at, depth - 1);
  }
  APInt known = computeKnownBits(value, query).Zero;
  if (isa<Constant>(value)) return known;
  for (const User *user : value->users()) {
    auto *low = dyn_cast<TruncInst>(user);
    if (!low || low->getFunction() != &function_ || !low->getType()->isIntegerTy(index_bits)) continue;
    if (dominators_.dominates(low, &at)) known |= computeKnownBits(low, query).Zero.zext(known.getBitWidth());
  }
  return known;
}

/* Where no bit that is left is one in both. */
bool BoundedIndices::add_parts(BinaryOperator &mask) {
  auto *whole = dyn_cast<PossiblyDisjointInst>(mask.getOperand(0));
  if (!whole || whole->isDisjoint()) return false;
  Value *left = whole->getOperand(0), *right = whole->getOperand(1);
  const APInt &bits = cast<ConstantInt>(mask.getOperand(1))->getValue();
  if (!bits.isSubsetOf(zeros(left, mask) | zeros(right, mask))) return false;
  mask.setOperand(0, BinaryOperator::CreateAdd(left, right, whole->getName(), mask.getIterator()));
  return true;
}

/* Where the bits above are zeros anyway. */
bool BoundedIndices::widen_mask(BinaryOperator &mask) {
  const APInt low = APInt::getLowBitsSet(64, index_bits);
  const APInt &bits = cast<ConstantInt>(mask.getOperand(1))->getValue();
  if (bits.uge(low) || !low.isSubsetOf(bits | zeros(mask.getOperand(0), mask))) return false;
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
    /* As it was, before what is known of the parts is lost. */
    changed |= widen_mask(mask);
    changed |= add_parts(mask);
  }
  return changed;
}

PreservedAnalyses OrToAddPass::run(Function &function, FunctionAnalysisManager &analyses) {
  return preserve_blocks(BoundedIndices(function, analyses.getResult<DominatorTreeAnalysis>(function)).run());
}

}  // namespace quern
