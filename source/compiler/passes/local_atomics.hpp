/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of atomics on local memory. */
#ifndef COMPILER_PASSES_LOCAL_ATOMICS_HPP
#define COMPILER_PASSES_LOCAL_ATOMICS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Replaces atomic operations on local memory by plain ones. This is legal since a work-group runs on one thread and no
 * other thread accesses its local memory. For code in which work-items run serially or in vectors. */
class LowerLocalAtomicsPass : public llvm::PassInfoMixin<LowerLocalAtomicsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
