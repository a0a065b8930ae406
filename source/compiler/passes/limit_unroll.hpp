/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A limit to what `#pragma unroll` may make of a loop. */
#ifndef COMPILER_PASSES_LIMIT_UNROLL_HPP
#define COMPILER_PASSES_LIMIT_UNROLL_HPP

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class LPMUpdater;
class Loop;
}  // namespace llvm

namespace quern {

/** Drops the unroll hints of a loop which would become more than 16,384 instructions; LLVM decides then as it does
 * without a hint. LLVM obeys hints without a limit: `#pragma unroll 1000000` is a million copies, and loops inside of
 * each other multiply. It runs right before the loop is unrolled, when those inside of it have been. */
class LimitUnrollPass : public llvm::PassInfoMixin<LimitUnrollPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                              llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &updater);
};

}  // namespace quern

#endif
