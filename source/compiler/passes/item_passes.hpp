/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes that apply one transformation of the vectorizer to scalar item loops.
 *
 * The driver's pipeline has these transformations inside of VectorizeItemsPass. Here each runs alone, for tests and for
 * looking at it: item loops stay loops over single work-items, and a further pass may vectorize them. */
#ifndef COMPILER_PASSES_ITEM_PASSES_HPP
#define COMPILER_PASSES_ITEM_PASSES_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Replaces the body of each item loop by its canonical form, as ShapeAnalysis describes it: one exit at the latch of
 * loops that work-items leave in different iterations, divergent switches as branches. Item loops that cannot be
 * vectorized stay as they are. */
class CanonicalizeItemsPass : public llvm::PassInfoMixin<CanonicalizeItemsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** Unroll-and-jam over y of each item loop for which it is profitable (YLoop::can_unroll_and_jam); the item loop stays
 * for the remaining y. */
class UnrollAndJamItemsPass : public llvm::PassInfoMixin<UnrollAndJamItemsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** reduce_strength for each innermost loop `for (y = 0; ...; y += constant)` with a latch of its own, 64 bits wide.
 * When an item loop is directly around it, as in the mask-free version, it prefetches for the loop that
 * EnclosingInduction finds. */
class ReduceStrengthPass : public llvm::PassInfoMixin<ReduceStrengthPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
