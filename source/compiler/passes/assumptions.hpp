/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Removal of assumptions before vectorization. */
#ifndef COMPILER_PASSES_ASSUMPTIONS_HPP
#define COMPILER_PASSES_ASSUMPTIONS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Removes llvm.assume with the conditions that nothing else needs. SYCL's headers assume of each id that it fits an
 * int, and LLVM has used that by now. In the header of a y loop the calls prevent unroll-and-jam, and a condition that
 * depends on y looks like one of a branch. LLVM's DropUnnecessaryAssumesPass keeps those on values that have other
 * uses, as ids have. Runs right before vectorization. */
class DropAssumptionsPass : public llvm::PassInfoMixin<DropAssumptionsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
