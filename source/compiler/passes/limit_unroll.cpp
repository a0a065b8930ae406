/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A limit to what `#pragma unroll` may make of a loop. */
#include "compiler/passes/limit_unroll.hpp"

#include <algorithm>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

using namespace llvm;

namespace quern {

/* As LLVM's own limit for loops whose hint has no number. */
static constexpr uint64_t most_instructions = 16 * 1024;

/* The copies that a hint asks for; 0 when there is none that LLVM would obey without a limit. */
static uint64_t asked_copies(Loop &loop, ScalarEvolution &evolution) {
  MDNode *id = loop.getLoopID();
  if (!id) return 0;
  const uint64_t all = evolution.getSmallConstantTripCount(&loop);
  if (GetUnrollMetadata(id, "llvm.loop.unroll.full")) return all;
  MDNode *hint = GetUnrollMetadata(id, "llvm.loop.unroll.count");
  if (!hint) return 0;
  const uint64_t count = mdconst::extract<ConstantInt>(hint->getOperand(1))->getZExtValue();
  return all ? std::min(all, count) : count;
}

static uint64_t instruction_count(const Loop &loop) {
  uint64_t count = 0;
  for (const BasicBlock *block : loop.blocks()) count += block->size();
  return count;
}

PreservedAnalyses LimitUnrollPass::run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &analyses,
                                       LPMUpdater &) {
  const uint64_t copies = asked_copies(loop, analyses.SE);
  if (copies <= most_instructions / instruction_count(loop)) return PreservedAnalyses::all();
  MDNode *rest =
      makePostTransformationMetadata(loop.getHeader()->getContext(), loop.getLoopID(), {"llvm.loop.unroll."}, {});
  loop.setLoopID(rest);
  return PreservedAnalyses::all();
}

}  // namespace quern
