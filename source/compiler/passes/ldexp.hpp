/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of llvm.ldexp, as the math builtins use it. */
#ifndef COMPILER_PASSES_LDEXP_HPP
#define COMPILER_PASSES_LDEXP_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Lowers llvm.ldexp of floats. The exponents must be at most twice the largest exponent of a float. With
 * `has_instruction`, vectors that fill registers use AVX-512's vscalefps. Others become two products, of which only the
 * second one rounds. The code generator would call the C library instead. */
class LowerLdexpPass : public llvm::PassInfoMixin<LowerLdexpPass> {
 public:
  explicit LowerLdexpPass(bool has_instruction) : has_instruction_(has_instruction) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }

 private:
  bool has_instruction_;
};

}  // namespace quern

#endif
