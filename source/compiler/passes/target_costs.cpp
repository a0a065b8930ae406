/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Costs by TargetTransformInfo, for vectors that fill a register. */
#include "compiler/passes/target_costs.hpp"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace quern {

/* Vector operations that start in a cycle: of most CPUs. */
static constexpr double common_issue_width = 2, common_scheduler_entries = 64;

namespace {

/* Asks for operations on vectors of 32-bit elements, unless other types are given. */
class Costs {
 public:
  Costs(const TargetTransformInfo &tti, LLVMContext &context)
      : tti_(tti),
        lanes_(std::max(2u, unsigned(tti.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)) / 32)),
        words_(FixedVectorType::get(Type::getInt32Ty(context), lanes_)),
        long_words_(FixedVectorType::get(Type::getInt64Ty(context), std::max(1u, lanes_ / 2))),
        bytes_(FixedVectorType::get(Type::getInt8Ty(context), lanes_)),
        floats_(FixedVectorType::get(Type::getFloatTy(context), lanes_)) {}

  lane_costs_t lanes() const;
  operation_costs_t operations() const;

 private:
  using Kind = TargetTransformInfo::TargetCostKind;

  static double number(InstructionCost cost, double otherwise) {
    return cost.isValid() ? std::max(1.0, double(cost.getValue())) : otherwise;
  }
  double per_lane(Intrinsic::ID id, VectorType *type, Kind kind) const;
  double transfer(unsigned opcode, VectorType *type) const;
  operation_cost_t arithmetic(unsigned opcode, Type *type) const;
  operation_cost_t intrinsic(Intrinsic::ID id, Type *type, unsigned operands) const;
  operation_cost_t comparison() const;

  const TargetTransformInfo &tti_;
  const unsigned lanes_;
  FixedVectorType *const words_, *const long_words_, *const bytes_, *const floats_;
};

}  // namespace

static constexpr auto throughput = TargetTransformInfo::TCK_RecipThroughput, latency = TargetTransformInfo::TCK_Latency;

/* A masked access by its lanes, whether there is an instruction or not, at addresses of which nothing is known. */
double Costs::per_lane(Intrinsic::ID id, VectorType *type, Kind kind) const {
  const Value *address = PoisonValue::get(type->getWithNewType(PointerType::get(type->getContext(), 0)));
  const MemIntrinsicCostAttributes access(id, type, address, /*VariableMask=*/true,
                                          Align(type->getScalarSizeInBits() / 8));
  return number(tti_.getMemIntrinsicInstrCost(access, kind), lanes_) / lanes_;
}

/* An insertion or extraction of one lane. */
double Costs::transfer(unsigned opcode, VectorType *type) const {
  return number(tti_.getVectorInstrCost(opcode, type, throughput), 1);
}

operation_cost_t Costs::arithmetic(unsigned opcode, Type *type) const {
  return {number(tti_.getArithmeticInstrCost(opcode, type, latency), 1),
          number(tti_.getArithmeticInstrCost(opcode, type, throughput), 1)};
}

operation_cost_t Costs::intrinsic(Intrinsic::ID id, Type *type, unsigned operands) const {
  const SmallVector<Type *, 3> types(operands, type);
  const IntrinsicCostAttributes call(id, type, types);
  return {number(tti_.getIntrinsicInstrCost(call, latency), 1),
          number(tti_.getIntrinsicInstrCost(call, throughput), 1)};
}

operation_cost_t Costs::comparison() const {
  Type *mask = CmpInst::makeCmpResultType(words_);
  auto ask = [&](Kind kind) {
    return number(tti_.getCmpSelInstrCost(Instruction::ICmp, words_, mask, CmpInst::ICMP_ULT, kind), 1);
  };
  return {ask(latency), ask(throughput)};
}

lane_costs_t Costs::lanes() const {
  const double address = transfer(Instruction::ExtractElement, long_words_);
  const double access = number(tti_.getMemoryOpCost(Instruction::Load, words_->getElementType(), Align(4), 0), 1);
  return {per_lane(Intrinsic::masked_gather, words_, throughput),
          per_lane(Intrinsic::masked_gather, bytes_, throughput),
          per_lane(Intrinsic::masked_scatter, words_, throughput),
          address + access + transfer(Instruction::InsertElement, words_),
          address + access + transfer(Instruction::ExtractElement, words_),
          per_lane(Intrinsic::masked_load, words_, throughput),
          /*masked_store=*/0};
}

operation_costs_t Costs::operations() const {
  operation_costs_t out = {};
  out.issue_width = common_issue_width;
  out.scheduler_entries = common_scheduler_entries;
  out.load_latency = number(tti_.getMemoryOpCost(Instruction::Load, words_, Align(4), 0, latency), 1);
  out.gather_latency = out.load_latency + lanes_ * per_lane(Intrinsic::masked_gather, words_, latency);
  out.cycles_per_gathered = per_lane(Intrinsic::masked_gather, words_, throughput) / common_issue_width;
  out.cycles_per_scattered = per_lane(Intrinsic::masked_scatter, words_, throughput) / common_issue_width;
  out.simple = arithmetic(Instruction::Add, words_);
  out.rotation = intrinsic(Intrinsic::fshl, words_, 3);
  out.multiplication = arithmetic(Instruction::Mul, words_);
  out.wide_multiplication = arithmetic(Instruction::Mul, long_words_);
  out.integer_division = arithmetic(Instruction::UDiv, words_);
  out.arithmetic = arithmetic(Instruction::FAdd, floats_);
  out.division = arithmetic(Instruction::FDiv, floats_);
  out.square_root = intrinsic(Intrinsic::sqrt, floats_, 1);
  out.function = intrinsic(Intrinsic::fma, floats_, 3);
  out.comparison = comparison();
  return out;
}

target_costs_t complete_target_costs(const target_costs_t &given, const TargetTransformInfo &tti,
                                     LLVMContext &context) {
  target_costs_t out = given;
  const Costs costs(tti, context);
  if (out.lanes.gather == 0) out.lanes = costs.lanes();
  if (out.operations.issue_width == 0) out.operations = costs.operations();
  return out;
}

}  // namespace quern
