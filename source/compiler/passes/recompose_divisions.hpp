/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Index arithmetic that takes a number to pieces and puts it together again. */
#ifndef COMPILER_PASSES_RECOMPOSE_DIVISIONS_HPP
#define COMPILER_PASSES_RECOMPOSE_DIVISIONS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** x / y * y + x % y becomes x. Programs make coordinates of a linear index, and an address of the coordinates:
 * `a[(i / width) * width + i % width]` is contiguous in i. InstCombine does so for constants alone.
 *
 * Runs before make_divisions_defined(), which changes the divisors and then chooses among quotients. For a divisor of 0
 * quotient and remainder are unspecified, and so is their sum: it need not be that of the values seen elsewhere.
 * Variables of functions with such divisions are promoted to registers first, as PromotePass does. */
class RecomposeDivisionsPass : public llvm::PassInfoMixin<RecomposeDivisionsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** The pass, without a pass manager. True when the function was changed. */
bool recompose_divisions(llvm::Function &function);

}  // namespace quern

#endif
