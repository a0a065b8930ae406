/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The planner: decides how an item loop is vectorized. */
#ifndef COMPILER_PASSES_VECTORIZE_PLANNER_HPP
#define COMPILER_PASSES_VECTORIZE_PLANNER_HPP

#include "compiler/passes/vectorize/loop_analyses.hpp"
#include "compiler/passes/vectorize/plan.hpp"
#include "compiler/passes/vectorize/transform/unmasked_version.hpp"

namespace quern {

/** An item loop, what the analyses know of it, and the plan that was made from that. */
struct PlannedLoop {
  PlannedLoop(const ItemLoop &loop, YLoop *y_loop, PlanRequest request)
      : request(std::move(request)), analyses(loop, y_loop) {}

  PlanRequest request;
  LoopAnalyses analyses;
  VectorPlan plan;
  /** What the target offers to vectors of the planned width. */
  VectorUnit unit = {};
  /** count_lines_per_lane of the body. */
  unsigned lines_per_lane = 0;
  /** The analysis for the mask-free version; null unless the plan has one. */
  std::unique_ptr<UnmaskedVersion> unmasked;
};

/** Plans item loops: analyses them, and decides what depends on each other. It modifies no loop. The counterpart of
 * LoopVectorizationPlanner in LLVM's LoopVectorize. */
class Planner {
 public:
  /** All references must outlive this object. */
  Planner(FunctionVariants &functions, const VectorTarget &target) : functions_(functions), target_(target) {}

  /** Plans one loop. `y_loop` is the loop around it to which unroll-and-jam applies, or null. The result tells by its
   * plan's verdict whether there are vectors. */
  std::unique_ptr<PlannedLoop> plan(const ItemLoop &loop, YLoop *y_loop, const PlanRequest &request) const;

  /** The mask of the work-item index on which `loop` can be versioned, or empty. Needs no plan. */
  std::optional<VersionedStride> find_mask(const ItemLoop &loop, const llvm::LoopInfo &loops) const;
  /** The value on which the planned loop can be versioned, or empty. */
  std::optional<VersionedStride> find_versioned_stride(const PlannedLoop &planned, const llvm::LoopInfo &loops) const;

 private:
  const char *refuse(PlannedLoop &planned) const;
  void set_width(PlannedLoop &planned, unsigned width) const;
  void group_accesses(PlannedLoop &planned) const;
  void judge_profitability(PlannedLoop &planned) const;
  void widen_for_narrow_values(PlannedLoop &planned) const;
  void choose_interleaving(PlannedLoop &planned) const;
  void choose_scalar_interleaving(PlannedLoop &planned) const;
  void choose_versions(PlannedLoop &planned) const;

  FunctionVariants &functions_;
  const VectorTarget &target_;
};

}  // namespace quern

#endif
