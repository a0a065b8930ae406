/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cost model: scalar and vector cost of an item body. */
#ifndef COMPILER_PASSES_VECTORIZE_COST_MODEL_HPP
#define COMPILER_PASSES_VECTORIZE_COST_MODEL_HPP

#include "compiler/passes/vectorize/analysis/access_groups.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

namespace quern {

class FunctionVariants;
class VectorLayout;

/** The assumed trip count of an inner loop. */
inline constexpr double inner_trip_count = 8;

/** The cost of one work-item, in simple instructions: in the scalar variant, and as one lane of the vector variant. */
struct ItemCost {
  double scalar = 0, vector = 0;
  /** The part of `vector` that is due to gathers, scatters and accesses of per-lane groups: it depends on the lanes'
   * distance in memory. */
  double gathered = 0;
  /** The part of `vector` that is behind divergent branches in divergent loops. */
  double divergent = 0;
  /** Explicit vectors of the program fill registers by themselves. A vector of lanes for each of their components
   * computes no more per instruction. */
  bool has_full_vectors = false;
};

/** Estimates the cost of a body for vectorization factor `width`, with an assumed trip count for inner loops. `groups`
 * and `layout` may be null. `unrolled`: the loops of the body that unroll_wide_loads made. The counterpart in LLVM is
 * LoopVectorizationCostModel. */
ItemCost estimate_cost(const ShapeAnalysis &analysis, const PrivateMemory &memory, const AccessGroups *groups,
                       const VectorLayout *layout, FunctionVariants &functions, unsigned width, const VectorUnit &unit,
                       const UnrolledLoops &unrolled = UnrolledLoops());

/** The cost with vectors of `width` lanes in small work-groups of two dimensions: the lanes beyond their work-items
 * along x are idle. A gather takes time for active lanes only. */
ItemCost cost_in_small_tile(ItemCost cost, unsigned width);

/** True when the estimate is too close to tell whether vectors are faster. Explicit vectors that fill registers are
 * never uncertain, unless there are many gathers: their scalar version is interleaved, which a copy would not be. In a
 * function that `is_large` vectors are not tried that are estimated to be slower. */
bool is_uncertain(const ItemCost &cost, bool is_large);

}  // namespace quern

#endif
