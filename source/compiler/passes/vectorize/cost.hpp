/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Whether vectors pay. */
#ifndef COMPILER_PASSES_VECTORIZE_COST_HPP
#define COMPILER_PASSES_VECTORIZE_COST_HPP

#include "compiler/passes/vectorize/access_groups.hpp"
#include "compiler/passes/vectorize/joined_turns.hpp"
#include "compiler/passes/vectorize/lane_analysis.hpp"
#include "compiler/passes/vectorize/private_memory.hpp"
#include "compiler/passes/vectorize/width.hpp"

namespace quern {

class FunctionForms;

/** What one work-item costs, in simple instructions: alone, and as one lane of several. */
struct ItemCost {
  double scalar = 0, vector = 0;
  /** The part of `vector` that gathers and scatters are. */
  double gathered = 0;
};

/** Estimates both for a body; inner loops count for a few turns each. `groups` may be null. `joined`: loops of the body
 * that do several turns at once. */
ItemCost estimate_cost(const LaneAnalysis &analysis, const PrivateMemory &memory, const AccessGroups *groups,
                       FunctionForms &functions, unsigned width, const VectorUnit &unit,
                       const JoinedTurns &joined = JoinedTurns());

}  // namespace quern

#endif
