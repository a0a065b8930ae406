/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Private variables whose parts are moved within themselves. */
#ifndef COMPILER_PASSES_PRIVATE_MEMMOVES_HPP
#define COMPILER_PASSES_PRIVATE_MEMMOVES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Writes copies from a private variable to itself, at places that are known, as loads of its elements and then stores,
 * when these are few: as of an array whose elements are all moved on by one, which Clang makes a memmove of in SPIR-V.
 * The variable could not become registers otherwise. */
class ExpandPrivateMemmovesPass : public llvm::PassInfoMixin<ExpandPrivateMemmovesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
