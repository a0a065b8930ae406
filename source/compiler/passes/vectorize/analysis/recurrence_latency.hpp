/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interleave count for loops that are bound by the latency of their recurrences. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_RECURRENCE_LATENCY_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_RECURRENCE_LATENCY_HPP

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

namespace quern {

/** With a `width` of 1 the question is the same for scalar work-items, whose explicit vectors stay whole.
 *
 * The number of vectors of `width` lanes to process per iteration of the item loop: 1, 2 or 4. Independent vectors
 * hide the latency of recurrences in the body's innermost loops. The result is the largest count that is profitable for
 * each of these loops and for which the registers suffice. 1 if the body has no loops, or calls. `unrolled`: the loops
 * that unroll_wide_loads made. */
unsigned choose_latency_interleave_count(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target,
                                         const UnrolledLoops &unrolled);

/** The largest count up to `count`, halved as often as needed, for which the values that live throughout each innermost
 * loop fit the registers (compare LoopVectorizationCostModel::selectInterleaveCount). */
unsigned limit_interleave_count(unsigned count, const ShapeAnalysis &analysis, unsigned width,
                                const VectorTarget &target);

/** Prints both bounds and the registers of each innermost loop, and the count for all. */
void print_recurrence_latency(const ShapeAnalysis &analysis, unsigned width, const VectorTarget &target,
                              llvm::raw_ostream &out);

}  // namespace quern

#endif
