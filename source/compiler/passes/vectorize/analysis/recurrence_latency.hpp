/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops that wait for their own results. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_RECURRENCE_LATENCY_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_RECURRENCE_LATENCY_HPP

#include <llvm/Analysis/TargetTransformInfo.h>

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"

namespace quern {

/** How many vectors of `width` lanes a turn of the body's innermost loops should do at once, 1, 2 or 4, so that the
 * processor has work while a vector waits for what the turn before computes for it; as many as all of the loops have
 * use and registers for. */
unsigned choose_latency_interleave_count(const ShapeAnalysis &analysis, unsigned width,
                                         const llvm::TargetTransformInfo &tti, const UnrolledLoops &joined);

}  // namespace quern

#endif
