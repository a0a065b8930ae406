/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Narrowing of 64-bit gather indices to 32 bits. */
#ifndef HOST_CODEGEN_PASSES_GATHER_INDICES_HPP
#define HOST_CODEGEN_PASSES_GATHER_INDICES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Removes the extension of 32-bit indices to 64 bits from masked gathers. Gather instructions with 32-bit indices load
 * twice as many elements as those with 64-bit ones. The code generator looks for the extension only next to the gather,
 * and only after it has split the vector. Must run last, since LLVM's own passes extend indices. */
class NarrowGatherIndicesPass : public llvm::PassInfoMixin<NarrowGatherIndicesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
