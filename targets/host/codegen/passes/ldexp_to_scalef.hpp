/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of llvm.ldexp to vscalefps. */
#ifndef HOST_CODEGEN_PASSES_LDEXP_TO_SCALEF_HPP
#define HOST_CODEGEN_PASSES_LDEXP_TO_SCALEF_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Lowers llvm.ldexp of vectors of floats that fill registers to AVX-512's vscalefps. LowerLdexpPass, which must run
 * after it, lowers the others. For targets with this instruction. */
class LdexpToScalefPass : public llvm::PassInfoMixin<LdexpToScalefPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
