/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's simplification of a module. */
#include "compiler/passes/simplification.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/GlobalsModRef.h>
#include <llvm/Analysis/InlineAdvisor.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/CalledValuePropagation.h>
#include <llvm/Transforms/IPO/DeadArgumentElimination.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/GlobalOpt.h>
#include <llvm/Transforms/IPO/InferFunctionAttrs.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/SCCP.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/ConstraintElimination.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopInstSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopSimplifyCFG.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/MergedLoadStoreMotion.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/SpeculativeExecution.h>
#include <llvm/Transforms/Scalar/TailRecursionElimination.h>
#include <llvm/Transforms/Utils/ExtraPassManager.h>
#include <llvm/Transforms/Utils/LibCallsShrinkWrap.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Utils/MoveAutoInit.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "compiler/passes/distribute_extensions.hpp"
#include "compiler/passes/induction_variables.hpp"
#include "compiler/passes/limit_unroll.hpp"
#include "compiler/passes/private_arguments.hpp"
#include "compiler/passes/private_arrays.hpp"

using namespace llvm;

namespace quern {

/* Analyses of a function are not kept when its passes are done: memory rather than time. */
static constexpr bool eagerly = true;

/* As many times is a part of the call graph simplified again when calls in it became direct ones. */
static constexpr unsigned most_devirtualizations = 4;

static SimplifyCFGPass simplify_branches() {
  return SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true));
}

static void clean_up_front_end(ModulePassManager &manager) {
  FunctionPassManager passes;
  passes.addPass(LowerExpectIntrinsicPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  manager.addPass(InferFunctionAttrsPass());
  manager.addPass(createModuleToFunctionPassAdaptor(std::move(passes), eagerly));
}

static void propagate_constants(ModulePassManager &manager) {
  FunctionPassManager cleanup;
  cleanup.addPass(PromotePass());
  cleanup.addPass(InstCombinePass());
  cleanup.addPass(simplify_branches());
  manager.addPass(IPSCCPPass());
  manager.addPass(CalledValuePropagationPass());
  manager.addPass(GlobalOptPass());
  manager.addPass(createModuleToFunctionPassAdaptor(std::move(cleanup), eagerly));
}

static void simplify_expressions(FunctionPassManager &passes) {
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(DistributeExtensionsPass());
  passes.addPass(SpeculativeExecutionPass(/*OnlyIfDivergentTarget=*/true));
  passes.addPass(JumpThreadingPass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(simplify_branches());
  passes.addPass(InstCombinePass());
  passes.addPass(AggressiveInstCombinePass());
  passes.addPass(LibCallsShrinkWrapPass());
  passes.addPass(TailCallElimPass());
  passes.addPass(simplify_branches());
  passes.addPass(ReassociatePass());
  passes.addPass(ConstraintEliminationPass());
}

static LICMPass hoist(bool speculate) {
  LICMOptions options;
  options.AllowSpeculation = speculate;
  return LICMPass(options);
}

/* Passes that keep MemorySSA, and those that do not. Speculation before rotation would lose metadata. */
static void simplify_loops(FunctionPassManager &passes) {
  LoopPassManager rotation, unrolling;
  rotation.addPass(LoopInstSimplifyPass());
  rotation.addPass(LoopSimplifyCFGPass());
  rotation.addPass(hoist(/*speculate=*/false));
  rotation.addPass(LoopRotatePass());
  rotation.addPass(hoist(/*speculate=*/true));
  rotation.addPass(SimpleLoopUnswitchPass());
  unrolling.addPass(LoopIdiomRecognizePass());
  unrolling.addPass(IndVarSimplifyPass());
  ExtraLoopPassManager<ShouldRunExtraSimpleLoopUnswitch> unswitching;
  unswitching.addPass(SimpleLoopUnswitchPass());
  unrolling.addPass(std::move(unswitching));
  unrolling.addPass(LimitUnrollPass());
  unrolling.addPass(LoopDeletionPass());
  unrolling.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotation), /*UseMemorySSA=*/true));
  passes.addPass(simplify_branches());
  passes.addPass(InstCombinePass());
  passes.addPass(FavorPrivateArraysPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(unrolling)));
}

static void remove_redundancies(FunctionPassManager &passes) {
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(VectorCombinePass(/*TryEarlyFoldsOnly=*/true));
  passes.addPass(MergedLoadStoreMotionPass());
  passes.addPass(GVNPass());
  passes.addPass(SCCPPass());
  passes.addPass(BDCEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(JumpThreadingPass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(ADCEPass());
  passes.addPass(MemCpyOptPass());
  passes.addPass(DSEPass());
  passes.addPass(MoveAutoInitPass());
  passes.addPass(createFunctionToLoopPassAdaptor(hoist(/*speculate=*/true), /*UseMemorySSA=*/true));
}

/* Without sinkCommonInsts: of the accesses of two branches it would make one behind a phi of two addresses, which has
 * no stride over work-items where both have one. */
static FunctionPassManager simplify_function() {
  FunctionPassManager passes;
  simplify_expressions(passes);
  simplify_loops(passes);
  remove_redundancies(passes);
  passes.addPass(LoopSimplifyPass());
  passes.addPass(CanonicalizeInductionPass());
  passes.addPass(SimplifyCFGPass(
      SimplifyCFGOptions().convertSwitchRangeToICmp(true).convertSwitchToArithmetic(true).hoistCommonInsts(true)));
  passes.addPass(InstCombinePass());
  passes.addPass(FavorPrivateArgumentsPass());
  return passes;
}

/* Callees before callers: what is inlined is simplified already. */
static ModuleInlinerWrapperPass inline_and_simplify() {
  ModuleInlinerWrapperPass inliner(getInlineParams(/*OptLevel=*/2, /*SizeOptLevel=*/0), /*MandatoryFirst=*/false,
                                   {ThinOrFullLTOPhase::None, InlinePass::CGSCCInliner}, InliningAdvisorMode::Default,
                                   most_devirtualizations);
  inliner.addModulePass(RequireAnalysisPass<GlobalsAA, Module>());
  /* It is made anew then, with the analysis of globals. */
  inliner.addModulePass(createModuleToFunctionPassAdaptor(InvalidateAnalysisPass<AAManager>()));
  inliner.addModulePass(RequireAnalysisPass<ProfileSummaryAnalysis, Module>());
  CGSCCPassManager &passes = inliner.getPM();
  passes.addPass(PostOrderFunctionAttrsPass(/*SkipNonRecursive=*/true));
  passes.addPass(createCGSCCToFunctionPassAdaptor(simplify_function(), eagerly, /*NoRerun=*/true));
  passes.addPass(PostOrderFunctionAttrsPass());
  passes.addPass(createCGSCCToFunctionPassAdaptor(RequireAnalysisPass<ShouldNotRunFunctionPassesAnalysis, Function>()));
  inliner.addLateModulePass(
      createModuleToFunctionPassAdaptor(InvalidateAnalysisPass<ShouldNotRunFunctionPassesAnalysis>()));
  return inliner;
}

void add_simplification(ModulePassManager &manager) {
  clean_up_front_end(manager);
  propagate_constants(manager);
  manager.addPass(AlwaysInlinerPass());
  manager.addPass(inline_and_simplify());
  manager.addPass(DeadArgumentEliminationPass());
  manager.addPass(GlobalOptPass());
  manager.addPass(GlobalDCEPass());
}

}  // namespace quern
