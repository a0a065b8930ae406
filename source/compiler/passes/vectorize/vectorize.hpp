/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Whole-function vectorization: the loops over work-items run several at once. */
#ifndef COMPILER_PASSES_VECTORIZE_VECTORIZE_HPP
#define COMPILER_PASSES_VECTORIZE_VECTORIZE_HPP

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/PassManager.h>

#include "compiler/passes/passes.h"

namespace quern {

/** The size of the sub-groups of kernels that ask for none; `width` as for the pass. */
unsigned choose_sub_group_size(unsigned width, const llvm::TargetTransformInfo &target);

/** Takes away the ways to blocks that are nothing but unreachable: a `switch` over all that a value can be has one, and
 * it would be a second way out of the loop over work-items. */
class RemoveUnreachableEdgesPass : public llvm::PassInfoMixin<RemoveUnreachableEdgesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** Gives each loop over work-items a vector form in front, which leaves it the work-items that do not fill a vector. */
class VectorizeItemsPass : public llvm::PassInfoMixin<VectorizeItemsPass> {
 public:
  /** Attributes: the work-items that a vector of the function has, when a loop was vectorized; what was done. */
  static constexpr const char *done = "quern-vectorized", *remarks = "quern-remarks";
  /** Attributes: it is a guess that vectors pay, and nothing was done: the pass does it when it comes again; leave the
   * function as it is. */
  static constexpr const char *undecided = "quern-guessed", *scalar_variant = "quern-single";
  /** Attribute: images are read whose formats are not known, so that there is code for many. */
  static constexpr const char *general_images = "quern-general-images";

  /** `width`: work-items at once, 0 for what suits the machine and the kernel. Without `may_choose` only what must be:
   * sub-groups of the size that a kernel asks for. `layout`: of what a parameter with PASSES_NDRANGE_ATTRIBUTE points
   * to. `gathers_fast`, `scatters_fast`: as in VectorTarget. */
  VectorizeItemsPass(unsigned width, bool may_choose, const work_group_layout_t &layout, bool gathers_fast,
                     bool scatters_fast)
      : width_(width),
        may_choose_(may_choose),
        linearization_(layout),
        gathers_fast_(gathers_fast),
        scatters_fast_(scatters_fast) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

 private:
  unsigned width_;
  bool may_choose_;
  work_group_layout_t linearization_;
  bool gathers_fast_, scatters_fast_;
};

}  // namespace quern

#endif
