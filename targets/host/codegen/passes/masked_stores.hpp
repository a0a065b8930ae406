/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Other code for masked stores, for CPUs on which these are slow. */
#ifndef HOST_CODEGEN_PASSES_MASKED_STORES_HPP
#define HOST_CODEGEN_PASSES_MASKED_STORES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Stores without a mask where all lanes are active, and not at all where none is:
 *   if (all of mask) store; else if (any of mask) masked store
 * For elements of 32 and 64 bits, and masks that come from a condition of the program: of a tail, some lanes are active
 * and some are not. It adds branches, so that it runs after what looks for straight-line code.
 * A store with a constant mask, as of a strided group with gaps, becomes a store for each run of active lanes. */
class TestMaskedStoresPass : public llvm::PassInfoMixin<TestMaskedStoresPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
