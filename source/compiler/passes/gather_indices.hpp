/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Indices of gathers. */
#ifndef COMPILER_PASSES_GATHER_INDICES_HPP
#define COMPILER_PASSES_GATHER_INDICES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Gives gathers indices of 32 bits as they are, where they were extended to 64: instructions that take such indices
 * move twice as many elements as those for 64 bits, and the code generator looks for what was extended right beside the
 * gather only, after it has taken the long way. To be run last, as LLVM's own passes extend indices. */
class NarrowGatherIndicesPass : public llvm::PassInfoMixin<NarrowGatherIndicesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
