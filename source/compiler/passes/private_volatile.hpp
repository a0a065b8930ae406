/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Volatile accesses of private variables. */
#ifndef COMPILER_PASSES_PRIVATE_VOLATILE_HPP
#define COMPILER_PASSES_PRIVATE_VOLATILE_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes volatile loads and stores of a function's own variables plain ones. Nothing but the work-item can see such a
 * variable whose address stays in the function, and there are no signal handlers: its accesses have no effect
 * that could be observed (what an access is depends on the implementation, C17 6.7.3). Programs have the qualifier to
 * stop other compilers from moving code (CLBlast's and SHOC's matrix products); here it would keep SROA from the
 * variable, and every lane would access it by itself. Runs before SROA. */
class DropPrivateVolatilePass : public llvm::PassInfoMixin<DropPrivateVolatilePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
