/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loads under masks that stay where they are. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_MASKED_LOADS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_MASKED_LOADS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Gives loads under masks the values of lanes that are off, where a select does that otherwise, and keeps LLVM 22 from
 * doing so: its InstCombine makes another load where the select is, behind what is stored in between
 * (https://github.com/llvm/llvm-project/issues/215453). To be run before that. */
class KeepMaskedLoadsPass : public llvm::PassInfoMixin<KeepMaskedLoadsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
