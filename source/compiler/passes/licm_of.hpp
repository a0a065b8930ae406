/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's LICM for some loops. */
#ifndef COMPILER_PASSES_LICM_OF_HPP
#define COMPILER_PASSES_LICM_OF_HPP

#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace quern {

/** LICM for the loops of which `is_wanted` is true. Wants MemorySSA, as LICM does. */
template <bool (*is_wanted)(const llvm::Loop &)>
class LICMOfPass : public llvm::PassInfoMixin<LICMOfPass<is_wanted>> {
 public:
  explicit LICMOfPass(const llvm::LICMOptions &options = llvm::LICMOptions()) : licm_(options) {}
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater) {
    return is_wanted(loop) ? licm_.run(loop, analyses, results, updater) : llvm::PreservedAnalyses::all();
  }

 private:
  llvm::LICMPass licm_;
};

}  // namespace quern

#endif
