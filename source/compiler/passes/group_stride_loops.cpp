/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which loops of a kernel become loops of its group. */
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

static constexpr size_t most_loops = 4;

/* Private memory would have to be kept by each work-item from turn to turn. */
static bool has_private_memory(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) { return isa<AllocaInst>(instruction); });
}

static std::optional<GroupStrideProfit> find_gain(GroupStrideLoop &stride, const Divergence &divergence,
                                                  const DominatorTree &dominators, uint64_t group) {
  auto gain = stride.can_stride(divergence) ? estimate_group_stride_profit(stride, dominators) : std::nullopt;
  return gain && group && group < gain->fewest_items_far ? std::nullopt : gain;
}

static void change(Function &function, Loop &loop, DominatorTree &dominators, LoopInfo &loops, uint64_t group) {
  simplifyLoop(&loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  formLCSSA(loop, dominators, &loops, nullptr);
  GroupStrideLoop stride(loop);
  if (!loop.getLoopPreheader() || !loop.getExitBlock() || !stride.counts_by_steps()) return;
  const Divergence divergence(function);
  if (auto gain = find_gain(stride, divergence, dominators, group)) interchange_group_stride(stride, *gain);
}

/* Changes one loop, and notes it in `done`. */
static bool change_one(Function &function, uint64_t group, SmallPtrSetImpl<BasicBlock *> &done) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  std::optional<Divergence> divergence;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    GroupStrideLoop stride(*loop);
    if (done.contains(loop->getHeader()) || !stride.counts_by_steps()) continue;
    if (!divergence) divergence.emplace(function);
    if (!find_gain(stride, *divergence, dominators, group)) continue;
    done.insert(loop->getHeader());
    change(function, *loop, dominators, loops, group);
    return true;
  }
  return false;
}

void interchange_group_stride_loops(Function &function, uint64_t group) {
  if (has_private_memory(function)) return;
  SmallPtrSet<BasicBlock *, 4> done;
  while (done.size() < most_loops && change_one(function, group, done)) {
  }
}

}  // namespace quern
