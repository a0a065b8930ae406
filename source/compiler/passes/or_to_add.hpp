/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sums that LLVM wrote with the bits of operands within bounds. */
#ifndef COMPILER_PASSES_OR_TO_ADD_HPP
#define COMPILER_PASSES_OR_TO_ADD_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Of an index of 32 bits behind a test of bounds, like `if (x < 1024 && y < 1024) a[y * 1024 + x]`, LLVM leaves what
 * the bounds let through: `((y << 10) | x) & 0xfffff`, in 64 bits. From work-item to work-item that grows by one only
 * for those that pass the test. This makes it `((y << 10) + x) & 0xffffffff` again, which grows for all. Comes right
 * before vectorization. */
class OrToAddPass : public llvm::PassInfoMixin<OrToAddPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
