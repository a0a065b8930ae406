/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cache lines that the lanes of a vector read or write again and again in an inner loop. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_CACHE_FOOTPRINT_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_CACHE_FOOTPRINT_HPP

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** The largest number of lines that one lane uses in an innermost loop of its own: gathers and scatters whose address
 * grows by less than a cache line per iteration, as in a loop over j that reads a[item * n + j]. The lines have to stay
 * in the cache until they are used up, and each is a stream to the prefetcher. Accesses less than a line from each
 * other count once (compare LLVM's CacheCost and its reference groups). Streams do not count whose first address
 * depends on a loaded value. */
unsigned count_lines_per_lane(llvm::Function &body, const ShapeAnalysis &analysis);

}  // namespace quern

#endif
