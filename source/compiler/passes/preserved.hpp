/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What passes leave valid. */
#ifndef COMPILER_PASSES_PRESERVED_HPP
#define COMPILER_PASSES_PRESERVED_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Of a pass that changes instructions but no control flow; everything when it has changed nothing. */
inline llvm::PreservedAnalyses preserve_blocks(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace quern

#endif
