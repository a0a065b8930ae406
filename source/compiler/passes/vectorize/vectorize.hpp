/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work-item vectorizer: passes of whole-function vectorization for work-group functions. */
#ifndef COMPILER_PASSES_VECTORIZE_VECTORIZE_HPP
#define COMPILER_PASSES_VECTORIZE_VECTORIZE_HPP

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/PassManager.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/plan_options.hpp"

namespace quern {

/** The sub-group size of kernels that do not require one. `width`: as PlanOptions::width. */
unsigned choose_sub_group_size(unsigned width);

/** Removes edges to blocks that contain nothing but `unreachable`. A `switch` over all values of its operand has one as
 * its default. It would be a second exit of the item loop, which ItemLoop::match does not accept. */
class RemoveUnreachableEdgesPass : public llvm::PassInfoMixin<RemoveUnreachableEdgesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** Vectorizes the item loops of a function ("Whole-function vectorization", Karrenberg and Hack). The vector code comes
 * before each item loop. Without masked memory operations the item loop stays as the remainder loop, for the work-items
 * that do not fill a vector. */
class VectorizeItemsPass : public llvm::PassInfoMixin<VectorizeItemsPass> {
 public:
  /** Function attribute: the largest vectorization factor, if a loop was vectorized. */
  static constexpr const char *done = "quern-vectorized";
  /** Function attribute: the plan of each item loop, one line each (VectorPlan::print). */
  static constexpr const char *plans = PASSES_PLANS_ATTRIBUTE;
  /** Function attributes. `undecided`: the cost model cannot tell whether vectors are profitable. The pass has done
   * nothing, and vectorizes the function when it runs again. The attribute's value is `expects_scalar` where vectors
   * are estimated to be slower. `scalar_variant`: the pass does not change the function. */
  static constexpr const char *undecided = "quern-undecided", *scalar_variant = "quern-scalar-variant",
                              *expects_scalar = "scalar";
  /** Function attribute: the function accesses images of unknown formats, with code for many formats. */
  static constexpr const char *general_images = "quern-general-images";

  /** Without `may_choose`, only kernels with sub-groups are vectorized, and only with the size that they require.
   * `target` outlives the pass. */
  VectorizeItemsPass(PlanOptions options, bool may_choose, const target_description_t &target)
      : options_(options), may_choose_(may_choose), target_(&target) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

 private:
  PlanOptions options_;
  bool may_choose_;
  const target_description_t *target_;
};

}  // namespace quern

#endif
