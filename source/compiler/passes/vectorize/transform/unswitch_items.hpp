/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Item loops that are unswitched on conditions which choose between addresses. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_UNSWITCH_ITEMS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_UNSWITCH_ITEMS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Unswitches loops over work-items on a condition that is the same for all of them and chooses between addresses with
 * different strides: `x = axis == 0 ? index : get_global_id(0)`. In each copy of the loop the stride is known, where
 * the lanes would gather. As by SimpleLoopUnswitch in LLVM, but of the loops of all dimensions together, and only where
 * an address depends on it. */
class UnswitchItemsPass : public llvm::PassInfoMixin<UnswitchItemsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
