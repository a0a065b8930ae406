/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What passes run in: analyses that know the target machine, and instrumentation. */
#ifndef COMPILER_PASSES_PIPELINE_HPP
#define COMPILER_PASSES_PIPELINE_HPP

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/PrettyStackTrace.h>

#include "compiler/passes/registry.hpp"

namespace quern {

/** A pass builder for the target machine, with our passes beside LLVM's, and what runs passes on a module.
 *
 * Instrumentation is what the environment asks for: IR printed after passes (QUERN_PRINT_AFTER), passes left out
 * (QUERN_DISABLE_PASSES). LLVM lists what passes count (statistics.hpp). */
class Pipeline {
 public:
  /** With `verify_each` the module is checked after each pass; a fatal error of LLVM's when it is broken. */
  explicit Pipeline(PassContext &context, bool verify_each = false);
  Pipeline(const Pipeline &) = delete;
  Pipeline &operator=(const Pipeline &) = delete;

  llvm::PassBuilder &builder() { return builder_; }
  llvm::PreservedAnalyses run(llvm::ModulePassManager &passes, LLVMModuleRef module);

 private:
  void disable_passes();
  void note_passes();

  /** What LLVM tells of the pipeline when the process ends in it. */
  class Trace : public llvm::PrettyStackTraceEntry {
   public:
    void note(llvm::StringRef pass, const llvm::Any &ir);
    void print(llvm::raw_ostream &out) const override;

   private:
    /** The latest pass that began, and its function, empty for passes of modules. */
    llvm::StringRef pass_, function_;
  };

  PassContext &context_;
  llvm::TargetMachine *machine_;
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::PrintIRInstrumentation print_;
  llvm::VerifyInstrumentation verify_;
  llvm::PassBuilder builder_;
  llvm::TargetLibraryInfoImpl library_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
  /** While it runs. */
  Trace *trace_ = nullptr;
};

}  // namespace quern

#endif
