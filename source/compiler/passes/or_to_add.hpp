/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recovery of add from disjoint or in bounded 32-bit indices. */
#ifndef COMPILER_PASSES_OR_TO_ADD_HPP
#define COMPILER_PASSES_OR_TO_ADD_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Undoes demanded-bits simplification of 32-bit indices. An example is `if (x < 1024 && y < 1024) a[y * 1024 + x]`:
 * LLVM knows the bits that the bounds test permits, and forms the 64-bit index `((y << 10) | x) & 0xfffff`. That has
 * unit stride over work-items only for those that pass the test. The pass makes it `((y << 10) + x) & 0xffffffff`
 * again, which has unit stride for all. Runs right before vectorization. */
class OrToAddPass : public llvm::PassInfoMixin<OrToAddPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
