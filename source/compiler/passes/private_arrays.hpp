/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Full unrolling of loops over private arrays. */
#ifndef COMPILER_PASSES_PRIVATE_ARRAYS_HPP
#define COMPILER_PASSES_PRIVATE_ARRAYS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Marks loops over private arrays for full unrolling, for which AMDGPU's getUnrollingPreferences() raises the
 * threshold. A loop that indexes an array keeps it in memory, where each work-item has a copy of its own. Unrolled,
 * all indices are constants, and SROA makes values of the elements. A loop is marked if that holds for the whole
 * array: the accesses are loads and stores at constants, or at induction variables of loops that are unrolled too. The
 * trip count of a loop may depend on loops around it (`i < last / 2`), in which case these are unrolled first. Loops
 * with barriers, with hints against it and those that would become too large are left to LLVM's own decision. Runs
 * after loops were rotated, before they are unrolled. */
class FavorPrivateArraysPass : public llvm::PassInfoMixin<FavorPrivateArraysPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
