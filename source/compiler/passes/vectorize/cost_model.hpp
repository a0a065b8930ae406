/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Whether vectors pay. */
#ifndef COMPILER_PASSES_VECTORIZE_COST_MODEL_HPP
#define COMPILER_PASSES_VECTORIZE_COST_MODEL_HPP

#include "compiler/passes/vectorize/analysis/access_groups.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

namespace quern {

class FunctionVariants;

/** What one work-item costs, in simple instructions: alone, and as one lane of several. */
struct ItemCost {
  double scalar = 0, vector = 0;
  /** The part of `vector` that gathers and scatters are. */
  double gathered = 0;
};

/** Estimates both for a body; inner loops count for a few turns each. `groups` may be null. `joined`: loops of the body
 * that do several turns at once. */
ItemCost estimate_cost(const ShapeAnalysis &analysis, const PrivateMemory &memory, const AccessGroups *groups,
                       FunctionVariants &functions, unsigned width, const VectorUnit &unit,
                       const UnrolledLoops &joined = UnrolledLoops());

}  // namespace quern

#endif
