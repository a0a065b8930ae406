/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Index arithmetic that takes a number to pieces and puts it together again. */
#ifndef COMPILER_PASSES_RECOMPOSE_DIVISIONS_HPP
#define COMPILER_PASSES_RECOMPOSE_DIVISIONS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** x / y * y + x % y becomes x. Programs make coordinates of a linear index, and an address of the coordinates:
 * `a[(i / width) * width + i % width]` is contiguous in i. InstCombine does so for constants alone, and cannot do it
 * for divisions that make_divisions_defined() has changed: only there is known that the result is unspecified for the
 * divisors 0 and -1. Runs before ReassociatePass, which takes the sums to pieces. */
class RecomposeDivisionsPass : public llvm::PassInfoMixin<RecomposeDivisionsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
