/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes for LLVM's pass managers that are functions of a module or a function elsewhere. */
#ifndef COMPILER_PASSES_ADAPTERS_HPP
#define COMPILER_PASSES_ADAPTERS_HPP

#include <llvm/IR/PassManager.h>

#include "compiler/passes/divergence.hpp"
#include "compiler/passes/division.hpp"
#include "compiler/passes/local_memory.hpp"
#include "compiler/passes/opaque_types.hpp"
#include "compiler/passes/printf.hpp"
#include "compiler/passes/registry.hpp"
#include "compiler/passes/required_module_pass.hpp"
#include "compiler/passes/single_item_groups.hpp"
#include "compiler/passes/specialize.hpp"
#include "compiler/passes/work_item_arguments.hpp"

namespace quern {

inline void protect_names(llvm::Module &module) { passes_protect_names(wrap(&module)); }
inline void keep_exact_divisions(llvm::Module &module) { passes_keep_exact_divisions(wrap(&module)); }

class ProtectNamesPass : public RequiredModulePass<ProtectNamesPass, protect_names> {};
class KeepExactDivisionsPass : public RequiredModulePass<KeepExactDivisionsPass, keep_exact_divisions> {};
class LowerOpaqueTypesPass : public RequiredModulePass<LowerOpaqueTypesPass, lower_opaque_types> {};
class WorkItemArgumentsPass : public RequiredModulePass<WorkItemArgumentsPass, add_work_item_arguments> {};
class FoldKnownSamplersPass : public RequiredModulePass<FoldKnownSamplersPass, fold_known_samplers> {};
class MakeDivisionsDefinedPass : public RequiredModulePass<MakeDivisionsDefinedPass, make_divisions_defined> {};
class UnifyPrintfPass : public RequiredModulePass<UnifyPrintfPass, unify_printf> {};
class ExpandLocalVariableUsesPass : public RequiredModulePass<ExpandLocalVariableUsesPass, expand_local_variable_uses> {
};
class MakeLocalMemoryPrivatePass : public RequiredModulePass<MakeLocalMemoryPrivatePass, make_local_memory_private> {};

/** A step from kernels to work-groups, which may refuse the program: the result is in the context. */
template <class Derived>
class StepPass : public llvm::PassInfoMixin<Derived> {
 public:
  explicit StepPass(PassContext &context) : context_(&context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    if (context_->result == compiler_success) context_->result = Derived::transform(module, *context_);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

 private:
  PassContext *context_;
};

/** passes_gather_constructors. */
class GatherConstructorsPass : public StepPass<GatherConstructorsPass> {
 public:
  using StepPass::StepPass;
  static compiler_result_t transform(llvm::Module &module, PassContext &context);
};

/** passes_prepare. */
class PreparePass : public StepPass<PreparePass> {
 public:
  using StepPass::StepPass;
  static compiler_result_t transform(llvm::Module &module, PassContext &context);
};

/** passes_make_work_groups; of a module that comes prepared, finds out what is to be known of its kernels. */
class WorkGroupsPass : public StepPass<WorkGroupsPass> {
 public:
  using StepPass::StepPass;
  static compiler_result_t transform(llvm::Module &module, PassContext &context);
};

/** mark_known_calls; preserves all where there are none. */
class MarkKnownCallsPass : public llvm::PassInfoMixin<MarkKnownCallsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

/** copy_by_value_arguments; preserves all where there are none. */
class CopyByvalArgumentsPass : public llvm::PassInfoMixin<CopyByvalArgumentsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/** Forgets the costs that the target gives: later passes of the pipeline see those of a target without. */
class IgnoreTargetCostsPass : public llvm::PassInfoMixin<IgnoreTargetCostsPass> {
 public:
  explicit IgnoreTargetCostsPass(PassContext &context) : context_(&context) {}
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &) {
    context_->work.target.costs = {};
    return llvm::PreservedAnalyses::all();
  }

 private:
  PassContext *context_;
};

/** Clones each undecided function as its scalar variant. */
class KeepScalarVariantPass : public llvm::PassInfoMixin<KeepScalarVariantPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

/** lower_address_queries, for functions that have the parameters of a work-group. */
class LowerAddressQueriesPass : public llvm::PassInfoMixin<LowerAddressQueriesPass> {
 public:
  explicit LowerAddressQueriesPass(PassContext &context) : context_(&context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

 private:
  PassContext *context_;
};

/** interchange_group_stride_loops. */
class GroupStrideLoopsPass : public llvm::PassInfoMixin<GroupStrideLoopsPass> {
 public:
  explicit GroupStrideLoopsPass(uint64_t group) : group_(group) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

 private:
  uint64_t group_;
};

/** lower_single_item_sub_groups. */
class SingleSubGroupsPass : public llvm::PassInfoMixin<SingleSubGroupsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

/** LLVM's LoopVectorize, LoopLoadElimination, SLPVectorizer and VectorCombine, for functions in which no item loop is
 * vectorized. */
class VectorizeLoopsPass : public llvm::PassInfoMixin<VectorizeLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

class DivergenceAnalysis : public llvm::AnalysisInfoMixin<DivergenceAnalysis> {
 public:
  using Result = Divergence;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &) { return Divergence(function); }

 private:
  friend llvm::AnalysisInfoMixin<DivergenceAnalysis>;
  static llvm::AnalysisKey Key;
};

}  // namespace quern

#endif
