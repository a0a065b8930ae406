/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Liveness of SSA values, by backward traversal from the uses to the definition. */
#include "compiler/passes/liveness.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>

using namespace llvm;

namespace quern {

BasicBlock *block_of(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  return phi ? phi->getIncomingBlock(use) : user->getParent();
}

LiveBlocks live_blocks(const Instruction &value) {
  LiveBlocks live;
  SmallVector<BasicBlock *, 16> stack;
  for (const Use &use : value.uses()) {
    BasicBlock *block = block_of(use);
    if (block != value.getParent()) stack.push_back(block);
  }
  while (!stack.empty()) {
    BasicBlock *block = stack.pop_back_val();
    if (!live.insert(block).second) continue;
    for (BasicBlock *predecessor : predecessors(block)) {
      if (predecessor != value.getParent()) stack.push_back(predecessor);
    }
  }
  return live;
}

/* The phis of one block are defined at the same time. */
bool is_live_at_definition(const Instruction &value, const LiveBlocks &live, const Instruction &other) {
  const BasicBlock *block = other.getParent();
  bool are_phis = isa<PHINode>(value) && isa<PHINode>(other);
  bool is_defined = value.getParent() == block ? are_phis || value.comesBefore(&other)
                                               : live.contains(const_cast<BasicBlock *>(block));
  if (!is_defined) return false;
  if (any_of(successors(block),
             [&](const BasicBlock *next) { return live.contains(const_cast<BasicBlock *>(next)); })) {
    return true;
  }
  return any_of(value.uses(), [&](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    return block_of(use) == block && (isa<PHINode>(user) || other.comesBefore(user));
  });
}

}  // namespace quern
