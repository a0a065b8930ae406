/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interleave count from the bounds of modulo scheduling: recurrences (RecMII) and resources (ResMII). The recurrence of
 * a body without loops is its critical path, as far as the processor does not overlap work-items by itself. */
#include "compiler/passes/vectorize/analysis/recurrence_latency.hpp"

#include <llvm/Support/Format.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/vectorize/analysis/operation_latency.hpp"
#include "compiler/passes/vectorize/analysis/rare_blocks.hpp"
#include "compiler/passes/vectorize/analysis/register_pressure.hpp"

using namespace llvm;

namespace quern {

namespace {

/* Mask operations of a divergent branch, and of the latch of a divergent loop. */
constexpr double branch_mask_operations = 2, latch_mask_operations = 4;
/* The least ratios of recurrence latency to resource cycles at which two and four vectors per iteration are profitable.
 * They allow for processors that start fewer operations than they could, and for the exit test of each iteration. */
constexpr double min_ratio_for_two = 0.8, min_ratio_for_four = 1.6;

/* Simple operations in the time of one vector of global memory that a body without loops loads or stores. It comes from
 * beyond the first cache, where a loop may find what it had before. */
constexpr double streamed_access_operations = 8;

unsigned choose_count(double recurrence_cycles, double resource_cycles) {
  const double ratio = recurrence_cycles / std::max(1.0, resource_cycles);
  return ratio >= min_ratio_for_four ? 4 : ratio >= min_ratio_for_two ? 2 : 1;
}

/** Bounds for the time of one iteration of an innermost loop, for one vector of `width` lanes. An iteration takes at
 * least the latency of the longest recurrence, and the time in which the vector units start all operations. */
class RecurrenceLatency {
 public:
  RecurrenceLatency(const ShapeAnalysis &analysis, const Loop &loop, unsigned width, const VectorTarget &target)
      : analysis_(analysis), loop_(loop), operation_(analysis, width, target) {}

  /** The least number of cycles between iterations that recurrences allow (RecMII). */
  double recurrence_cycles() const;
  /** The least number of cycles between iterations that the vector units allow (ResMII). */
  double resource_cycles() const;
  /** Vector registers for the values that are live throughout the loop. */
  unsigned registers() const;

 private:
  double recurrence_latency(const PHINode &phi) const;

  const ShapeAnalysis &analysis_;
  const Loop &loop_;
  const OperationLatency operation_;
};

/* The latency of the longest path of operations from `phi` to its value in the next iteration; 0 if there is none. */
double RecurrenceLatency::recurrence_latency(const PHINode &phi) const {
  DenseMap<const Value *, double> latencies = {{&phi, 0}};
  for (const BasicBlock *block : analysis_.order()) {
    if (!loop_.contains(block) || is_rare(*block)) continue;
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
      latencies[&instruction] = longest + (join ? (is_select ? 1 : 0) : operation_.cost(instruction).latency);
    }
  }
  return latencies.lookup(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
}

double RecurrenceLatency::recurrence_cycles() const {
  double longest = 0;
  for (const PHINode &phi : loop_.getHeader()->phis()) {
    if (operation_.is_varying(&phi)) longest = std::max(longest, recurrence_latency(phi));
  }
  return longest;
}

double RecurrenceLatency::resource_cycles() const {
  double operations = 0;
  for (const BasicBlock *block : loop_.blocks()) {
    if (is_rare(*block)) continue;
    for (const Instruction &instruction : *block) {
      if (instruction.isTerminator()) continue;
      bool is_carried = isa<PHINode>(instruction) && block == loop_.getHeader();
      if (!is_carried) operations += operation_.cost(instruction).operations;
    }
    operations += analysis_.divergent_latch(block)        ? latch_mask_operations
                  : analysis_.has_divergent_branch(block) ? branch_mask_operations
                                                          : 0;
  }
  return operation_.cycles(operations);
}

unsigned RecurrenceLatency::registers() const {
  unsigned sum = 0;
  SmallPtrSet<const Value *, 16> live_in;
  for (const PHINode &phi : loop_.getHeader()->phis())
    sum += operation_.is_varying(&phi) ? operation_.registers(phi.getType()) : 0;
  for (const BasicBlock *block : loop_.blocks()) {
    for (const Instruction &instruction : *block) {
      auto *phi = dyn_cast<PHINode>(&instruction);
      if (phi && analysis_.is_live_out_phi(phi)) sum += operation_.registers(phi->getType());
      if (phi && block == loop_.getHeader()) continue; /* what it starts with is not live in the loop */
      for (const Value *operand : instruction.operands()) {
        auto *definition = dyn_cast<Instruction>(operand);
        bool is_live_in = definition && !loop_.contains(definition) && operation_.is_varying(definition);
        if (is_live_in && live_in.insert(definition).second) sum += operation_.registers(definition->getType());
      }
    }
  }
  return sum;
}

/** The critical path of a body without loops, for one vector of `width` lanes, without rare blocks. Work-items are
 * independent, but a processor starts the operations of the next one early only as far as its scheduler has room:
 * operations that wait for the critical path fill it (compare llvm-mca's bottleneck analysis, and MicroOpBufferSize of
 * LLVM's scheduling models). */
class CriticalPath {
 public:
  CriticalPath(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target);

  /** The latency of the path that the processor does not overlap with other work-items. */
  double exposed_cycles() const { return longest_ * operations_ / (operations_ + scheduler_entries_); }
  double resource_cycles() const { return resources_; }
  /** The most vector registers that are live at once. */
  unsigned registers() const { return registers_; }

 private:
  double longest_ = 0, operations_ = 0, resources_ = 0;
  unsigned registers_ = 0;
  const double scheduler_entries_;
};

/* In memory that is neither local nor private. */
bool is_outside_of_group(const Value &address) {
  const unsigned space = address.getType()->getPointerAddressSpace();
  return space != local_space && space != private_space;
}

CriticalPath::CriticalPath(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target)
    : scheduler_entries_(target.table.operations.scheduler_entries) {
  const OperationLatency operation(analysis, width, target);
  auto registers = [&](const Instruction &instruction) {
    return operation.is_varying(&instruction) ? operation.registers(instruction.getType()) : 0;
  };
  DenseMap<const Value *, double> latencies;
  double resources = 0;
  for (const BasicBlock *block : analysis.order()) {
    if (is_rare(*block)) continue;
    for (const Instruction &instruction : *block) {
      if (instruction.isTerminator()) continue;
      double start = 0;
      for (const Value *operand : instruction.operands()) start = std::max(start, latencies.lookup(operand));
      const operation_cost_t cost = operation.cost(instruction);
      latencies[&instruction] = start + cost.latency;
      longest_ = std::max(longest_, start + cost.latency);
      const Value *address = getLoadStorePointerOperand(&instruction);
      const bool is_streamed = address && !analysis.is_uniform(address) && is_outside_of_group(*address);
      resources += is_streamed ? std::max(streamed_access_operations, cost.operations) : cost.operations;
      operations_ += registers(instruction);
    }
  }
  resources_ = operation.cycles(resources);
  const RegisterPressure pressure(analysis.order(), registers);
  for (const BasicBlock *block : analysis.order())
    if (!is_rare(*block)) registers_ = std::max(registers_, pressure.most_live(block));
}

}  // namespace

/* True if an operation may be scalarized: the lanes would be serialized there, or most time be spent outside of the
 * loops. */
static bool has_calls(const ShapeAnalysis &analysis) {
  return any_of(analysis.order(),
                [](const BasicBlock *block) { return !is_rare(*block) && any_of(*block, may_be_scalarized); });
}

static unsigned available_registers(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target) {
  return register_count_for(target.costs, analysis.order().front()->getContext(), width) - spare_registers;
}

static unsigned limit_by_registers(unsigned count, unsigned registers, unsigned available) {
  while (count > 1 && registers * count > available) count /= 2;
  return count;
}

unsigned limit_interleave_count(unsigned count, const ShapeAnalysis &analysis, unsigned width,
                                const VectorTarget &target) {
  const unsigned available = available_registers(analysis, width, target);
  for (const Loop *loop : analysis.loops().getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    count = limit_by_registers(count, RecurrenceLatency(analysis, *loop, width, target).registers(), available);
  }
  return count;
}

static unsigned choose_count_without_loops(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target) {
  if (any_of(analysis.order(), [&](const BasicBlock *block) { return has_likely_divergence(analysis, *block); }))
    return 1;
  const CriticalPath path(analysis, width, target);
  return limit_by_registers(choose_count(path.exposed_cycles(), path.resource_cycles()), path.registers(),
                            available_registers(analysis, width, target));
}

unsigned choose_latency_interleave_count(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target,
                                         const UnrolledLoops &unrolled) {
  if (has_calls(analysis)) return 1;
  if (analysis.loops().empty()) return choose_count_without_loops(analysis, width, target);
  unsigned count = 4;
  for (const Loop *loop : analysis.loops().getLoopsInPreorder()) {
    const UnrolledLoop unrolled_loop = unrolled.lookup(loop->getHeader());
    if (!loop->isInnermost() || unrolled_loop.is_remainder) continue;
    const RecurrenceLatency latency(analysis, *loop, width, target);
    count = std::min(count, choose_count(latency.recurrence_cycles(), latency.resource_cycles()));
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
  if (analysis.loops().empty()) {
    const CriticalPath path(analysis, width, target);
    out << "critical path: " << format("%.1f", path.exposed_cycles()) << " cycles exposed, resources "
        << format("%.1f", path.resource_cycles()) << " cycles, " << path.registers() << " registers\n";
  }
  out << "interleave count " << choose_latency_interleave_count(analysis, width, target, UnrolledLoops()) << "\n";
}

}  // namespace quern
