/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's pipelines before and after the work-group pass. */
#include <llvm/ADT/bit.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
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
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "base/options.h"
#include "compiler/passes/local_atomics.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;
using namespace quern;

namespace {

/* Analyses that know the target machine. */
class Pipeline {
 public:
  explicit Pipeline(const passes_t &passes)
      : machine_(reinterpret_cast<TargetMachine *>(passes.machine)),
        builder_(machine_, options()),
        library_(machine_->getTargetTriple()) {
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

/* LLVM's vectorizer, for loops within one work-item's code where the work-items themselves run one by one. */
class VectorizeLoopsPass : public PassInfoMixin<VectorizeLoopsPass> {
 public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (function.hasFnAttribute(VectorizeItemsPass::done)) return PreservedAnalyses::all();
    return LoopVectorizePass(LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true,
                                                  /*VectorizeOnlyWhenForced=*/false))
        .run(function, analyses);
  }
};

/* The loops over work-items are new: what they made redundant goes first, then they are vectorized. LLVM's own pipeline
 * would do more than pays here (unrolling, superword vectorization, loops distributed and fused), at three times the
 * cost. */
FunctionPassManager optimize_work_groups(const work_group_layout_t &layout) {
  FunctionPassManager passes;
  auto width = bit_floor(uint64_t(options_get()->vectorize));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  if (width) {
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    passes.addPass(VectorizeItemsPass(width == 1 ? 0 : unsigned(width), layout.ndrange.global_size));
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(VectorizeLoopsPass());
  }
  passes.addPass(LowerLocalAtomicsPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  if (width) passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
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

/* What became of each kernel. */
static void collect_widths(passes_t &passes, text_t *log) {
  for (size_t i = 0; i < passes.kernel_count; i++) {
    kernel_work_t &kernel = passes.kernels[i];
    const Function &function = *unwrap<Function>(kernel.function);
    kernel.width = 1;
    if (function.getFnAttribute(VectorizeItemsPass::done).getValueAsString().getAsInteger(10, kernel.width)) {
      kernel.width = 1;
    }
    std::string remarks = function.getFnAttribute(VectorizeItemsPass::remarks).getValueAsString().str();
    if (!remarks.empty() && options_get()->vectorize_remarks) {
      text_appendf(log, "remark: kernel '%s': %s\n", kernel.name, remarks.c_str());
    }
  }
}

extern "C" void passes_optimize_final(passes_t *passes, text_t *log) {
  Pipeline pipeline(*passes);
  ModulePassManager manager;
  manager.addPass(AlwaysInlinerPass());
  manager.addPass(GlobalDCEPass());
  if (passes->optimize) {
    manager.addPass(createModuleToFunctionPassAdaptor(optimize_work_groups(passes->layout)));
    manager.addPass(GlobalDCEPass());
  }
  pipeline.run(manager, passes->module);
  collect_widths(*passes, log);
}
