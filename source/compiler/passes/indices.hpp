/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Indices of gathers. */
#ifndef COMPILER_PASSES_INDICES_HPP
#define COMPILER_PASSES_INDICES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Extends indices of 32 bits right where they are gathered by, not before the loop around: the code generator looks no
 * further, and instructions that take such indices move twice as many elements as those for 64 bits. */
class SinkIndicesPass : public llvm::PassInfoMixin<SinkIndicesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
