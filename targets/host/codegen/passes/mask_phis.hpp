/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Wider elements for masks that live across blocks, for CPUs without mask registers. */
#ifndef HOST_CODEGEN_PASSES_MASK_PHIS_HPP
#define HOST_CODEGEN_PASSES_MASK_PHIS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Gives masks in phis, such as those of the lanes that are still in a loop, elements as wide as those that they are
 * made from and used for. Without mask registers a compare makes elements of that width, but LLVM's type legalization
 * gives <8 x i1> elements of 16 bits wherever it crosses blocks, and each iteration packs and unpacks it. */
class WidenMaskPhisPass : public llvm::PassInfoMixin<WidenMaskPhisPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
