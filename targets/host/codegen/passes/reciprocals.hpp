/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Expansion of vector divisions and inverse square roots with AVX-512 estimates. */
#ifndef HOST_CODEGEN_PASSES_RECIPROCALS_HPP
#define HOST_CODEGEN_PASSES_RECIPROCALS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Computes vectors of 1 / x and 1 / sqrt(x) that need not be correctly rounded from AVX-512's estimates, and of
 * doubles 1 / sqrt(x). The error is at most 1.1 ulp; infinities, zeros and NaNs are the same. Vector division and
 * square root take several times as long. Also expands y / x and y / sqrt(x), within 2.6 ulp, where a division may be a
 * product with the reciprocal and there are no infinities (`-cl-fast-relaxed-math`); those that there are all the same,
 * and zeros, give what they should, since programs rely on x / (1 + exp(-x)). For targets with these instructions; must
 * run last, after LICM. */
class ReciprocalsPass : public llvm::PassInfoMixin<ReciprocalsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
