/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interleave count from the bounds of modulo scheduling: recurrences (RecMII) and resources (ResMII). */
#include "compiler/passes/vectorize/analysis/recurrence_latency.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/Format.h>

#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"

using namespace llvm;

namespace quern {

namespace {

/* Mask operations of a divergent branch, and of the latch of a divergent loop. */
constexpr double branch_mask_operations = 2, latch_mask_operations = 4;
/* The least ratios of recurrence latency to resource cycles at which two and four vectors per iteration are profitable.
 * They allow for processors that start fewer operations than they could, and for the exit test of each iteration. */
constexpr double min_ratio_for_two = 0.8, min_ratio_for_four = 1.6;

/** Bounds for the time of one iteration of an innermost loop, for one vector of `width` lanes. An iteration takes at
 * least the latency of the longest recurrence, and the time in which the vector units start all operations. Only a
 * recurrence that takes much longer is of interest, so the model is coarse. */
class RecurrenceLatency {
 public:
  RecurrenceLatency(const ShapeAnalysis &analysis, const Loop &loop, unsigned width, const VectorTarget &target)
      : analysis_(analysis),
        loop_(loop),
        width_(width),
        register_bits_(register_bits(target.costs)),
        costs_(target.table.operations) {}

  /** The least number of cycles between iterations that recurrences allow (RecMII). */
  double recurrence_cycles() const;
  /** The least number of cycles between iterations that the vector units allow (ResMII). */
  double resource_cycles() const;
  /** Vector registers for the values that are live throughout the loop. */
  unsigned registers() const;

 private:
  bool is_varying(const Value *value) const { return analysis_.shape(value).kind == Shape::varying; }
  unsigned registers(const Type *type) const;
  operation_cost_t cost(const Instruction &instruction) const;
  operation_cost_t arithmetic_cost(const Instruction &instruction) const;
  double recurrence_latency(const PHINode &phi) const;

  const ShapeAnalysis &analysis_;
  const Loop &loop_;
  const unsigned width_, register_bits_;
  const operation_costs_t &costs_;
};

unsigned RecurrenceLatency::registers(const Type *type) const {
  unsigned components = 1;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) components = vector->getNumElements();
  unsigned bits = type->isPtrOrPtrVectorTy() ? 64 : type->getScalarSizeInBits();
  if (bits < 8) return 0;                                                          /* a mask */
  if (width_ == 1) return unsigned(divideCeil(components * bits, register_bits_)); /* explicit vectors stay whole */
  return components * std::max(1U, width_ * bits / register_bits_);
}

operation_cost_t RecurrenceLatency::arithmetic_cost(const Instruction &instruction) const {
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
    case Instruction::SRem: return costs_.integer_division;
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

operation_cost_t RecurrenceLatency::cost(const Instruction &instruction) const {
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

/* The latency of the longest path of operations from `phi` to its value in the next iteration; 0 if there is none. */
double RecurrenceLatency::recurrence_latency(const PHINode &phi) const {
  DenseMap<const Value *, double> latencies = {{&phi, 0}};
  for (const BasicBlock *block : analysis_.order()) {
    if (!loop_.contains(block)) continue;
    for (const Instruction &instruction : *block) {
      if (block == loop_.getHeader() && isa<PHINode>(instruction)) continue;
      double longest = -1;
      for (const Value *operand : instruction.operands()) {
        auto found = latencies.find(operand);
        if (found != latencies.end()) longest = std::max(longest, found->second);
      }
      if (longest < 0) continue;
      /* A phi becomes a select, unless all but one of its incoming values are undefined, as those of exit edges are. */
      auto *join = dyn_cast<PHINode>(&instruction);
      bool is_select =
          join && count_if(join->incoming_values(), [](const Value *value) { return !isa<UndefValue>(value); }) > 1;
      latencies[&instruction] = longest + (join ? (is_select ? 1 : 0) : cost(instruction).latency);
    }
  }
  return latencies.lookup(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
}

double RecurrenceLatency::recurrence_cycles() const {
  double longest = 0;
  for (const PHINode &phi : loop_.getHeader()->phis()) {
    if (is_varying(&phi)) longest = std::max(longest, recurrence_latency(phi));
  }
  return longest;
}

double RecurrenceLatency::resource_cycles() const {
  double operations = 0;
  for (const BasicBlock *block : loop_.blocks()) {
    for (const Instruction &instruction : *block) {
      if (instruction.isTerminator()) continue;
      bool is_carried = isa<PHINode>(instruction) && block == loop_.getHeader();
      if (!is_carried) operations += cost(instruction).operations;
    }
    operations += analysis_.divergent_latch(block)        ? latch_mask_operations
                  : analysis_.has_divergent_branch(block) ? branch_mask_operations
                                                          : 0;
  }
  return operations / costs_.issue_width;
}

unsigned RecurrenceLatency::registers() const {
  unsigned sum = 0;
  SmallPtrSet<const Value *, 16> live_in;
  for (const PHINode &phi : loop_.getHeader()->phis()) sum += is_varying(&phi) ? registers(phi.getType()) : 0;
  for (const BasicBlock *block : loop_.blocks()) {
    for (const Instruction &instruction : *block) {
      auto *phi = dyn_cast<PHINode>(&instruction);
      if (phi && analysis_.is_live_out_phi(phi)) sum += registers(phi->getType());
      if (phi && block == loop_.getHeader()) continue; /* what it starts with is not live in the loop */
      for (const Value *operand : instruction.operands()) {
        auto *definition = dyn_cast<Instruction>(operand);
        bool is_live_in = definition && !loop_.contains(definition) && is_varying(definition);
        if (is_live_in && live_in.insert(definition).second) sum += registers(definition->getType());
      }
    }
  }
  return sum;
}

}  // namespace

/* True if an operation may be scalarized: the lanes would be serialized there, or most time be spent outside of the
 * loops. */
static bool has_calls(const ShapeAnalysis &analysis) {
  return any_of(analysis.order(), [](const BasicBlock *block) { return any_of(*block, may_be_scalarized); });
}

unsigned limit_interleave_count(unsigned count, const ShapeAnalysis &analysis, unsigned width,
                                const VectorTarget &target) {
  const unsigned available =
      register_count_for(target.costs, analysis.order().front()->getContext(), width) - spare_registers;
  for (const Loop *loop : analysis.loops().getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    const unsigned registers = RecurrenceLatency(analysis, *loop, width, target).registers();
    while (count > 1 && registers * count > available) count /= 2;
  }
  return count;
}

unsigned choose_latency_interleave_count(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target,
                                         const UnrolledLoops &unrolled) {
  if (analysis.loops().empty() || has_calls(analysis)) return 1;
  unsigned count = 4;
  for (const Loop *loop : analysis.loops().getLoopsInPreorder()) {
    const UnrolledLoop unrolled_loop = unrolled.lookup(loop->getHeader());
    if (!loop->isInnermost() || unrolled_loop.is_remainder) continue;
    RecurrenceLatency latency(analysis, *loop, width, target);
    double ratio = latency.recurrence_cycles() / std::max(1.0, latency.resource_cycles());
    count = std::min(count, ratio >= min_ratio_for_four ? 4U : ratio >= min_ratio_for_two ? 2U : 1U);
  }
  return limit_interleave_count(count, analysis, width, target);
}

void print_recurrence_latency(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target,
                              raw_ostream &out) {
  for (const Loop *loop : analysis.loops().getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    const RecurrenceLatency latency(analysis, *loop, width, target);
    out << "loop " << loop->getHeader()->getName() << ": recurrence " << format("%.1f", latency.recurrence_cycles())
        << " cycles, resources " << format("%.1f", latency.resource_cycles()) << " cycles, " << latency.registers()
        << " registers\n";
  }
  out << "interleave count " << choose_latency_interleave_count(analysis, width, target, UnrolledLoops()) << "\n";
}

}  // namespace quern
