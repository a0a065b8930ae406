/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Atomics on local memory. */
#ifndef COMPILER_PASSES_LOCAL_ATOMICS_HPP
#define COMPILER_PASSES_LOCAL_ATOMICS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes atomic operations on local memory plain ones: a work-group runs on one thread, and nobody else sees its local
 * memory. For code in which work-items run one after the other, or in vectors. */
class LowerLocalAtomicsPass : public llvm::PassInfoMixin<LowerLocalAtomicsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
