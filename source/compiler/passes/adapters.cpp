/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes that call functions from elsewhere. */
#include "compiler/passes/adapters.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "base/options.h"
#include "compiler/passes/address_queries.hpp"
#include "compiler/passes/block_count.hpp"
#include "compiler/passes/byval_arguments.hpp"
#include "compiler/passes/divide_functions.hpp"
#include "compiler/passes/group_stride_loops.hpp"
#include "compiler/passes/prepared_kernels.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;

namespace quern {

AnalysisKey DivergenceAnalysis::Key;

static PreservedAnalyses preserved(bool changed) {
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

compiler_result_t GatherConstructorsPass::transform(Module &module, PassContext &context) {
  context.work.module = wrap(&module);
  return passes_gather_constructors(&context.work, context.log);
}

compiler_result_t PreparePass::transform(Module &module, PassContext &context) {
  context.work.module = wrap(&module);
  if (context.work.kernels) {
    text_append(context.log, "error: the module is prepared already\n");
    return compiler_error_invalid_value;
  }
  return passes_prepare(&context.work, context.log);
}

compiler_result_t WorkGroupsPass::transform(Module &module, PassContext &context) {
  context.work.module = wrap(&module);
  if (!context.work.kernels) {
    compiler_result_t found = find_prepared_kernels(module, context.work);
    if (found != compiler_success) return found;
  }
  /* Strides are part of the step, and go with `optimize`, which nothing else in it asks for. */
  const bool optimize = context.work.optimize;
  context.work.optimize = optimize && !options_set_has(options_get()->disable_passes, "group-stride-loops");
  compiler_result_t result = passes_make_work_groups(&context.work, context.log);
  context.work.optimize = optimize;
  return result;
}

PreservedAnalyses MarkKnownCallsPass::run(Module &module, ModuleAnalysisManager &) {
  return preserved(mark_known_calls(module));
}

PreservedAnalyses CopyByvalArgumentsPass::run(Module &module, ModuleAnalysisManager &) {
  return preserved(copy_by_value_arguments(module));
}

PreservedAnalyses KeepScalarVariantPass::run(Module &module, ModuleAnalysisManager &) {
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
  return preserved(!undecided.empty());
}

PreservedAnalyses LowerAddressQueriesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!has_work_group_parameters(function)) return PreservedAnalyses::all();
  lower_address_queries(function, context_->work.target.layout);
  return PreservedAnalyses::none();
}

PreservedAnalyses GroupStrideLoopsPass::run(Function &function, FunctionAnalysisManager &) {
  interchange_group_stride_loops(function, group_);
  return PreservedAnalyses::none();
}

PreservedAnalyses SingleSubGroupsPass::run(Function &function, FunctionAnalysisManager &) {
  lower_single_item_sub_groups(function);
  return PreservedAnalyses::none();
}

/* The most blocks of a loop for LLVM's LoopVectorize, with those that its switches are lowered to. Its time grows
 * faster than the square of their number, and a loop with so many branches gains nothing from vectors. */
static constexpr size_t most_loop_blocks = 256;

/* A division of invariant operands that not every iteration executes. Where an address is made of its result, LLVM 22's
 * LoopVectorize computes it once for a vector, if the first lane is active: the others, which may be active without
 * that one, then get poison. */
static bool has_conditional_invariant_division(const Loop &loop, const DominatorTree &dominators) {
  for (const BasicBlock *block : loop.blocks()) {
    if (dominators.dominates(block, loop.getLoopLatch())) continue;
    for (const Instruction &instruction : *block) {
      if (!instruction.isIntDivRem() || !loop.hasLoopInvariantOperands(&instruction)) continue;
      if (!isSafeToSpeculativelyExecute(&instruction)) return true;
    }
  }
  return false;
}

static bool has_vector(const Instruction &instruction) {
  return instruction.getType()->isVectorTy() ||
         any_of(instruction.operands(), [](const Use &operand) { return operand->getType()->isVectorTy(); });
}

/* Whether the function's loops go over vectors of work-items, or are what is left of such. In a variant of a callee
 * that computes the same for all work-items there are none: the loop of a work-group's reduction, for one. */
static bool has_item_vectors(const Function &function) {
  if (!function.hasFnAttribute(VectorizeItemsPass::done)) return false;
  return is_entry_or_piece(function) || any_of(instructions(function), has_vector);
}

/* Whether a counter of fewer than 32 bits is computed in the loop, as `id % 4` is one of 2 bits to ScalarEvolution.
 * LLVM 22 drops the test that it does not wrap where a wider counter has one (SCEVWrapPredicate::implies ignores their
 * widths), and loads in[id] for in[id % 4]. */
static bool has_narrow_counter(const Loop &loop, ScalarEvolution &evolution) {
  auto is_narrow = [&](const SCEV *one) {
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(one);
    return recurrence && recurrence->getLoop() == &loop && recurrence->getType()->isIntegerTy() &&
           recurrence->getType()->getIntegerBitWidth() < 32;
  };
  return any_of(loop.blocks(), [&](BasicBlock *block) {
    return any_of(*block, [&](Instruction &one) {
      return one.getType()->isIntegerTy() && SCEVExprContains(evolution.getSCEV(&one), is_narrow);
    });
  });
}

/* The most paths through uniform operands for which a loop is left to LLVM's LoopVectorize: LLVM 22's
 * vputils::isSingleScalar follows each of them, which are 2^n where each of n values uses the one before twice. */
static constexpr uint64_t most_uniform_paths = 1 << 12;

/* Whether a value that is the same in all iterations, made of what is loaded from one address, has too many paths. */
static bool has_many_uniform_paths(Loop &loop, const LoopInfo &loops) {
  DenseMap<const Value *, uint64_t> paths; /* of the uniform values of the loop */
  LoopBlocksRPO order(&loop);
  order.perform(&loops);
  for (BasicBlock *block : order) {
    for (Instruction &instruction : *block) {
      if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
      uint64_t sum = 1;
      const bool is_uniform = all_of(instruction.operands(), [&](const Use &operand) {
        const uint64_t found = paths.lookup(operand);
        sum += found;
        return found || loop.isLoopInvariant(operand);
      });
      if (!is_uniform) continue;
      if (sum > most_uniform_paths) return true;
      paths[&instruction] = sum;
    }
  }
  return false;
}

/* The largest block, in instructions, that LLVM's SLPVectorizer gets: its time grows with more than the square. */
static constexpr size_t most_slp_instructions = 2048;

static bool has_large_block(const Function &function) {
  return any_of(function, [](const BasicBlock &block) { return block.size() > most_slp_instructions; });
}

PreservedAnalyses VectorizeLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (has_item_vectors(function)) return PreservedAnalyses::all();
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopLatch()) continue;
    if (count_blocks(*loop) > most_loop_blocks || has_conditional_invariant_division(*loop, dominators) ||
        has_many_uniform_paths(*loop, loops) || has_narrow_counter(*loop, evolution))
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  }
  FunctionPassManager passes;
  /* LLVM does this for loops that are not for GPUs at -O3 alone. A branch of the work-item's own loop, which often asks
   * for its id, would keep scalar code from having vectors. */
  passes.addPass(createFunctionToLoopPassAdaptor(SimpleLoopUnswitchPass(/*NonTrivial=*/true), /*UseMemorySSA=*/true));
  passes.addPass(LoopVectorizePass());
  passes.addPass(LoopLoadEliminationPass());
  if (!has_large_block(function)) passes.addPass(SLPVectorizerPass());
  passes.addPass(VectorCombinePass());
  return passes.run(function, analyses);
}

}  // namespace quern
