/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Wider elements for masked loads and stores, for CPUs without masks for bytes and words. */
#ifndef HOST_CODEGEN_PASSES_MASKED_ELEMENTS_HPP
#define HOST_CODEGEN_PASSES_MASKED_ELEMENTS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes masked loads and stores of elements of 8 and 16 bits such of 32 or 64 bits, where neighbours have the same
 * mask, as the components of a pixel have. AVX and AVX2 have instructions for these only; LLVM's
 * ScalarizeMaskedMemIntrin makes a branch for each element of the others. Stores under a constant mask are left to it:
 * it makes no branches for them. */
class WidenMaskedElementsPass : public llvm::PassInfoMixin<WidenMaskedElementsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
