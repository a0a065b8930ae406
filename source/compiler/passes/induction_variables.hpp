/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops that count in several numbers. */
#ifndef COMPILER_PASSES_INDUCTION_VARIABLES_HPP
#define COMPILER_PASSES_INDUCTION_VARIABLES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Components each loop one number that counts, where the others are multiples of it and something else that stays: a
 * pointer that is moved on, a product that grows. People write such loops, and an optimiser before us makes them (loop
 * strength reduction, in SPIR-V of LLVM's back end); an index says more to the vectorizer, which finds the cheapest
 * form of addresses itself. A loop that only counts down counts up. Loops must be in simplified form. */
class CanonicalizeInductionPass : public llvm::PassInfoMixin<CanonicalizeInductionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
