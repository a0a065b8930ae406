/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Register pressure from SSA liveness: what is live into a block, then a scan through its instructions. */
#include "compiler/passes/vectorize/analysis/register_pressure.hpp"

#include <llvm/IR/Instructions.h>

#include "compiler/passes/liveness.hpp"

using namespace llvm;

namespace quern {

namespace {

/* Registers that are live on entry of each block, and the values whose last use is an instruction, where they do not
 * live on. */
struct Liveness {
  DenseMap<const BasicBlock *, unsigned> live_in;
  DenseMap<const Instruction *, SmallVector<const Instruction *, 2>> dying;
};

}  // namespace

/* The last use of `value` in `block`; a phi of a successor uses it at the block's end. */
static const Instruction *last_use(const Instruction &value, const BasicBlock *block) {
  const Instruction *last = nullptr;
  for (const Use &use : value.uses()) {
    if (block_of(use) != block) continue;
    auto *user = cast<Instruction>(use.getUser());
    if (user->getParent() != block || isa<PHINode>(user)) return block->getTerminator();
    if (!last || last->comesBefore(user)) last = user;
  }
  return last;
}

static bool lives_on(const BasicBlock *block, const LiveBlocks &live) {
  return any_of(successors(block),
                [&](const BasicBlock *next) { return live.contains(const_cast<BasicBlock *>(next)); });
}

static void add_value(const Instruction &value, unsigned count, Liveness &out) {
  const LiveBlocks live = live_blocks(value);
  for (const BasicBlock *block : live) out.live_in[block] += count;
  auto add_end = [&](const BasicBlock *block) {
    if (lives_on(block, live)) return;
    if (const Instruction *last = last_use(value, block)) out.dying[last].push_back(&value);
  };
  add_end(value.getParent());
  for (const BasicBlock *block : live) {
    if (block != value.getParent()) add_end(block);
  }
}

RegisterPressure::RegisterPressure(ArrayRef<BasicBlock *> blocks,
                                   function_ref<unsigned(const Instruction &)> registers) {
  Liveness liveness;
  DenseMap<const Instruction *, unsigned> counts;
  for (const BasicBlock *block : blocks) {
    for (const Instruction &value : *block) {
      const unsigned count = value.getType()->isVoidTy() ? 0 : registers(value);
      if (!count || value.use_empty()) continue;
      counts[&value] = count;
      add_value(value, count, liveness);
    }
  }
  for (const BasicBlock *block : blocks) {
    unsigned live = liveness.live_in.lookup(block), most = live;
    for (const Instruction &instruction : *block) {
      for (const Instruction *value : liveness.dying.lookup(&instruction)) live -= counts.lookup(value);
      live += counts.lookup(&instruction);
      most = std::max(most, live);
    }
    most_live_[block] = most;
  }
}

double RegisterPressure::spilled_share(const BasicBlock *block, unsigned available) const {
  const unsigned live = most_live(block);
  return live > available ? double(live - available) / live : 0;
}

}  // namespace quern
