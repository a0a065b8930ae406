/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Guards of item loops, split into what bounds the loop and what is left for masks. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_SPLIT_GUARDS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_SPLIT_GUARDS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Splits the guard under which the whole body of an item loop stands. That of a stencil, `x > 0 && y > 0 && x < w - 1
 * && y < h - 1`, becomes two: loop-invariant conditions and one upper bound on the work-items, which are an ItemBound
 * together, and the other conditions, which are a mask. Undoes SimplifyCFG's FoldBranchToCommonDest. */
class SplitGuardsPass : public llvm::PassInfoMixin<SplitGuardsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
