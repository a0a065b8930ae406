/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A version of kernels for launches whose buffers do not overlap. */
#include "compiler/passes/distinct_arguments.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/passes/licm_of.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"

using namespace llvm;
using namespace quern;

namespace {

/* A loop of the kernel's source, which one work-item runs: it is inside of an item loop. */
bool is_work_item_loop(const Loop &loop) {
  for (const Loop *outer = loop.getParentLoop(); outer; outer = outer->getParentLoop()) {
    if (is_item_loop(*outer)) return true;
  }
  return false;
}

/* The number of an argument, if the value is the load of one. */
std::optional<uint64_t> argument_number(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  const MDNode *node = load ? load->getMetadata(PASSES_ARGUMENT_METADATA) : nullptr;
  if (!node) return std::nullopt;
  return mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
}

/* The arguments of which an address is one, each with a scope of its own. An access has the scopes of those that its
 * address may be based on, and does not alias those of all others. */
class ArgumentScopes {
 public:
  explicit ArgumentScopes(Function &function);
  size_t count() const { return scopes_.size(); }
  void annotate(Instruction &access, const Value *address) const;

 private:
  MapVector<uint64_t, MDNode *> scopes_;
};

ArgumentScopes::ArgumentScopes(Function &function) {
  MDBuilder builder(function.getContext());
  MDNode *domain = nullptr;
  for (const Instruction &instruction : instructions(function)) {
    const auto number = argument_number(&instruction);
    if (!number || scopes_.contains(*number)) continue;
    if (!domain) domain = builder.createAnonymousAliasScopeDomain("arguments");
    scopes_[*number] = builder.createAnonymousAliasScope(domain, "argument");
  }
}

void ArgumentScopes::annotate(Instruction &access, const Value *address) const {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(address, objects, nullptr, /*MaxLookup=*/0);
  SmallSetVector<uint64_t, 4> bases;
  for (const Value *object : objects) {
    const auto number = argument_number(object);
    if (!number) return;
    bases.insert(*number);
  }
  SmallVector<Metadata *, 4> own, others;
  for (auto [number, scope] : scopes_) (bases.contains(number) ? own : others).push_back(scope);
  LLVMContext &context = access.getContext();
  for (auto [kind, list] :
       {std::pair{LLVMContext::MD_alias_scope, &own}, std::pair{LLVMContext::MD_noalias, &others}}) {
    access.setMetadata(kind, MDNode::concatenate(access.getMetadata(kind), MDNode::get(context, *list)));
  }
}

void annotate(Function &function, const ArgumentScopes &scopes) {
  for (Instruction &instruction : instructions(function)) {
    if (const Value *address = getLoadStorePointerOperand(&instruction)) scopes.annotate(instruction, address);
  }
}

/* The number of loads and stores in the loops of work-items, those in nested loops once for each of these. */
size_t count_accesses_in_loops(const Function &function, const LoopInfo &loops) {
  size_t count = 0;
  for (const Instruction &instruction : instructions(function)) {
    if (!getLoadStorePointerOperand(&instruction)) continue;
    const Loop *loop = loops.getLoopFor(instruction.getParent());
    for (; loop && is_work_item_loop(*loop); loop = loop->getParentLoop()) count++;
  }
  return count;
}

/* Whether a loop of work-items has a store, and an access that would leave the loop if it did not alias the others. */
bool may_gain(const Loop &loop) {
  if (!is_work_item_loop(loop)) return false;
  bool has_store = false, has_invariant = false;
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &instruction : *block) {
      const Value *address = getLoadStorePointerOperand(&instruction);
      has_store |= isa<StoreInst>(instruction);
      has_invariant |= address && loop.isLoopInvariant(address);
    }
  }
  return has_store && has_invariant;
}

/* Sub-groups have one size, that of the entry. */
bool is_candidate(Function &function, FunctionAnalysisManager &analyses) {
  if (function.isDeclaration() || function.hasLocalLinkage() || function.hasFnAttribute(sub_groups_attribute))
    return false;
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  return any_of(loops.getLoopsInPreorder(), [](const Loop *loop) { return may_gain(*loop); });
}

/* It must not carry values from one work-item to the next. */
FunctionPassManager hoisting() {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(LICMOfPass<is_work_item_loop>(), /*UseMemorySSA=*/true));
  return passes;
}

/* Makes the version; false when there is nothing to gain. */
bool add_version(Function &function, FunctionAnalysisManager &analyses) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&function, map);
  const ArgumentScopes scopes(*copy);
  if (scopes.count() > 1) {
    annotate(*copy, scopes);
    analyses.invalidate(*copy, hoisting().run(*copy, analyses));
    const size_t before = count_accesses_in_loops(function, analyses.getResult<LoopAnalysis>(function));
    if (count_accesses_in_loops(*copy, analyses.getResult<LoopAnalysis>(*copy)) < before) {
      copy->setName(PASSES_DISTINCT_PREFIX + function.getName());
      return true;
    }
  }
  analyses.clear(*copy, copy->getName());
  copy->eraseFromParent();
  return false;
}

}  // namespace

PreservedAnalyses VersionDistinctArgumentsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function *, 8> candidates;
  for (Function &function : module) {
    if (is_candidate(function, functions)) candidates.push_back(&function);
  }
  bool changed = false;
  for (Function *function : candidates) changed |= add_version(*function, functions);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserve<FunctionAnalysisManagerModuleProxy>();
  preserved.preserveSet<AllAnalysesOn<Function>>();
  return preserved;
}
