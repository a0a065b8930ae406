/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Selection of the group-stride loops of a kernel to interchange with the work-item loop. */
#include "compiler/passes/group_stride_loops.hpp"

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/passes/divergence.hpp"
#include "compiler/passes/group_stride_interchange.hpp"
#include "compiler/passes/group_stride_loop.hpp"
#include "compiler/passes/group_stride_profit.hpp"

using namespace llvm;

namespace quern {

static constexpr size_t max_loops = 4;

/* Each work-item would have to preserve its private memory across the barrier of every iteration. */
static bool has_private_memory(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) { return isa<AllocaInst>(instruction); });
}

static std::optional<GroupStrideProfit> find_profit(GroupStrideLoop &stride, const Divergence &divergence,
                                                    const DominatorTree &dominators, uint64_t group) {
  auto profit = stride.can_interchange(divergence) ? estimate_group_stride_profit(stride, dominators) : std::nullopt;
  return profit && group && group < profit->min_items_uncached ? std::nullopt : profit;
}

/* Loop simplification and LCSSA may change the loop: it is matched again before it is transformed. */
static void interchange_loop(Function &function, Loop &loop, DominatorTree &dominators, LoopInfo &loops,
                             uint64_t group) {
  simplifyLoop(&loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  formLCSSA(loop, dominators, &loops, nullptr);
  GroupStrideLoop stride(loop);
  if (!loop.getLoopPreheader() || !loop.getExitBlock() || !stride.match_induction()) return;
  const Divergence divergence(function);
  if (auto profit = find_profit(stride, divergence, dominators, group)) interchange_group_stride(stride, *profit);
}

/* Interchanges one loop and adds its header to `done`. A transformed loop invalidates the analyses, so the caller
 * calls this again for the next loop. */
static bool interchange_one_loop(Function &function, uint64_t group, SmallPtrSetImpl<BasicBlock *> &done) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  std::optional<Divergence> divergence;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    GroupStrideLoop stride(*loop);
    if (done.contains(loop->getHeader()) || !stride.match_induction()) continue;
    if (!divergence) divergence.emplace(function);
    if (!find_profit(stride, *divergence, dominators, group)) continue;
    done.insert(loop->getHeader());
    interchange_loop(function, *loop, dominators, loops, group);
    return true;
  }
  return false;
}

void interchange_group_stride_loops(Function &function, uint64_t group) {
  if (has_private_memory(function)) return;
  SmallPtrSet<BasicBlock *, 4> done;
  while (done.size() < max_loops && interchange_one_loop(function, group, done)) {
  }
}

}  // namespace quern
