/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Calls of math functions with a constant argument. */
#ifndef COMPILER_PASSES_LIBRARY_CALLS_HPP
#define COMPILER_PASSES_LIBRARY_CALLS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Replaces calls of built-in math functions that an argument makes simple, before built-ins are linked: powers by
 * products and roots, roots of small degree, exponentials of integers, and remainders by powers of two. LLVM's
 * SimplifyLibCalls does the same for C's functions, most of it under fast-math flags only.
 *
 * Results are within the limits of OpenCL C (section 7.4) for all arguments, and special cases those of section 7.5.1.
 * Constants in variables are found as well: functions with such calls are simplified first. */
class FoldLibraryCallsPass : public llvm::PassInfoMixin<FoldLibraryCallsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

}  // namespace quern

#endif
