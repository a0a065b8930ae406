/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions of a module as passes. */
#ifndef COMPILER_PASSES_REQUIRED_MODULE_PASS_HPP
#define COMPILER_PASSES_REQUIRED_MODULE_PASS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** A function of a module that correctness needs, as a pass. */
template <class Derived, void (*transform)(llvm::Module &)>
class RequiredModulePass : public llvm::PassInfoMixin<Derived> {
 public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    transform(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

}  // namespace quern

#endif
