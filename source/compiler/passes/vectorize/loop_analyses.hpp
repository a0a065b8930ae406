/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The body of an item loop with its analyses. */
#ifndef COMPILER_PASSES_VECTORIZE_LOOP_ANALYSES_HPP
#define COMPILER_PASSES_VECTORIZE_LOOP_ANALYSES_HPP

#include <memory>
#include <optional>

#include <llvm/IR/ValueHandle.h>

#include "compiler/passes/vectorize/analysis/access_groups.hpp"
#include "compiler/passes/vectorize/analysis/item_bound.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/analysis/vector_layout.hpp"
#include "compiler/passes/vectorize/function_variants.hpp"
#include "compiler/passes/vectorize/plan.hpp"
#include "compiler/passes/vectorize/transform/dynamic_uniformity.hpp"
#include "compiler/passes/vectorize/transform/linearize.hpp"
#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"

namespace quern {

/** What planner and writer know of one item loop: its outlined body, and the analyses of the body. The kernel itself is
 * not modified; the body is, into the form that the analyses describe. */
class LoopAnalyses {
 public:
  /** `y_loop`: the loop around the item loop to which unroll-and-jam applies, or null; it must outlive this object. */
  LoopAnalyses(const ItemLoop &loop, YLoop *y_loop) : loop(loop), y_loop(y_loop) {}

  /** Outlines the body and runs the analyses. False, with the reason in `why`, when the loop cannot be vectorized. */
  bool run(const PlanRequest &request, FunctionVariants &functions, const VectorTarget &target, const char *&why);

  ItemLoop loop;
  YLoop *y_loop;
  std::optional<ItemBound> bound;
  std::unique_ptr<ItemBody> body;
  std::unique_ptr<PrivateMemory> memory;
  std::unique_ptr<ShapeAnalysis> shapes;
  std::unique_ptr<Linearization> linearization;
  /** Null until the planner has chosen a vectorization factor. */
  std::unique_ptr<AccessGroups> groups;
  std::unique_ptr<VectorLayout> layout;
  /** The inner loops of the body that unroll_wide_loads made. */
  UnrolledLoops unrolled;
  /** Inner loops have versions for bounds that all lanes share. */
  bool has_uniform_versions = false;
  /** The scalar cost of a work-item, where the body has such loops or versions, which the scalar loop has not. */
  std::optional<double> scalar_cost;

 private:
  bool extract(const PlanRequest &request, const char *&why);
  void drop_bound_test();
  void drop_redundant_masks();
  bool find_shapes(const PlanRequest &request, const char *&why);
  bool may_have_known_size(const llvm::Value &address) const;
  bool points_into_array(const llvm::Value &pointer) const;
  bool loads_divergently(const llvm::LoadInst &stream) const;
  void version_counted_loops();
  bool version_for_uniform_bounds(llvm::ArrayRef<CountedLoop> counted, const PlanRequest &request,
                                  FunctionVariants &functions, const VectorTarget &target, const char *&why);
  void keep_scalar_cost(FunctionVariants &functions, const VectorTarget &target);
  unsigned stream_bytes(const VectorTarget &target) const;
  void find_streams(const VectorTarget &target);
  bool unroll_divergent_loads(const PlanRequest &request, FunctionVariants &functions, const VectorTarget &target,
                              const char *&why);

  /** The load streams of the body (find_load_streams); null for loads that have been deleted. */
  llvm::SmallVector<llvm::WeakVH, 4> streams_;
  /** Of each counted loop of the body, what it has a version for; empty where there are no versions. */
  llvm::SmallVector<SharedBounds, 4> shared_bounds_;
};

}  // namespace quern

#endif
