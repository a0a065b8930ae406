/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * 1 / sqrt(x) in vectors. */
#ifndef COMPILER_PASSES_INVERSE_ROOTS_HPP
#define COMPILER_PASSES_INVERSE_ROOTS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes vectors of 1 / sqrt(x), where the division need not be rounded correctly, from the estimate of AVX-512: within
 * 1.1 ulp, with the same infinities, zeros and NaNs. A root and a division of vectors take several times as long. For
 * machines that have that instruction. */
class InverseRootsPass : public llvm::PassInfoMixin<InverseRootsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
