/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Expansion of short memmoves within a private variable. */
#ifndef COMPILER_PASSES_PRIVATE_MEMMOVES_HPP
#define COMPILER_PASSES_PRIVATE_MEMMOVES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Expands memmoves within one private variable, at constant offsets, into loads of all elements followed by stores,
 * when there are few elements. Clang emits them in SPIR-V, for example to shift an array by one element. SROA could not
 * promote the variable to registers otherwise. */
class ExpandPrivateMemmovesPass : public llvm::PassInfoMixin<ExpandPrivateMemmovesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
