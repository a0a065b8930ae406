/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * 1 / x and 1 / sqrt(x) in vectors. */
#ifndef COMPILER_PASSES_INVERSES_HPP
#define COMPILER_PASSES_INVERSES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes vectors of 1 / x and 1 / sqrt(x), where the division need not be rounded correctly, from the estimates of
 * AVX-512: within 1.1 ulp, with the same infinities, zeros and NaNs. A division and a root of vectors take several
 * times as long. For machines that have those instructions. */
class InversesPass : public llvm::PassInfoMixin<InversesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
