/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The optimization pipelines before and after the work-group pass. */
#include <llvm/ADT/bit.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "base/options.h"
#include "compiler/passes/byte_shuffles.hpp"
#include "compiler/passes/byval_arguments.hpp"
#include "compiler/passes/gather_indices.hpp"
#include "compiler/passes/induction_variables.hpp"
#include "compiler/passes/ldexp.hpp"
#include "compiler/passes/local_atomics.hpp"
#include "compiler/passes/or_to_add.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/private_memmoves.hpp"
#include "compiler/passes/reciprocal_estimates.hpp"
#include "compiler/passes/reciprocals.hpp"
#include "compiler/passes/specialize.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/transform/masked_loads.hpp"
#include "compiler/passes/vectorize/transform/redundant_selects.hpp"
#include "compiler/passes/vectorize/transform/trip_count_masks.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;
using namespace quern;

namespace {

/* Analysis managers and pass builder for the target machine. */
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
  TargetTransformInfo machine(const Function &function) const { return machine_->getTargetTransformInfo(function); }
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

/* LLVM's LoopVectorize, for the inner loops of functions in which no item loop is vectorized. */
class VectorizeLoopsPass : public PassInfoMixin<VectorizeLoopsPass> {
 public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (function.hasFnAttribute(VectorizeItemsPass::done)) return PreservedAnalyses::all();
    return LoopVectorizePass(LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true,
                                                  /*VectorizeOnlyWhenForced=*/false))
        .run(function, analyses);
  }
};

/* Runs passes on the functions that have an attribute, or on all others. */
class IfAttributePass : public PassInfoMixin<IfAttributePass> {
 public:
  IfAttributePass(const char *attribute, bool has_it, FunctionPassManager passes)
      : attribute_(attribute), has_it_(has_it), passes_(std::move(passes)) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (function.hasFnAttribute(attribute_) != has_it_) return PreservedAnalyses::all();
    return passes_.run(function, analyses);
  }

 private:
  const char *attribute_;
  bool has_it_;
  FunctionPassManager passes_;
};

/* Runs passes on the entries that the runtime calls, or on all other functions. The entries come first: vector variants
 * are made from the functions that a kernel calls, which must still be scalar when the kernel is vectorized. */
class IfEntryPass : public PassInfoMixin<IfEntryPass> {
 public:
  IfEntryPass(bool is_entry, FunctionPassManager passes) : is_entry_(is_entry), passes_(std::move(passes)) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (function.hasLocalLinkage() == is_entry_) return PreservedAnalyses::all();
    return passes_.run(function, analyses);
  }

 private:
  bool is_entry_;
  FunctionPassManager passes_;
};

/* The value of QUERN_VECTORIZE as a power of two: 0 means no vectors, 1 that the compiler chooses the factor. */
unsigned asked_width() { return unsigned(bit_floor(uint64_t(options_get()->vectorize))); }

/* True when an x86 target has a subtarget feature, or a tuning flag. */
bool has_feature(const passes_t &work, const char *feature) {
  auto *machine = reinterpret_cast<TargetMachine *>(work.machine);
  return machine->getTargetTriple().isX86() && machine->getMCSubtargetInfo()->checkFeatures(feature);
}

/* True when the CPU model has the fast-gather tuning by default. The features of this target may have it removed, where
 * microcode made gathers slow. That does not apply to scatters. */
bool has_fast_scatters(const passes_t &work) {
  auto *machine = reinterpret_cast<TargetMachine *>(work.machine);
  if (!machine->getTargetTriple().isX86()) return false;
  const std::unique_ptr<MCSubtargetInfo> own(
      machine->getTarget().createMCSubtargetInfo(machine->getTargetTriple(), machine->getTargetCPU(), ""));
  return own->checkFeatures("+fast-gather");
}

bool has_avx512(const passes_t &work) { return has_feature(work, "+avx512f"); }

/* InstCombine, with a workaround for masked loads. It is needed before vectorization too: the vector variants of
 * functions have masked loads from the start. */
void combine_instructions(FunctionPassManager &passes) {
  passes.addPass(KeepMaskedLoadsPass());
  passes.addPass(InstCombinePass());
}

/* The work-item vectorizer and its preparation. Kernels with sub-groups are vectorized even with QUERN_VECTORIZE=0. */
void vectorize_items(FunctionPassManager &passes, const passes_t &work) {
  unsigned width = asked_width();
  passes.addPass(RemoveUnreachableEdgesPass());
  passes.addPass(OrToAddPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.addPass(VectorizeItemsPass(width > 1 ? width : 0, width > 0, work.layout, has_feature(work, "+fast-gather"),
                                    has_fast_scatters(work)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
}

/* Cleans up after the work-group pass, then vectorizes the item loops. LLVM's own pipeline is not used: it would also
 * unroll, distribute and fuse loops and run SLP, which is not profitable here and takes three times as long. */
FunctionPassManager begin_work_groups(const passes_t &work) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SimplifyCFGPass());
  combine_instructions(passes);
  /* LICM may create loop-carried values in item loops, which then do not match. Sub-groups need all loops to match. */
  FunctionPassManager hoisting;
  hoisting.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(IfAttributePass(sub_groups_attribute, false, std::move(hoisting)));
  passes.addPass(SimplifyCFGPass());
  if (asked_width()) {
    vectorize_items(passes, work);
  } else {
    FunctionPassManager sub_groups;
    vectorize_items(sub_groups, work);
    passes.addPass(IfAttributePass(sub_groups_attribute, true, std::move(sub_groups)));
  }
  return passes;
}

/* The maximum number of accesses of a loop for LICM promotion. It compares each pair of accesses, and loops with
 * unroll-and-jam have more than a hundred. */
constexpr unsigned most_promoted = 64;

FunctionPassManager end_work_groups(const passes_t &work) {
  FunctionPassManager passes;
  unsigned width = asked_width();
  if (width) passes.addPass(VectorizeLoopsPass());
  passes.addPass(LowerLocalAtomicsPass());
  passes.addPass(LowerLdexpPass(has_avx512(work)));
  passes.addPass(EarlyCSEPass());
  combine_instructions(passes);
  passes.addPass(RemoveRedundantSelectsPass());
  if (has_avx512(work)) passes.addPass(TripCountMasksPass());
  passes.addPass(SimplifyCFGPass());
  if (width) {
    LICMOptions hoisting;
    hoisting.MssaNoAccForPromotionCap = most_promoted;
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(hoisting), /*UseMemorySSA=*/true));
    passes.addPass(NarrowGatherIndicesPass());
  }
  if (has_avx512(work)) passes.addPass(ReciprocalsPass());
  return passes;
}

/* Clones each undecided function as its scalar variant. */
class KeepScalarVariantPass : public PassInfoMixin<KeepScalarVariantPass> {
 public:
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    SmallVector<Function *, 4> undecided;
    for (Function &function : module) {
      if (function.hasFnAttribute(VectorizeItemsPass::undecided)) undecided.push_back(&function);
    }
    for (Function *function : undecided) {
      ValueToValueMapTy map;
      Function *copy = CloneFunction(function, map);
      copy->setName(PASSES_SINGLE_PREFIX + function->getName());
      copy->removeFnAttr(VectorizeItemsPass::undecided);
      copy->addFnAttr(VectorizeItemsPass::scalar_variant);
    }
    return undecided.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
};

FunctionPassManager optimize_functions(const passes_t &work) {
  FunctionPassManager passes = begin_work_groups(work);
  passes.addPass(end_work_groups(work));
  return passes;
}

/* Vectorizes the entries, then undecided ones after their scalar variant is cloned, then optimizes the other
 * functions. */
void optimize_work_groups(ModulePassManager &manager, const passes_t &work) {
  manager.addPass(createModuleToFunctionPassAdaptor(IfEntryPass(true, begin_work_groups(work))));
  manager.addPass(KeepScalarVariantPass());
  FunctionPassManager again;
  vectorize_items(again, work);
  manager.addPass(
      createModuleToFunctionPassAdaptor(IfAttributePass(VectorizeItemsPass::undecided, true, std::move(again))));
  manager.addPass(createModuleToFunctionPassAdaptor(IfEntryPass(true, end_work_groups(work))));
  manager.addPass(GlobalDCEPass());
  manager.addPass(createModuleToFunctionPassAdaptor(IfEntryPass(false, optimize_functions(work))));
}

/* Works around LLVM 22: on processors with half arithmetic it selects, for rint of a half with conversion to int, an
 * instruction that does not round. It is correct for roundeven, which is the same in the default rounding mode. */
void round_halves_to_even(Module &module) {
  Function *round = module.getFunction("llvm.rint.f16");
  if (!round) return;
  Type *half = Type::getHalfTy(module.getContext());
  round->replaceAllUsesWith(Intrinsic::getOrInsertDeclaration(&module, Intrinsic::roundeven, {half}));
  round->eraseFromParent();
}

}  // namespace

/* The maximum depth of calls with image arguments: helpers of the program, and three functions of the library. */
static constexpr unsigned deepest_known_call = 8;

/* Folds the known formats of images before all other passes, one call level at a time from the kernel on. It removes
 * the general code of each image access before the optimizer sees it. */
static void specialize(Pipeline &pipeline, LLVMModuleRef module) {
  for (unsigned depth = 0; depth < deepest_known_call; depth++) {
    FunctionPassManager simplify;
    simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
    simplify.addPass(FoldKnownImagesPass());
    simplify.addPass(SCCPPass());
    simplify.addPass(SimplifyCFGPass());
    ModulePassManager folding;
    folding.addPass(createModuleToFunctionPassAdaptor(std::move(simplify)));
    pipeline.run(folding, module);
    if (!mark_known_calls(*unwrap(module))) return;
    ModulePassManager inlining;
    inlining.addPass(AlwaysInlinerPass());
    inlining.addPass(GlobalDCEPass());
    pipeline.run(inlining, module);
  }
}

/* LLVM's simplification pipeline and two passes that undo source-level optimizations. These come from an optimizer that
 * produced SPIR-V, or from programmers, and hide induction variables and private arrays from the vectorizer. */
static ModulePassManager simplification(PassBuilder &builder) {
  builder.registerScalarOptimizerLateEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(LoopSimplifyPass());
    passes.addPass(CanonicalizeInductionPass());
  });
  ModulePassManager manager;
  manager.addPass(createModuleToFunctionPassAdaptor(ExpandPrivateMemmovesPass()));
  manager.addPass(builder.buildModuleSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None));
  return manager;
}

/* After inlining, arguments by value belong to functions that stay calls: they become explicit copies. */
extern "C" void passes_optimize_scalar(passes_t *passes) {
  Module &module = *unwrap(passes->module);
  if (!passes->optimize) {
    copy_by_value_arguments(module);
    return;
  }
  Pipeline pipeline(*passes);
  if (knows_images(module)) specialize(pipeline, passes->module);
  ModulePassManager manager = simplification(pipeline.builder());
  pipeline.run(manager, passes->module);
  if (!copy_by_value_arguments(module)) return;
  Pipeline after(*passes);
  ModulePassManager copies;
  copies.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
  after.run(copies, passes->module);
}

static bool has_images(const kernel_work_t &kernel) {
  return std::any_of(kernel.parameters, kernel.parameters + kernel.parameter_count,
                     [](const kernel_parameter_t &parameter) { return parameter.kind == program_arg_image; });
}

/* Sets the function attributes from which the vectorizer knows about images and sub-groups. */
static void note_kernels(passes_t &passes) {
  bool is_special = knows_images(*unwrap(passes.module));
  for (size_t i = 0; i < passes.kernel_count; i++) {
    const kernel_work_t &kernel = passes.kernels[i];
    Function *function = unwrap<Function>(kernel.function);
    if (!is_special && has_images(kernel)) function->addFnAttr(VectorizeItemsPass::general_images);
    if (!kernel.uses_sub_groups) continue;
    function->addFnAttr(sub_groups_attribute, std::to_string(kernel.reqd_sub_group_size));
  }
}

/* Sets the sub-group size of a kernel: its vectorization factor. A kernel that does not use sub-groups reports the size
 * that it would have, or the one that it requires. An error if a required size could not be had. */
static compiler_result_t collect_sub_group_size(kernel_work_t &kernel, Pipeline &pipeline, const std::string &remarks,
                                                text_t *log) {
  const Function &function = *unwrap<Function>(kernel.function);
  kernel.sub_group_size = kernel.width;
  if (!kernel.uses_sub_groups) {
    unsigned width = asked_width();
    kernel.sub_group_size = width ? choose_sub_group_size(width > 1 ? width : 0, pipeline.machine(function)) : 1;
    if (kernel.reqd_sub_group_size) kernel.sub_group_size = kernel.reqd_sub_group_size;
  }
  if (!kernel.reqd_sub_group_size || kernel.sub_group_size == kernel.reqd_sub_group_size) return compiler_success;
  text_appendf(log, "error: kernel '%s': no sub-groups of %u work-items: %s\n", kernel.name, kernel.reqd_sub_group_size,
               remarks.c_str());
  return compiler_error_link_failure;
}

/* Reads the results of the vectorizer from the function attributes; writes remarks to the log. */
static compiler_result_t collect_widths(passes_t &passes, Pipeline &pipeline, text_t *log) {
  compiler_result_t result = compiler_success;
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
    compiler_result_t sized = collect_sub_group_size(kernel, pipeline, remarks, log);
    if (sized != compiler_success) result = sized;
  }
  return result;
}

/* Verifies the module: code generation does not, and may crash or miscompile invalid IR. */
static bool is_valid(const Module &module, text_t *log) {
  std::string problem;
  raw_string_ostream stream(problem);
  if (!verifyModule(module, &stream)) return true;
  text_appendf(log, "error: the program broke when it was optimised: %s\n", problem.c_str());
  return false;
}

extern "C" compiler_result_t passes_optimize_final(passes_t *passes, text_t *log) {
  note_kernels(*passes);
  Pipeline pipeline(*passes);
  ModulePassManager manager;
  manager.addPass(AlwaysInlinerPass());
  manager.addPass(GlobalDCEPass());
  if (passes->optimize) {
    optimize_work_groups(manager, *passes);
    manager.addPass(GlobalDCEPass());
  } else {
    manager.addPass(
        createModuleToFunctionPassAdaptor(IfAttributePass(sub_groups_attribute, true, optimize_functions(*passes))));
    manager.addPass(createModuleToFunctionPassAdaptor(LowerLdexpPass(has_avx512(*passes))));
  }
  pipeline.run(manager, passes->module);
  round_halves_to_even(*unwrap(passes->module));
  forbid_reciprocal_estimates(*unwrap(passes->module));
  fix_byte_shuffles(*unwrap(passes->module));
  if (!is_valid(*unwrap(passes->module), log)) return compiler_error_internal;
  return collect_widths(*passes, pipeline, log);
}
