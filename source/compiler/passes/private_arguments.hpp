/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Inlining of functions that get pointers to private variables. */
#ifndef COMPILER_PASSES_PRIVATE_ARGUMENTS_HPP
#define COMPILER_PASSES_PRIVATE_ARGUMENTS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Marks calls that pass the address of a private variable for the inliner, for which AMDGPU's
 * adjustInliningThreshold() raises the threshold. A call keeps the variable in memory, where each work-item has a copy
 * of its own: the vectorizer would gather every access of the callee, and a barrier would keep the whole variable.
 * Inlined, SROA makes values of it. Functions that are too large, with what is inlined into them, and recursive ones
 * stay calls, so that the code grows with the number of calls. So do those that are `noinline`, or whose call is. Runs
 * before the inliner. */
class FavorPrivateArgumentsPass : public llvm::PassInfoMixin<FavorPrivateArgumentsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

}  // namespace quern

#endif
