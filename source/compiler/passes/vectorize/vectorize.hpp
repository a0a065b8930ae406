/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Whole-function vectorization: the loops over work-items run several at once. */
#ifndef COMPILER_PASSES_VECTORIZE_VECTORIZE_HPP
#define COMPILER_PASSES_VECTORIZE_VECTORIZE_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Gives each loop over work-items a vector form in front, which leaves it the work-items that do not fill a vector. */
class VectorizeItemsPass : public llvm::PassInfoMixin<VectorizeItemsPass> {
 public:
  /** Attributes: the work-items that a vector of the function has, when a loop was vectorized; what was done. */
  static constexpr const char *done = "quern-vectorized", *remarks = "quern-remarks";

  /** `width`: work-items at once, 0 for what suits the machine and the kernel. */
  explicit VectorizeItemsPass(unsigned width) : width_(width) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

 private:
  unsigned width_;
};

}  // namespace quern

#endif
