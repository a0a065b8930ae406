/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divisions of floats by constants. */
#ifndef COMPILER_PASSES_CONSTANT_DIVISIONS_HPP
#define COMPILER_PASSES_CONSTANT_DIVISIONS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Replaces x / c of floats, where the division may be off by 2.5 ulp (!fpmath), by fma(x, h, x * l), where h + l is
 * the inverse of c (Brisebarre and Muller, "Correctly Rounded Multiplication by Arbitrary Precision Constants", 2008).
 *
 * The product with the rounded inverse alone would do for the specification, but make 41 / 41 less than 1, and programs
 * count on what is exact. Here it is, and so are all quotients from 2^-102 on by numbers of 20 bits. Needs a machine
 * to which two such operations cost less than a division. */
class DivideByConstantsPass : public llvm::PassInfoMixin<DivideByConstantsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
