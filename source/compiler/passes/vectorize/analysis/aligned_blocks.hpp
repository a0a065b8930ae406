/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Proofs that all lanes of a vector are in one aligned block of work-items. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_ALIGNED_BLOCKS_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_ALIGNED_BLOCKS_HPP

#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"

namespace quern {

/** True when all of `lanes` work-items are in one aligned block at a masked index, quotient or remainder of
 * NoWrapChecks, since the counter of lane 0 is a multiple of `lanes`, a power of two: with 16 lanes, `local_id / 16` is
 * the same for all. Where the operand has checks of its own, that holds where these do. */
bool is_aligned_block(const llvm::Instruction &check, const ShapeAnalysis &analysis, unsigned lanes);

}  // namespace quern

#endif
