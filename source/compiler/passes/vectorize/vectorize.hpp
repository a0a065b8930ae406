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

  /** `width`: work-items at once, 0 for what suits the machine and the kernel. `global_size`: offset of the launch's
   * size in what a parameter with PASSES_NDRANGE_ATTRIBUTE points to. */
  VectorizeItemsPass(unsigned width, unsigned global_size) : width_(width), global_size_(global_size) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

 private:
  unsigned width_, global_size_;
};

}  // namespace quern

#endif
