/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Volatile accesses of private variables. */
#ifndef COMPILER_PASSES_PRIVATE_VOLATILE_HPP
#define COMPILER_PASSES_PRIVATE_VOLATILE_HPP

#include <llvm/IR/Instruction.h>
#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes volatile accesses of a function's own variables plain ones where the variable is written only once, as in
 * `volatile int id = get_local_id(0);`, and its address stays in the function. Nothing else can see it, and it has one
 * value (what an access is depends on the implementation, C17 6.7.3). Programs have the qualifier to stop other
 * compilers from moving code (CLBlast's matrix products); here it would keep SROA from the variable, and every lane
 * would access it by itself. A counter keeps it: loops that only count are there to take time. Runs before SROA. */
class DropPrivateVolatilePass : public llvm::PassInfoMixin<DropPrivateVolatilePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** Makes a load or store a plain one. */
void drop_volatile(llvm::Instruction &access);

}  // namespace quern

#endif
