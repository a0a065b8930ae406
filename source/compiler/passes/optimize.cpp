/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's pipelines before and after the work-group pass. */
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

/* Passes for functions that have an attribute, or for all others. */
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

/* Passes for what the runtime calls, or for all functions that are called from there: those come second, since what is
 * still in its scalar form when a kernel is vectorized is what its calls get a vector form of. */
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

/* 0 is none, 1 what suits. */
unsigned asked_width() { return unsigned(bit_floor(uint64_t(options_get()->vectorize))); }

/* Whether an x86 machine has a feature, or a habit that LLVM tunes code for. */
bool has_feature(const passes_t &work, const char *feature) {
  auto *machine = reinterpret_cast<TargetMachine *>(work.machine);
  return machine->getTargetTriple().isX86() && machine->getMCSubtargetInfo()->checkFeatures(feature);
}

/* What is known of the CPU may say that its gathers have lost their speed. Its scatters have not. */
bool has_fast_scatters(const passes_t &work) {
  auto *machine = reinterpret_cast<TargetMachine *>(work.machine);
  if (!machine->getTargetTriple().isX86()) return false;
  const std::unique_ptr<MCSubtargetInfo> own(
      machine->getTarget().createMCSubtargetInfo(machine->getTargetTriple(), machine->getTargetCPU(), ""));
  return own->checkFeatures("+fast-gather");
}

bool has_avx512(const passes_t &work) { return has_feature(work, "+avx512f"); }

/* Functions that the vectorizer made, to be called with vectors, have loads under masks from the beginning. */
void combine_instructions(FunctionPassManager &passes) {
  passes.addPass(KeepMaskedLoadsPass());
  passes.addPass(InstCombinePass());
}

/* Those that ask for a size of sub-groups get it where nothing else is vectorized. */
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

/* The loops over work-items are new: what they made redundant goes first, then they are vectorized. LLVM's own pipeline
 * would do more than pays here (unrolling, superword vectorization, loops distributed and fused), at three times the
 * cost. */
FunctionPassManager begin_work_groups(const passes_t &work) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SimplifyCFGPass());
  combine_instructions(passes);
  /* It may carry a value from work-item to work-item, and so take from a loop the form that vectors need. */
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

/* Accesses of a loop whose memory may be kept in registers while it runs. That asks about each pair of them, and loops
 * that do several rows at once have some hundred. */
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

/* Of functions whose vectors are a guess a copy stays without. */
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

/* Vectors, and again where they were a guess; then what is called. */
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

/* LLVM 22 makes of a half that is rounded and then converted to int, on processors with arithmetic in half, an
 * instruction that does not round. It does round when told to round to even, and there is no other rounding. */
void round_halves_to_even(Module &module) {
  Function *round = module.getFunction("llvm.rint.f16");
  if (!round) return;
  Type *half = Type::getHalfTy(module.getContext());
  round->replaceAllUsesWith(Intrinsic::getOrInsertDeclaration(&module, Intrinsic::roundeven, {half}));
  round->eraseFromParent();
}

}  // namespace

/* Calls of functions that have images are this deep at most: helpers of the program, and three of the library. */
static constexpr unsigned deepest_known_call = 8;

/* Folds what is known of images before all else, call by call from the kernel down: the general code of each read is
 * gone before the optimiser looks at it. */
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

/* LLVM's pipeline between passes of our own, which undo what an optimiser did before us to a program that comes as
 * SPIR-V, and people do, where it hides things. */
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

/* What is still passed by value then is so to functions that stay calls. */
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

/* What the vectorizer is to know of kernels. */
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

/* Sub-groups are vectors where there are any; a kernel that does not ask may be told any size. */
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

/* What became of each kernel. */
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

/* Code generation does not ask, and may crash, or make something of it. */
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
