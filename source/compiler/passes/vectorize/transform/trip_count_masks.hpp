/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops whose lanes are on for as many turns as each of them has. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_TRIP_COUNT_MASKS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_TRIP_COUNT_MASKS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Where several vectors of lanes do one loop, each lane until a number that they share reaches its own bound: tells
 * which lanes are on from number and bounds in each turn, rather than from the turn before, and how long there are any
 * from the highest bound. A mask of several vectors that is carried from turn to turn is put together and taken apart
 * in each of them. For targets with mask registers. */
class TripCountMasksPass : public llvm::PassInfoMixin<TripCountMasksPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
