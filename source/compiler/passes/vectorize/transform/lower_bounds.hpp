/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Item loops that begin at the first work-item whose global id is inside a lower bound. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_LOWER_BOUNDS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_LOWER_BOUNDS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Removes lower bounds on the global id from the guard of an item loop. Stencils have them: `x > 0 && x < width - 1`.
 * The loop, with the y loop around it, begins at the first work-item inside. Its body has no mask if the rest of the
 * guard is an upper bound or loop invariant. InductiveRangeCheckElimination divides iteration spaces like this for
 * range checks. Ids of 32 bits may wrap within a work-group: a copy of the loop, not vectorized, is kept for those. */
class RemoveLowerBoundsPass : public llvm::PassInfoMixin<RemoveLowerBoundsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
