/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a turn of a loop takes: as long as the longest chain of operations from a value to that of the next turn, or as
 * long as the units need for all of its operations. Only that the former is much more is of interest, so the model is
 * coarse. */
#include "compiler/passes/vectorize/analysis/recurrence_latency.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/transform/wide_load_unroller.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

using namespace llvm;

namespace quern {

namespace {

/* Vector operations that are begun in a cycle, and cycles for an element that is gathered or scattered. */
constexpr double units = 2, gathered = 0.6, scattered = 1;
/* Operations for the masks of a branch that lanes take differently, and of a loop's end where they part. */
constexpr double branch_masks = 2, latch_masks = 4;
/* From which relation of waiting to work on it pays to do two vectors in a turn, and four: no processor begins all that
 * it could, and each turn waits for its end to be tested. */
constexpr double worth_two = 0.8, worth_four = 1.6;
/* Registers for constants, masks as vectors, and what is used at once. */
constexpr unsigned spare_registers = 4;
/* Vectors of turns that are joined in windows: the words of these take most registers, and what is the same in all
 * turns is wanted once in a window, so that it may as well be in memory. */
constexpr unsigned block_interleave_count = 2;

/** Of one vector operation: cycles until its result is there, and operations that it is made of. */
struct OperationTime {
  double latency, work;
};

class RecurrenceLatency {
 public:
  RecurrenceLatency(const ShapeAnalysis &analysis, const Loop &loop, unsigned width, unsigned register_bits)
      : analysis_(analysis), loop_(loop), width_(width), register_bits_(register_bits) {}

  /** Cycles from turn to turn, at least. */
  double chain() const;
  /** Cycles of the units. */
  double work() const;
  /** Registers whose values live through the loop. */
  unsigned registers() const;

 private:
  bool is_varying(const Value *value) const { return analysis_.shape(value).kind == Shape::varying; }
  unsigned registers(const Type *type) const;
  OperationTime time(const Instruction &instruction) const;
  OperationTime arithmetic(const Instruction &instruction) const;
  double chain_from(const PHINode &phi) const;

  const ShapeAnalysis &analysis_;
  const Loop &loop_;
  const unsigned width_, register_bits_;
};

unsigned RecurrenceLatency::registers(const Type *type) const {
  unsigned elements = 1;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) elements = vector->getNumElements();
  unsigned bits = type->isPtrOrPtrVectorTy() ? 64 : type->getScalarSizeInBits();
  if (bits < 8) return 0; /* a mask */
  return elements * std::max(1U, width_ * bits / register_bits_);
}

OperationTime RecurrenceLatency::arithmetic(const Instruction &instruction) const {
  bool is_wide = instruction.getType()->getScalarSizeInBits() > 32;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->hasMetadata(prefetch_mark)) return {0, 0};
    return intrinsic->getIntrinsicID() == Intrinsic::sqrt ? OperationTime{19, 12} : OperationTime{4, 1};
  }
  switch (instruction.getOpcode()) {
    case Instruction::Mul: return is_wide ? OperationTime{15, 3} : OperationTime{10, 2};
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return {40, 40};
    case Instruction::FDiv: return {14, 10};
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FPTrunc:
    case Instruction::FPExt:
    case Instruction::FPToUI:
    case Instruction::FPToSI:
    case Instruction::UIToFP:
    case Instruction::SIToFP: return {4, 1};
    case Instruction::ICmp:
    case Instruction::FCmp: return {3, 1};
    case Instruction::GetElementPtr: return {1, 0}; /* mostly a part of the gather */
    default: return {1, 1};
  }
}

OperationTime RecurrenceLatency::time(const Instruction &instruction) const {
  if (const Value *address = getLoadStorePointerOperand(&instruction)) {
    bool is_load = isa<LoadInst>(instruction);
    if (!is_varying(address)) return {7, 1};
    return {is_load ? 25.0 : 0.0, width_ * units * (is_load ? gathered : scattered)};
  }
  if (!is_varying(&instruction)) return {1, 0};
  OperationTime one = arithmetic(instruction);
  const Type *type = instruction.getType()->isVoidTy() || isa<CmpInst>(instruction)
                         ? instruction.getOperand(0)->getType()
                         : instruction.getType();
  return {one.latency, one.work * std::max(1U, registers(type))};
}

/* The longest way from `phi` to what it is in the next turn; 0 when there is none. */
double RecurrenceLatency::chain_from(const PHINode &phi) const {
  DenseMap<const Value *, double> reached = {{&phi, 0}};
  for (const BasicBlock *block : analysis_.order()) {
    if (!loop_.contains(block)) continue;
    for (const Instruction &instruction : *block) {
      if (block == loop_.getHeader() && isa<PHINode>(instruction)) continue;
      double longest = -1;
      for (const Value *operand : instruction.operands()) {
        auto found = reached.find(operand);
        if (found != reached.end()) longest = std::max(longest, found->second);
      }
      if (longest < 0) continue;
      /* Sides of a branch are blended where they meet, unless they are nothing but ways out. */
      auto *meeting = dyn_cast<PHINode>(&instruction);
      bool blends = meeting && count_if(meeting->incoming_values(),
                                        [](const Value *value) { return !isa<UndefValue>(value); }) > 1;
      reached[&instruction] = longest + (meeting ? (blends ? 1 : 0) : time(instruction).latency);
    }
  }
  return reached.lookup(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
}

double RecurrenceLatency::chain() const {
  double longest = 0;
  for (const PHINode &phi : loop_.getHeader()->phis()) {
    if (is_varying(&phi)) longest = std::max(longest, chain_from(phi));
  }
  return longest;
}

double RecurrenceLatency::work() const {
  double sum = 0;
  for (const BasicBlock *block : loop_.blocks()) {
    for (const Instruction &instruction : *block) {
      if (instruction.isTerminator()) continue;
      bool is_carried = isa<PHINode>(instruction) && block == loop_.getHeader();
      if (!is_carried) sum += time(instruction).work;
    }
    sum += analysis_.divergent_latch(block) ? latch_masks : analysis_.has_divergent_branch(block) ? branch_masks : 0;
  }
  return sum / units;
}

unsigned RecurrenceLatency::registers() const {
  unsigned sum = 0;
  SmallPtrSet<const Value *, 16> around;
  for (const PHINode &phi : loop_.getHeader()->phis()) sum += is_varying(&phi) ? registers(phi.getType()) : 0;
  for (const BasicBlock *block : loop_.blocks()) {
    for (const Instruction &instruction : *block) {
      auto *phi = dyn_cast<PHINode>(&instruction);
      if (phi && analysis_.is_exit_value(phi)) sum += registers(phi->getType());
      for (const Value *operand : instruction.operands()) {
        auto *made = dyn_cast<Instruction>(operand);
        bool is_outside = made && !loop_.contains(made) && is_varying(made);
        if (is_outside && around.insert(made).second) sum += registers(made->getType());
      }
    }
  }
  return sum;
}

}  // namespace

/* True when lanes go one by one somewhere, or take their time elsewhere than in the loops. */
static bool has_calls(const ShapeAnalysis &analysis) {
  return any_of(analysis.order(), [](const BasicBlock *block) { return any_of(*block, may_be_scalarized); });
}

unsigned choose_latency_interleave_count(const ShapeAnalysis &analysis, unsigned width, const TargetTransformInfo &tti,
                                         const UnrolledLoops &joined) {
  if (analysis.loops().empty() || has_calls(analysis)) return 1;
  auto *lanes = FixedVectorType::get(Type::getInt32Ty(analysis.order().front()->getContext()), width);
  unsigned all = tti.getNumberOfRegisters(tti.getRegisterClassForType(true, lanes));
  unsigned vectors = 4;
  for (const Loop *loop : analysis.loops().getLoopsInPreorder()) {
    const UnrolledLoop turn = joined.lookup(loop->getHeader());
    if (!loop->isInnermost() || turn.is_remainder) continue;
    RecurrenceLatency time(analysis, *loop, width, register_bits(tti));
    double ratio = time.chain() / std::max(1.0, time.work());
    vectors = std::min(vectors, ratio >= worth_four ? 4U : ratio >= worth_two ? 2U : 1U);
    if (turn.turns > unroll_factor) {
      vectors = std::min(vectors, block_interleave_count);
      continue;
    }
    while (vectors > 1 && time.registers() * vectors + spare_registers > all) vectors /= 2;
  }
  return vectors;
}

}  // namespace quern
