/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Alias analysis by address spaces. */
#ifndef COMPILER_PASSES_ADDRESS_SPACE_AA_HPP
#define COMPILER_PASSES_ADDRESS_SPACE_AA_HPP

#include <llvm/Analysis/AliasAnalysis.h>

namespace llvm {
class PassBuilder;
}

namespace quern {

/** Tells that local memory is neither global nor constant memory, which are disjoint (OpenCL C section 6.7): what is
 * loaded from one need not be loaded again after a store to the other. A pointer to the generic address space counts as
 * one to the space of its object, where that is known. The counterpart of NVPTXAAResult and AMDGPUAAResult in LLVM. */
class AddressSpaceAAResult : public llvm::AAResultBase {
 public:
  llvm::AliasResult alias(const llvm::MemoryLocation &one, const llvm::MemoryLocation &other, llvm::AAQueryInfo &query,
                          const llvm::Instruction *context);
  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &, llvm::FunctionAnalysisManager::Invalidator &) {
    return false;
  }
};

class AddressSpaceAA : public llvm::AnalysisInfoMixin<AddressSpaceAA> {
 public:
  using Result = AddressSpaceAAResult;
  Result run(llvm::Function &, llvm::FunctionAnalysisManager &) { return Result(); }

 private:
  friend llvm::AnalysisInfoMixin<AddressSpaceAA>;
  static llvm::AnalysisKey Key;
};

/** Registers LLVM's alias analyses with this one. To be called before the builder registers its own. */
void register_alias_analyses(llvm::PassBuilder &builder, llvm::FunctionAnalysisManager &analyses);

}  // namespace quern

#endif
