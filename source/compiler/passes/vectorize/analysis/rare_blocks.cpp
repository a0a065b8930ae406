/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Blocks that hardly any work-item runs. */
#include "compiler/passes/vectorize/analysis/rare_blocks.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ProfDataUtils.h>

using namespace llvm;

namespace quern {

/* A target is unlikely if the branch has less than this part of its weights for it. LLVM gives what
 * `__builtin_expect` does not expect 1 of 2001, and its own passes give 1 of 128 to what may well be run. */
static constexpr unsigned unlikely_divisor = 1024;

static bool is_unlikely(const BasicBlock &block) {
  const BasicBlock *from = block.getSinglePredecessor();
  auto *branch = from ? dyn_cast<BranchInst>(from->getTerminator()) : nullptr;
  uint64_t if_true = 0, if_false = 0;
  if (!branch || !branch->isConditional() || !extractBranchWeights(*branch, if_true, if_false)) return false;
  const uint64_t weight = branch->getSuccessor(0) == &block ? if_true : if_false;
  return weight * unlikely_divisor < if_true + if_false;
}

static bool calls_cold_function(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->hasFnAttr(Attribute::Cold);
  });
}

bool is_rare(const BasicBlock &block) { return is_unlikely(block) || calls_cold_function(block); }

bool has_likely_divergence(const ShapeAnalysis &analysis, const BasicBlock &block) {
  const Loop *loop = analysis.loops().getLoopFor(&block);
  return analysis.has_divergent_branch(&block) && none_of(successors(&block), [&](const BasicBlock *target) {
           return analysis.loops().getLoopFor(target) == loop && is_rare(*target);
         });
}

}  // namespace quern
