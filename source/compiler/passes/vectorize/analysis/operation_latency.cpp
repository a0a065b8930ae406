/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Latency and units of single operations, from the target's table. */
#include "compiler/passes/vectorize/analysis/operation_latency.hpp"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"

using namespace llvm;

namespace quern {

unsigned OperationLatency::registers(const Type *type) const {
  unsigned components = 1;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) components = vector->getNumElements();
  unsigned bits = type->isPtrOrPtrVectorTy() ? 64 : type->getScalarSizeInBits();
  if (bits < 8) return 0;                                                          /* a mask */
  if (width_ == 1) return unsigned(divideCeil(components * bits, register_bits_)); /* explicit vectors stay whole */
  return components * std::max(1U, width_ * bits / register_bits_);
}

/* By a uniform number it is a product between two conversions, of doubles. */
operation_cost_t OperationLatency::division_cost(const Instruction &division) const {
  if (!analysis_.is_uniform(division.getOperand(1))) return costs_.integer_division;
  const operation_cost_t one = costs_.arithmetic;
  return {3 * one.latency, 6 * one.operations};
}

operation_cost_t OperationLatency::arithmetic_cost(const Instruction &instruction) const {
  bool is_wide = instruction.getType()->getScalarSizeInBits() > 32;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->hasMetadata(prefetch_mark)) return {0, 0};
    switch (intrinsic->getIntrinsicID()) {
      case Intrinsic::sqrt: return costs_.square_root;
      case Intrinsic::fshl: /* a rotation */
      case Intrinsic::fshr: return costs_.rotation;
      default: return costs_.function;
    }
  }
  switch (instruction.getOpcode()) {
    case Instruction::Mul: return is_wide ? costs_.wide_multiplication : costs_.multiplication;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return division_cost(instruction);
    case Instruction::FDiv: return costs_.division;
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FPTrunc:
    case Instruction::FPExt:
    case Instruction::FPToUI:
    case Instruction::FPToSI:
    case Instruction::UIToFP:
    case Instruction::SIToFP: return costs_.arithmetic;
    case Instruction::ICmp:
    case Instruction::FCmp: return costs_.comparison;
    case Instruction::GetElementPtr: return {1, 0}; /* mostly folded into the gather */
    default: return costs_.simple;
  }
}

operation_cost_t OperationLatency::cost(const Instruction &instruction) const {
  if (const Value *address = getLoadStorePointerOperand(&instruction)) {
    bool is_load = isa<LoadInst>(instruction);
    if (!is_varying(address) || width_ == 1) return {costs_.load_latency, 1};
    const double cycles = width_ * (is_load ? costs_.cycles_per_gathered : costs_.cycles_per_scattered);
    return {is_load ? costs_.gather_latency : 0.0, cycles * costs_.issue_width};
  }
  if (!is_varying(&instruction)) return {1, 0};
  operation_cost_t one = arithmetic_cost(instruction);
  const Type *type = instruction.getType()->isVoidTy() || isa<CmpInst>(instruction)
                         ? instruction.getOperand(0)->getType()
                         : instruction.getType();
  return {one.latency, one.operations * std::max(1U, registers(type))};
}

}  // namespace quern
