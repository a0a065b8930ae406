/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Masks of loops that all lanes run until their own trip counts. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_TRIP_COUNT_MASKS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_TRIP_COUNT_MASKS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Computes the mask of a loop of several vectors from its counter and the lanes' bounds in each iteration, instead of
 * carrying it, and the exit from the highest bound. A mask of several registers that is carried would be packed and
 * unpacked in each iteration. For targets with mask registers. */
class TripCountMasksPass : public llvm::PassInfoMixin<TripCountMasksPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
