/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Tells what the vectorizer decides: optimization remarks and statistics. */
#ifndef COMPILER_PASSES_VECTORIZE_DECISION_REPORT_HPP
#define COMPILER_PASSES_VECTORIZE_DECISION_REPORT_HPP

#include <llvm/Analysis/OptimizationRemarkEmitter.h>

#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/plan.hpp"

namespace quern {

/** The name of the pass in remarks and statistics. */
inline constexpr char vectorizer_name[] = "quern-vectorize";

/** Tells of the decisions on the item loops of one function, as LLVM's optimization remarks and in its statistics. The
 * words are those of docs/vectorizer.md. Every decision is told when it has been carried out. */
class DecisionReport {
 public:
  explicit DecisionReport(llvm::Function &function) : function_(function), emitter_(&function) {}

  /** What follows is about this loop. */
  void begin(const llvm::Loop &loop);
  /** For those who read the remarks as a file: the whole plan. */
  void planned(const VectorPlan &plan);
  /** `functions`: how called functions were vectorized (FunctionVariants::take_remarks). */
  void vectorized(const VectorPlan &plan, bool has_unmasked_version, llvm::StringRef functions);
  /** `interleave_count`: of the work-items that stay scalar. */
  void refused(const char *why, unsigned interleave_count = 1);
  void versioned(unsigned versions);

 private:
  template <class Remark>
  Remark make(llvm::StringRef name) const;

  llvm::Function &function_;
  llvm::OptimizationRemarkEmitter emitter_;
  llvm::DebugLoc location_;
};

}  // namespace quern

#endif
