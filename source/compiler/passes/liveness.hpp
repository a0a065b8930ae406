/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Liveness of SSA values. */
#ifndef COMPILER_PASSES_LIVENESS_HPP
#define COMPILER_PASSES_LIVENESS_HPP

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

namespace quern {

using LiveBlocks = llvm::DenseSet<llvm::BasicBlock *>;

/** The block in which a use needs its value; for a phi, the incoming block, which needs it at its end. */
llvm::BasicBlock *block_of(const llvm::Use &use);

/** Live-in blocks of a value: blocks where it is live on entry. */
LiveBlocks live_blocks(const llvm::Instruction &value);

/** Whether `value`, whose live-in blocks are `live`, interferes with `other` at the definition of `other`: it is
 * defined there and used later. One slot cannot hold both values then. */
bool is_live_at_definition(const llvm::Instruction &value, const LiveBlocks &live, const llvm::Instruction &other);

}  // namespace quern

#endif
