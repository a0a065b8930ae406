/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Blends that choose what is there already. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_REDUNDANT_SELECTS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_REDUNDANT_SELECTS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Removes the blends behind divergent loops and branches that put back, in lanes that were off, what these lanes kept
 * all along. */
class RemoveRedundantSelectsPass : public llvm::PassInfoMixin<RemoveRedundantSelectsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
