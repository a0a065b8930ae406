/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Inlining of functions that get pointers to private variables. */
#ifndef COMPILER_PASSES_PRIVATE_ARGUMENTS_HPP
#define COMPILER_PASSES_PRIVATE_ARGUMENTS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Marks a function that gets the address of a private variable for the inliner, for which AMDGPU's
 * adjustInliningThreshold() raises the threshold. A call keeps the variable in memory, where each work-item has a copy
 * of its own: the vectorizer would gather every access of the callee, and a barrier would keep the whole variable.
 * Inlined, SROA makes values of it. Runs at the end of a function's simplification, with what is inlined into it, and
 * before that of its callers: it looks at their calls, and changes nothing in them. Large functions stay calls, and
 * those with so many calls that the code would grow much; so do recursive functions and `noinline` ones. */
class FavorPrivateArgumentsPass : public llvm::PassInfoMixin<FavorPrivateArgumentsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
