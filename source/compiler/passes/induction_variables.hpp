/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Canonicalization of loops to one induction variable. */
#ifndef COMPILER_PASSES_INDUCTION_VARIABLES_HPP
#define COMPILER_PASSES_INDUCTION_VARIABLES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Reduces each loop to one induction variable, as LLVM's IndVarSimplify. Other induction variables that are affine in
 * it, like an incremented pointer or a strength-reduced product, are recomputed from it. They come from the source, or
 * from LoopStrengthReduce in SPIR-V of LLVM's back end. The vectorizer can analyse an index better, and selects the
 * cheapest addressing itself. A loop that counts down gets a new induction variable that counts up. Loops must be in
 * loop-simplify form; others are not changed. */
class CanonicalizeInductionPass : public llvm::PassInfoMixin<CanonicalizeInductionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
