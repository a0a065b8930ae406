/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Item loops that begin at the first work-item inside a lower bound. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_FIRST_ITEMS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_FIRST_ITEMS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Shifts item loops whose whole body stands under a guard `local_id >= first`: work-items before the first one need no
 * iteration, and those behind it no test. Each step of an inclusive scan by doubling has such a guard. Where a
 * guard names a single work-item, `local_id == n - 1`, one iteration is left. The upper bound of what is left is
 * ItemBound's. */
class SkipFirstItemsPass : public llvm::PassInfoMixin<SkipFirstItemsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
