/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OperationLatency: latency, units and registers of single operations of a vectorized body. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_OPERATION_LATENCY_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_OPERATION_LATENCY_HPP

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

namespace quern {

/** What the target's table says of an instruction's vector form, as llvm::TargetSchedModel does of a machine
 * instruction. Only latencies that are much longer than others are of interest, so the model is coarse. */
class OperationLatency {
 public:
  /** For vectors of `width` lanes; with a `width` of 1 for scalar work-items, whose explicit vectors stay whole. */
  OperationLatency(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target)
      : analysis_(analysis),
        width_(width),
        register_bits_(register_bits(target.costs)),
        costs_(target.table.operations) {}

  bool is_varying(const llvm::Value *value) const { return analysis_.shape(value).kind == Shape::varying; }
  /** The vector registers that a value of this type occupies. */
  unsigned registers(const llvm::Type *type) const;
  operation_cost_t cost(const llvm::Instruction &instruction) const;
  /** Cycles in which the vector units start so many simple operations. */
  double cycles(double operations) const { return operations / costs_.issue_width; }

 private:
  operation_cost_t division_cost(const llvm::Instruction &division) const;
  operation_cost_t arithmetic_cost(const llvm::Instruction &instruction) const;

  const ShapeAnalysis &analysis_;
  const unsigned width_, register_bits_;
  const operation_costs_t &costs_;
};

}  // namespace quern

#endif
