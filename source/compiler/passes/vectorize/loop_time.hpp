/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops that wait for their own results. */
#ifndef COMPILER_PASSES_VECTORIZE_LOOP_TIME_HPP
#define COMPILER_PASSES_VECTORIZE_LOOP_TIME_HPP

#include <llvm/Analysis/TargetTransformInfo.h>

#include "compiler/passes/vectorize/joined_turns.hpp"
#include "compiler/passes/vectorize/lane_analysis.hpp"

namespace quern {

/** How many vectors of `width` lanes a turn of the body's innermost loops should do at once, 1, 2 or 4, so that the
 * processor has work while a vector waits for what the turn before computes for it; as many as all of the loops have
 * use and registers for. */
unsigned choose_waiting_vectors(const LaneAnalysis &analysis, unsigned width, const llvm::TargetTransformInfo &machine,
                                const JoinedTurns &joined);

}  // namespace quern

#endif
