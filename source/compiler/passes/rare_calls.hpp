/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Late inlining of cold functions. */
#ifndef COMPILER_PASSES_RARE_CALLS_HPP
#define COMPILER_PASSES_RARE_CALLS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Inlines calls of small cold functions (`RARE` of the built-in functions among them), and of their vector variants.
 * Until vectorization they are calls, so that functions which call them stay small enough to be inlined, and bodies
 * small enough to be copied. A call would cost the code around it, too: no vector register is preserved by the calling
 * convention, so what is live across it is in memory. */
class InlineRareCallsPass : public llvm::PassInfoMixin<InlineRareCallsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
