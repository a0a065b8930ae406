/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Products with powers of two, as the math functions leave them. */
#ifndef COMPILER_PASSES_LDEXP_HPP
#define COMPILER_PASSES_LDEXP_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Writes what the builtins leave as llvm.ldexp, with exponents of at most twice what one power of two can have: as the
 * instruction of AVX-512 where `has_instruction` and the vectors have the size of a register, else as two products,
 * which are rounded as one. The code generator would call a function of the C library. */
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
