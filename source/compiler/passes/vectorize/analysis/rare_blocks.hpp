/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Blocks that hardly any work-item runs. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_RARE_BLOCKS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_RARE_BLOCKS_HPP

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** True for a block that is rarely run, by two of BranchProbabilityInfo's heuristics: the weights of the branch to it
 * call it unlikely (`__builtin_expect`), or it calls a cold function. The built-in functions have such blocks, for
 * results that are subnormal or infinite, and for sines of large numbers. */
bool is_rare(const llvm::BasicBlock &block);

/** True for a divergent branch with no rare target in the same loop: work-items run both targets, under masks, or exit
 * the loop in different iterations. Around a rare block there is hardly more than a test whether any lane is active. */
bool has_likely_divergence(const ShapeAnalysis &analysis, const llvm::BasicBlock &block);

}  // namespace quern

#endif
