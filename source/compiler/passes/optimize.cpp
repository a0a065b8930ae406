/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's pipelines before and after the work-group pass. */
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/SystemLibraries.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "compiler/passes/passes.h"

using namespace llvm;

namespace {

/* Analyses that know the target machine, and which math functions have vector forms. */
class Pipeline {
 public:
  explicit Pipeline(const passes_t &passes)
      : machine_(reinterpret_cast<TargetMachine *>(passes.machine)),
        builder_(machine_, options()),
        library_(machine_->getTargetTriple()) {
    library_.addVectorizableFunctionsFromVecLib(VectorLibrary::LIBMVEC, machine_->getTargetTriple());
    functions_.registerPass([&] { return TargetLibraryAnalysis(library_); });
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(sccs_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  }

  PassBuilder &builder() { return builder_; }
  void run(ModulePassManager &passes, LLVMModuleRef module) { passes.run(*unwrap(module), modules_); }

 private:
  static PipelineTuningOptions options() {
    PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.SLPVectorization = true;
    tuning.LoopInterleaving = true;
    return tuning;
  }

  TargetMachine *machine_;
  PassBuilder builder_;
  TargetLibraryInfoImpl library_;
  LoopAnalysisManager loops_;
  FunctionAnalysisManager functions_;
  CGSCCAnalysisManager sccs_;
  ModuleAnalysisManager modules_;
};

/* The loops over work-items are new: what they made redundant goes first, then they are vectorized. LLVM's own pipeline
 * would do more than pays here (unrolling, superword vectorization, loops distributed and fused), at three times the
 * cost. */
FunctionPassManager optimize_work_groups() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LoopVectorizePass(LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true,
                                                        /*VectorizeOnlyWhenForced=*/false)));
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

}  // namespace

extern "C" void passes_optimize_scalar(passes_t *passes) {
  if (!passes->optimize) return;
  Pipeline pipeline(*passes);
  ModulePassManager manager =
      pipeline.builder().buildModuleSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None);
  pipeline.run(manager, passes->module);
}

extern "C" void passes_optimize_final(passes_t *passes) {
  Pipeline pipeline(*passes);
  ModulePassManager manager;
  manager.addPass(AlwaysInlinerPass());
  manager.addPass(GlobalDCEPass());
  if (passes->optimize) {
    manager.addPass(createModuleToFunctionPassAdaptor(optimize_work_groups()));
    manager.addPass(GlobalDCEPass());
  }
  pipeline.run(manager, passes->module);
}
