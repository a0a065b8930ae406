/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of llvm.ldexp, as the math builtins use it. */
#ifndef COMPILER_PASSES_LDEXP_HPP
#define COMPILER_PASSES_LDEXP_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Lowers llvm.ldexp of floats, whose exponents must be at most twice the largest exponent of a float, to two products,
 * of which only the second one rounds. The code generator would call the C library instead. Where a target has an
 * instruction, its own pass runs before. */
class LowerLdexpPass : public llvm::PassInfoMixin<LowerLdexpPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

}  // namespace quern

#endif
