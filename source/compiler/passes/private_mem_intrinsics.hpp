/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Expansion of memset and memcpy of private variables. */
#ifndef COMPILER_PASSES_PRIVATE_MEM_INTRINSICS_HPP
#define COMPILER_PASSES_PRIVATE_MEM_INTRINSICS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Expands memsets and memcpys of private variables into loads and stores of elements, in a loop when there are many.
 * Clang makes them of initializers, LoopIdiomRecognize of loops. Each lane would run one by itself, and its variable
 * could not be interleaved with those of the other lanes (PrivateMemory). Only variables are expanded whose other uses
 * are loads and stores of elements of one size. Runs after SROA, on what stays in memory. */
class ExpandPrivateMemIntrinsicsPass : public llvm::PassInfoMixin<ExpandPrivateMemIntrinsicsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
