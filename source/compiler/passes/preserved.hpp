/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sets of analyses that passes preserve. */
#ifndef COMPILER_PASSES_PRESERVED_HPP
#define COMPILER_PASSES_PRESERVED_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** The set for a pass that changes instructions but not the CFG; all analyses when `changed` is false. */
inline llvm::PreservedAnalyses preserve_blocks(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace quern

#endif
