/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Blocks of a loop. */
#include "compiler/passes/block_count.hpp"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace quern {

size_t count_blocks(const Loop &loop) {
  size_t count = loop.getNumBlocks();
  for (const BasicBlock *block : loop.blocks()) {
    if (auto *branch = dyn_cast<SwitchInst>(block->getTerminator())) count += branch->getNumCases();
  }
  return count;
}

}  // namespace quern
