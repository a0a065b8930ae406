/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divisions and inverse roots in vectors. */
#ifndef COMPILER_PASSES_RECIPROCALS_HPP
#define COMPILER_PASSES_RECIPROCALS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes vectors of 1 / x and 1 / sqrt(x), where the division need not be rounded correctly, from the estimates of
 * AVX-512: within 1.1 ulp, with the same infinities, zeros and NaNs. A division and a root of vectors take several
 * times as long. So with y / x and y / sqrt(x), within 2.6 ulp, where a division may be a product with an inverse and
 * there are no infinities (`-cl-fast-relaxed-math`). For machines that have those instructions, and last, when what is
 * the same in each turn is out of the loops. */
class ReciprocalsPass : public llvm::PassInfoMixin<ReciprocalsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
