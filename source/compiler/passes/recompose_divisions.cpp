/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * x / y * y + x % y becomes x. */
#include "compiler/passes/recompose_divisions.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* How deep expressions are compared: nothing has found common ones yet. */
static constexpr unsigned max_depth = 4;

/* Whether two values are the same expression of the same values. */
static bool are_same(const Value *a, const Value *b, unsigned depth = 0) {
  if (a == b) return true;
  auto *one = dyn_cast<Instruction>(a), *other = dyn_cast<Instruction>(b);
  if (!one || !other || depth == max_depth || !one->isSameOperationAs(other)) return false;
  if (!isa<BinaryOperator, CastInst, ExtractElementInst>(one)) return false;
  return all_of(zip(one->operands(), other->operands()),
                [depth](auto pair) { return are_same(std::get<0>(pair), std::get<1>(pair), depth + 1); });
}

static bool is_remainder(const Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  return operation && (operation->getOpcode() == Instruction::SRem || operation->getOpcode() == Instruction::URem);
}

/* Whether `product` is x / y * y for the remainder x % y. */
static bool is_multiple(const Value *product, const BinaryOperator &remainder) {
  const Value *factors[2];
  if (!match(product, m_Mul(m_Value(factors[0]), m_Value(factors[1])))) return false;
  const unsigned opcode = remainder.getOpcode() == Instruction::SRem ? Instruction::SDiv : Instruction::UDiv;
  for (const unsigned i : {0U, 1U}) {
    auto *division = dyn_cast<BinaryOperator>(factors[i]);
    if (division && division->getOpcode() == opcode && are_same(division->getOperand(0), remainder.getOperand(0)) &&
        are_same(division->getOperand(1), remainder.getOperand(1)) && are_same(factors[1 - i], remainder.getOperand(1)))
      return true;
  }
  return false;
}

/* What the sum is put together from, or null. */
static Value *recomposed(const BinaryOperator &sum) {
  for (const unsigned i : {0U, 1U}) {
    if (!is_remainder(sum.getOperand(i))) continue;
    auto *remainder = cast<BinaryOperator>(sum.getOperand(i));
    if (is_multiple(sum.getOperand(1 - i), *remainder)) return remainder->getOperand(0);
  }
  return nullptr;
}

static void promote_variables(Function &function) {
  SmallVector<AllocaInst *, 16> variables;
  for (Instruction &instruction : function.getEntryBlock()) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (variable && isAllocaPromotable(variable)) variables.push_back(variable);
  }
  if (variables.empty()) return;
  DominatorTree dominators(function);
  PromoteMemToReg(variables, dominators);
}

bool recompose_divisions(Function &function) {
  if (none_of(instructions(function), [](const Instruction &one) { return is_remainder(&one); })) return false;
  promote_variables(function);
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (instruction.getOpcode() != Instruction::Add) continue;
    Value *whole = recomposed(cast<BinaryOperator>(instruction));
    if (!whole) continue;
    instruction.replaceAllUsesWith(whole);
    instruction.eraseFromParent();
  }
  return true;
}

PreservedAnalyses RecomposeDivisionsPass::run(Function &function, FunctionAnalysisManager &) {
  if (!recompose_divisions(function)) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace quern
