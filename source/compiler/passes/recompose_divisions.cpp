/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * x / y * y + x % y becomes x. */
#include "compiler/passes/recompose_divisions.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/division.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* Whether `operation` divides by `divisor` in the program's text: make_divisions_defined() divides by 1 where it is 0
 * or -1. */
static bool divides_by(const Instruction &operation, const Value *divisor) {
  const Value *actual = operation.getOperand(1);
  if (actual == divisor) return true;
  if (!operation.hasMetadata(made_defined_metadata)) return false;
  return match(actual, m_Select(m_Value(), m_One(), m_Specific(divisor))) ||
         match(actual, m_c_UMax(m_Specific(divisor), m_One()));
}

/* The quotient of a signed division by -1 is chosen afterwards. */
static const Value *strip_negation(const Value *quotient, const Value *dividend, const Value *divisor) {
  const Value *division;
  CmpPredicate predicate;
  const bool is_choice = match(quotient, m_Select(m_ICmp(predicate, m_Specific(divisor), m_AllOnes()),
                                                  m_Neg(m_Specific(dividend)), m_Value(division)));
  return is_choice && predicate == CmpInst::ICMP_EQ ? division : quotient;
}

/* Whether `product` is dividend / divisor * divisor, with a division like that of `remainder`. */
static bool is_multiple(const Value *product, const BinaryOperator &remainder) {
  const Value *factors[2], *dividend = remainder.getOperand(0);
  if (!match(product, m_Mul(m_Value(factors[0]), m_Value(factors[1])))) return false;
  const unsigned opcode = remainder.getOpcode() == Instruction::SRem ? Instruction::SDiv : Instruction::UDiv;
  for (const unsigned i : {0U, 1U}) {
    const Value *divisor = factors[i];
    auto *division = dyn_cast<BinaryOperator>(strip_negation(factors[1 - i], dividend, divisor));
    if (division && division->getOpcode() == opcode && division->getOperand(0) == dividend &&
        divides_by(*division, divisor) && divides_by(remainder, divisor))
      return true;
  }
  return false;
}

/* What the sum is put together from, or null. */
static Value *recomposed(const BinaryOperator &sum) {
  for (const unsigned i : {0U, 1U}) {
    auto *remainder = dyn_cast<BinaryOperator>(sum.getOperand(i));
    const bool is_remainder =
        remainder && (remainder->getOpcode() == Instruction::SRem || remainder->getOpcode() == Instruction::URem);
    if (is_remainder && is_multiple(sum.getOperand(1 - i), *remainder)) return remainder->getOperand(0);
  }
  return nullptr;
}

PreservedAnalyses RecomposeDivisionsPass::run(Function &function, FunctionAnalysisManager &) {
  bool is_changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (instruction.getOpcode() != Instruction::Add) continue;
    Value *whole = recomposed(cast<BinaryOperator>(instruction));
    if (!whole) continue;
    instruction.replaceAllUsesWith(whole);
    instruction.eraseFromParent();
    is_changed = true;
  }
  if (!is_changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace quern
