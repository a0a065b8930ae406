/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Distribution of the sign extensions of indices over sums. */
#ifndef COMPILER_PASSES_DISTRIBUTE_EXTENSIONS_HPP
#define COMPILER_PASSES_DISTRIBUTE_EXTENSIONS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes 64-bit arithmetic of the signed 32-bit arithmetic of indices, which does not overflow (`nsw`):
 * `getelementptr %a, sext (add nsw %x, %y)` becomes `getelementptr %a, add nsw (sext %x), (sext %y)`. The same is done
 * for differences, for disjoint ors (what InstCombine makes of sums), and for products and shifts by constants. Sums
 * with a term that was loaded stay: they are the 32-bit indices of gathers. Runs before ReassociatePass, which drops
 * `nsw` where it moves operands: after that a sum of indices may wrap around, and each access needs a runtime check.
 * SeparateConstOffsetFromGEP distributes extensions as well, but only to split off a constant; IndVarSimplify widens
 * nothing but induction variables. */
class DistributeExtensionsPass : public llvm::PassInfoMixin<DistributeExtensionsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
