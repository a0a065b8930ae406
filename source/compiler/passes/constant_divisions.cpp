/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divisions of floats by constants as products with both parts of the inverse. */
#include "compiler/passes/constant_divisions.hpp"

#include <cmath>
#include <optional>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* OpenCL C section 7.4: error bound in ulp of a division of floats that need not be correctly rounded. */
static constexpr float division_accuracy = 2.5f;

namespace {

/* The inverse of a number as a sum. Both have the same sign, so that their products with infinity have a sum. */
struct Inverse {
  float high, low;
};

}  // namespace

static std::optional<Inverse> inverse_of(float divisor) {
  /* Beyond these, the lower part could be a denormal number. */
  const float least = 0x1p-96f, most = 0x1p96f;
  if (!(std::fabs(divisor) >= least && std::fabs(divisor) <= most)) return std::nullopt;
  const double inverse = 1 / double(divisor);
  auto high = float(inverse);
  if (std::fabs(double(high)) > std::fabs(inverse)) high = std::nextafter(high, 0.0f);
  const auto low = float(inverse - double(high));
  if (low == 0) return std::nullopt; /* A power of two: InstCombine has a product for it. */
  return Inverse{high, low};
}

static std::optional<Inverse> inverse_of_divisor(const Instruction &instruction) {
  const APFloat *divisor;
  if (!instruction.getType()->getScalarType()->isFloatTy()) return std::nullopt;
  if (!match(&instruction, m_FDiv(m_Value(), m_APFloat(divisor)))) return std::nullopt;
  if (isa<Constant>(instruction.getOperand(0))) return std::nullopt;
  if (cast<FPMathOperator>(instruction).getFPAccuracy() < division_accuracy) return std::nullopt;
  return inverse_of(divisor->convertToFloat());
}

/* A machine without fused operations calls the library for them, which costs more than a product and a sum. */
static bool is_cheaper(Type *type, const TargetTransformInfo &machine) {
  const auto kind = TargetTransformInfo::TCK_RecipThroughput;
  const InstructionCost product = machine.getArithmeticInstrCost(Instruction::FMul, type, kind);
  const InstructionCost sum = machine.getArithmeticInstrCost(Instruction::FAdd, type, kind);
  const IntrinsicCostAttributes fused(Intrinsic::fma, type, {type, type, type});
  const InstructionCost both = machine.getIntrinsicInstrCost(fused, kind);
  return both <= product + sum && both + product < machine.getArithmeticInstrCost(Instruction::FDiv, type, kind);
}

PreservedAnalyses DivideByConstantsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &machine = analyses.getResult<TargetIRAnalysis>(function);
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    const std::optional<Inverse> inverse = inverse_of_divisor(instruction);
    Type *type = instruction.getType();
    if (!inverse || !is_cheaper(type, machine)) continue;
    IRBuilder<> builder(&instruction);
    FastMathFlags flags = instruction.getFastMathFlags();
    flags.setAllowReassoc(false);
    builder.setFastMathFlags(flags);
    Value *x = instruction.getOperand(0);
    Value *rest = builder.CreateFMul(x, ConstantFP::get(type, double(inverse->low)));
    Value *quotient =
        builder.CreateIntrinsic(Intrinsic::fma, {type}, {x, ConstantFP::get(type, double(inverse->high)), rest});
    quotient->takeName(&instruction);
    instruction.replaceAllUsesWith(quotient);
    instruction.eraseFromParent();
    changed = true;
  }
  return preserve_blocks(changed);
}

}  // namespace quern
