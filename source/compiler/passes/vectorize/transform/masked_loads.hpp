/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pass that folds selects into masked loads. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_MASKED_LOADS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_MASKED_LOADS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Folds a select of a masked load into the load's passthru operand, and freezes loads that another select may use.
 * InstCombine of LLVM 22 folds such a select into a new load at the select, across stores in between
 * (https://github.com/llvm/llvm-project/issues/215453). Must run before InstCombine. */
class KeepMaskedLoadsPass : public llvm::PassInfoMixin<KeepMaskedLoadsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
