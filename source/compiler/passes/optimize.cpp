/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The optimization pipelines before and after the work-group pass. */
#include "compiler/passes/optimize.hpp"

#include <llvm/ADT/bit.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "base/options.h"
#include "compiler/passes/adapters.hpp"
#include "compiler/passes/assumptions.hpp"
#include "compiler/passes/constant_divisions.hpp"
#include "compiler/passes/distinct_arguments.hpp"
#include "compiler/passes/divide_functions.hpp"
#include "compiler/passes/ldexp.hpp"
#include "compiler/passes/licm_of.hpp"
#include "compiler/passes/local_atomics.hpp"
#include "compiler/passes/narrow_recurrences.hpp"
#include "compiler/passes/or_to_add.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/passes/private_mem_intrinsics.hpp"
#include "compiler/passes/private_memmoves.hpp"
#include "compiler/passes/private_volatile.hpp"
#include "compiler/passes/rare_calls.hpp"
#include "compiler/passes/remarks.hpp"
#include "compiler/passes/rematerialize_loads.hpp"
#include "compiler/passes/sign_extensions.hpp"
#include "compiler/passes/simplification.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/target_passes.hpp"
#include "compiler/passes/vectorize/transform/first_items.hpp"
#include "compiler/passes/vectorize/transform/lower_bounds.hpp"
#include "compiler/passes/vectorize/transform/masked_loads.hpp"
#include "compiler/passes/vectorize/transform/redundant_selects.hpp"
#include "compiler/passes/vectorize/transform/split_guards.hpp"
#include "compiler/passes/vectorize/transform/trip_count_masks.hpp"
#include "compiler/passes/vectorize/transform/unswitch_items.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"
#include "compiler/passes/work_item_ranges.hpp"

using namespace llvm;
using namespace quern;

namespace {

/* Runs passes on the functions that have an attribute, or on all others. */
class IfAttributePassAdaptor : public PassInfoMixin<IfAttributePassAdaptor> {
 public:
  IfAttributePassAdaptor(const char *attribute, bool has_it, FunctionPassManager passes)
      : attribute_(attribute), has_it_(has_it), passes_(std::move(passes)) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (function.hasFnAttribute(attribute_) != has_it_) return PreservedAnalyses::all();
    return passes_.run(function, analyses);
  }
  static bool isRequired() { return true; }

 private:
  const char *attribute_;
  bool has_it_;
  FunctionPassManager passes_;
};

/* Runs passes on the entries that the runtime calls, with the pieces that they are divided into, or on all other
 * functions. The entries come first: vector variants are made from the functions that a kernel calls, which must still
 * be scalar when the kernel is vectorized. */
class IfEntryPassAdaptor : public PassInfoMixin<IfEntryPassAdaptor> {
 public:
  IfEntryPassAdaptor(bool is_entry, FunctionPassManager passes) : is_entry_(is_entry), passes_(std::move(passes)) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (is_entry_or_piece(function) != is_entry_) return PreservedAnalyses::all();
    return passes_.run(function, analyses);
  }
  static bool isRequired() { return true; }

 private:
  bool is_entry_;
  FunctionPassManager passes_;
};

/* Passes that clean up behind others, where those changed something. */
template <typename PassManagerT>
class IfChangedPassAdaptor : public PassInfoMixin<IfChangedPassAdaptor<PassManagerT>> {
 public:
  IfChangedPassAdaptor(PassManagerT passes, PassManagerT cleanup)
      : passes_(std::move(passes)), cleanup_(std::move(cleanup)) {}
  template <typename IRUnitT>
  PreservedAnalyses run(IRUnitT &ir, AnalysisManager<IRUnitT> &analyses) {
    PreservedAnalyses preserved = passes_.run(ir, analyses);
    if (!preserved.areAllPreserved()) preserved.intersect(cleanup_.run(ir, analyses));
    return preserved;
  }
  static bool isRequired() { return true; }

 private:
  PassManagerT passes_, cleanup_;
};

/* The most blocks of a loop out of which LICM hoists. Thousands of values would live across all of a larger one, and be
 * stored and loaded again. */
constexpr unsigned most_hoisted_blocks = 1024;

bool is_hoisted_out_of(const Loop &loop) { return loop.getNumBlocks() <= most_hoisted_blocks; }

using BoundedLICMPass = LICMOfPass<is_hoisted_out_of>;

/* The value of QUERN_VECTORIZE as a power of two: 0 means no vectors, 1 that the compiler chooses the factor. */
unsigned asked_width() { return unsigned(bit_floor(uint64_t(options_get()->vectorize))); }

/* InstCombine, with a workaround for masked loads. It is needed before vectorization too: the vector variants of
 * functions have masked loads from the start. */
void combine_instructions(FunctionPassManager &passes) {
  passes.addPass(KeepMaskedLoadsPass());
  passes.addPass(InstCombinePass());
}

/* Unswitching, with simplification of the copies. */
IfChangedPassAdaptor<FunctionPassManager> unswitch_items() {
  FunctionPassManager unswitching, cleanup;
  unswitching.addPass(UnswitchItemsPass());
  cleanup.addPass(SimplifyCFGPass());
  combine_instructions(cleanup);
  cleanup.addPass(SimplifyCFGPass());
  return {std::move(unswitching), std::move(cleanup)};
}

/* The work-item vectorizer and its preparation. Kernels with sub-groups are vectorized even with QUERN_VECTORIZE=0. */
void vectorize_items(FunctionPassManager &passes, const PassContext &context) {
  unsigned width = asked_width();
  passes.addPass(DropAssumptionsPass());
  passes.addPass(RemoveUnreachableEdgesPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(unswitch_items());
  passes.addPass(OrToAddPass());
  passes.addPass(RecoverSignExtensionsPass());
  passes.addPass(NarrowRecurrencesPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.addPass(SkipFirstItemsPass());
  passes.addPass(RemoveLowerBoundsPass());
  passes.addPass(SplitGuardsPass());
  PlanOptions plan_options;
  plan_options.width = width > 1 ? width : 0;
  passes.addPass(VectorizeItemsPass(plan_options, width > 0, context.work.target));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
}

/* Most instructions of a condition that are evaluated even where the one before does not hold. */
constexpr int max_guard_instructions = 4;

/* Cleans up after the work-group pass. LLVM's own pipeline is not used: it would also unroll, distribute and fuse loops
 * and run SLP, which is not profitable here and takes three times as long. */
FunctionPassManager simplify_work_groups() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SimplifyCFGPass());
  combine_instructions(passes);
  /* LICM may create loop-carried values in item loops, which then do not match. Sub-groups need all loops to match. */
  FunctionPassManager hoisting;
  hoisting.addPass(createFunctionToLoopPassAdaptor(BoundedLICMPass(), /*UseMemorySSA=*/true));
  passes.addPass(IfAttributePassAdaptor(sub_groups_attribute, false, std::move(hoisting)));
  /* Conditions of a guard that are evaluated one after the other become one. */
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().bonusInstThreshold(max_guard_instructions)));
  return passes;
}

/* Vectorizes the item loops. */
FunctionPassManager begin_work_groups(const PassContext &context) {
  FunctionPassManager passes;
  if (asked_width()) {
    vectorize_items(passes, context);
  } else {
    FunctionPassManager sub_groups;
    vectorize_items(sub_groups, context);
    passes.addPass(IfAttributePassAdaptor(sub_groups_attribute, true, std::move(sub_groups)));
  }
  return passes;
}

void lower_ldexp(FunctionPassManager &passes, const PassContext &context) {
  add_target_passes(&target_passes_t::lower, passes, context);
  passes.addPass(LowerLdexpPass());
}

/* The maximum number of accesses of a loop for LICM promotion. It compares each pair of accesses, and loops with
 * unroll-and-jam have more than a hundred. */
constexpr unsigned most_promoted = 64;

FunctionPassManager end_work_groups(const PassContext &context) {
  FunctionPassManager passes;
  unsigned width = asked_width();
  if (width) passes.addPass(VectorizeLoopsPass());
  passes.addPass(InlineRareCallsPass());
  passes.addPass(LowerLocalAtomicsPass());
  lower_ldexp(passes, context);
  passes.addPass(EarlyCSEPass());
  combine_instructions(passes);
  passes.addPass(RemoveRedundantSelectsPass());
  if (context.work.target.costs.has_mask_registers) passes.addPass(TripCountMasksPass());
  passes.addPass(SimplifyCFGPass());
  if (width) {
    LICMOptions hoisting;
    hoisting.MssaNoAccForPromotionCap = most_promoted;
    passes.addPass(createFunctionToLoopPassAdaptor(BoundedLICMPass(hoisting), /*UseMemorySSA=*/true));
    passes.addPass(RematerializeLoadsPass());
  }
  add_target_passes(&target_passes_t::finish_function, passes, context);
  return passes;
}

FunctionPassManager optimize_functions(const PassContext &context) {
  FunctionPassManager passes = simplify_work_groups();
  passes.addPass(begin_work_groups(context));
  passes.addPass(end_work_groups(context));
  return passes;
}

/* Versions the entries for distinct arguments and vectorizes them, then undecided ones after their scalar variant is
 * cloned, then optimizes the other functions. Large entries are divided before LICM: what is invariant in the loops of
 * a piece stays in that piece. */
void optimize_work_groups(ModulePassManager &manager, const PassContext &context) {
  manager.addPass(createModuleToFunctionPassAdaptor(IfEntryPassAdaptor(true, simplify_work_groups())));
  manager.addPass(VersionDistinctArgumentsPass());
  manager.addPass(createModuleToFunctionPassAdaptor(IfEntryPassAdaptor(true, begin_work_groups(context))));
  manager.addPass(KeepScalarVariantPass());
  FunctionPassManager again;
  vectorize_items(again, context);
  manager.addPass(
      createModuleToFunctionPassAdaptor(IfAttributePassAdaptor(VectorizeItemsPass::undecided, true, std::move(again))));
  manager.addPass(DivideFunctionsPass());
  manager.addPass(createModuleToFunctionPassAdaptor(IfEntryPassAdaptor(true, end_work_groups(context))));
  manager.addPass(GlobalDCEPass());
  manager.addPass(createModuleToFunctionPassAdaptor(IfEntryPassAdaptor(false, optimize_functions(context))));
}

/* The maximum depth of calls with image arguments: helpers of the program, and three functions of the library. */
constexpr unsigned deepest_known_call = 8;

ModulePassManager fold_known_images() {
  FunctionPassManager simplify;
  simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  simplify.addPass(FoldKnownImagesPass());
  simplify.addPass(SCCPPass());
  simplify.addPass(SimplifyCFGPass());
  ModulePassManager folding;
  folding.addPass(createModuleToFunctionPassAdaptor(std::move(simplify)));
  return folding;
}

/* Folds the known formats of images before all other passes, one call level at a time from the kernel on. It removes
 * the general code of each image access before the optimizer sees it. */
class SpecializeImagesPassAdaptor : public PassInfoMixin<SpecializeImagesPassAdaptor> {
 public:
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    if (!knows_images(module)) return PreservedAnalyses::all();
    for (unsigned depth = 0; depth < deepest_known_call; depth++) {
      fold_known_images().run(module, analyses);
      ModulePassManager marking, inlining;
      marking.addPass(MarkKnownCallsPass());
      if (marking.run(module, analyses).areAllPreserved()) break;
      inlining.addPass(AlwaysInlinerPass());
      inlining.addPass(GlobalDCEPass());
      inlining.run(module, analyses);
    }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

}  // namespace

/* After inlining, arguments by value belong to functions that stay calls: they become explicit copies. */
void quern::add_scalar_optimization(ModulePassManager &manager, PassContext &context) {
  ModulePassManager copying, cleanup;
  copying.addPass(CopyByvalArgumentsPass());
  if (!context.work.optimize) {
    manager.addPass(std::move(copying));
    return;
  }
  manager.addPass(SpecializeImagesPassAdaptor());
  /* The first two, and canonicalize-induction in the simplification, undo what programmers did to the source, or an
   * optimizer that wrote SPIR-V. It hides private variables and induction variables from the vectorizer. */
  FunctionPassManager before_simplification;
  before_simplification.addPass(ExpandPrivateMemmovesPass());
  before_simplification.addPass(DropPrivateVolatilePass());
  before_simplification.addPass(BoundWorkItemsPass(context));
  manager.addPass(createModuleToFunctionPassAdaptor(std::move(before_simplification)));
  add_simplification(manager);
  cleanup.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
  manager.addPass(IfChangedPassAdaptor(std::move(copying), std::move(cleanup)));
  FunctionPassManager finish;
  finish.addPass(DivideByConstantsPass());
  finish.addPass(ExpandPrivateMemIntrinsicsPass());
  manager.addPass(createModuleToFunctionPassAdaptor(std::move(finish)));
}

void quern::add_final_optimization(ModulePassManager &manager, PassContext &context) {
  manager.addPass(AlwaysInlinerPass());
  manager.addPass(GlobalDCEPass());
  if (context.work.optimize) {
    optimize_work_groups(manager, context);
    manager.addPass(GlobalDCEPass());
  } else {
    manager.addPass(createModuleToFunctionPassAdaptor(
        IfAttributePassAdaptor(sub_groups_attribute, true, optimize_functions(context))));
    FunctionPassManager lowering;
    lower_ldexp(lowering, context);
    manager.addPass(createModuleToFunctionPassAdaptor(std::move(lowering)));
  }
  add_target_passes(&target_passes_t::finish_module, manager, context);
}

extern "C" void passes_optimize_scalar(passes_t *passes) {
  PassContext context = {*passes, nullptr};
  Pipeline pipeline(context);
  ModulePassManager manager;
  add_scalar_optimization(manager, context);
  pipeline.run(manager, passes->module);
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
static compiler_result_t collect_sub_group_size(kernel_work_t &kernel, ArrayRef<Remark> remarks, text_t *log) {
  kernel.sub_group_size = kernel.width;
  if (!kernel.uses_sub_groups) {
    unsigned width = asked_width();
    kernel.sub_group_size = width ? choose_sub_group_size(width > 1 ? width : 0) : 1;
    if (kernel.reqd_sub_group_size) kernel.sub_group_size = kernel.reqd_sub_group_size;
  }
  if (!kernel.reqd_sub_group_size || kernel.sub_group_size == kernel.reqd_sub_group_size) return compiler_success;
  text_appendf(log, "error: kernel '%s': no sub-groups of %u work-items", kernel.name, kernel.reqd_sub_group_size);
  for (const Remark &remark : remarks) {
    text_appendf(log, "%s%s", &remark == remarks.begin() ? ": " : "; ", remark.text.c_str());
  }
  text_append(log, "\n");
  return compiler_error_link_failure;
}

static void write_remarks(const kernel_work_t &kernel, ArrayRef<Remark> remarks, text_t *log) {
  if (!options_get()->vectorize_remarks) return;
  for (const Remark &remark : remarks) {
    text_appendf(log, "%s%sremark: kernel '%s': %s\n", remark.location.c_str(), remark.location.empty() ? "" : ": ",
                 kernel.name, remark.text.c_str());
  }
}

static bool expects_scalar(const Function *function) {
  return function && function->getFnAttribute(VectorizeItemsPass::undecided).getValueAsString() ==
                         VectorizeItemsPass::expects_scalar;
}

/* Reads the results of the vectorizer from the function attributes; writes remarks to the log. */
static compiler_result_t collect_widths(passes_t &passes, const RemarkCollector &collector, text_t *log) {
  compiler_result_t result = compiler_success;
  for (size_t i = 0; i < passes.kernel_count; i++) {
    kernel_work_t &kernel = passes.kernels[i];
    const Function &function = *unwrap<Function>(kernel.function);
    kernel.width = 1;
    if (function.getFnAttribute(VectorizeItemsPass::done).getValueAsString().getAsInteger(10, kernel.width)) {
      kernel.width = 1;
    }
    kernel.expects_scalar = expects_scalar(&function);
    kernel.distinct_expects_scalar =
        expects_scalar(function.getParent()->getFunction((PASSES_DISTINCT_PREFIX + function.getName()).str()));
    const SmallVector<Remark, 4> remarks = collector.of_function(function.getName());
    write_remarks(kernel, remarks, log);
    compiler_result_t sized = collect_sub_group_size(kernel, remarks, log);
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
  PassContext context = {*passes, log};
  const RemarkCollector remarks(unwrap(passes->module)->getContext(), passes->remarks);
  Pipeline pipeline(context);
  ModulePassManager manager;
  add_final_optimization(manager, context);
  pipeline.run(manager, passes->module);
  if (!is_valid(*unwrap(passes->module), log)) return compiler_error_internal;
  return collect_widths(*passes, remarks, log);
}
