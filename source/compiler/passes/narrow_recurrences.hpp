/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Narrowing of recurrences to the width of their indices. */
#ifndef COMPILER_PASSES_NARROW_RECURRENCES_HPP
#define COMPILER_PASSES_NARROW_RECURRENCES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Makes 32-bit phis of 64-bit ones of which only the low 32 bits are used, with an extension in the place of each mask
 * or pair of shifts. `uint i = get_global_id(0); ...; i += get_global_size(0)` truncates sizes, so that InstCombine
 * computes it in 64 bits and masks it in each iteration (InstCombinerImpl::EvaluateInDifferentType). Masked sums have
 * no constant distance between lanes. 32-bit integers have one that wraps: one test before an access is left. */
class NarrowRecurrencesPass : public llvm::PassInfoMixin<NarrowRecurrencesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
