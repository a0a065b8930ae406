/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pass that removes redundant vector selects. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_REDUNDANT_SELECTS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_REDUNDANT_SELECTS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Removes the selects after divergent loops and branches that restore a value in inactive lanes which these lanes
 * already have. */
class RemoveRedundantSelectsPass : public llvm::PassInfoMixin<RemoveRedundantSelectsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
