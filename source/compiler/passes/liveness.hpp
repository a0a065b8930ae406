/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where the values of a function are alive. */
#ifndef COMPILER_PASSES_LIVENESS_HPP
#define COMPILER_PASSES_LIVENESS_HPP

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

namespace quern {

using LiveBlocks = llvm::DenseSet<llvm::BasicBlock *>;

/** The block in which a use needs its value: for a phi the end of the incoming block. */
llvm::BasicBlock *block_of(const llvm::Use &use);

/** Blocks where the value is alive on entry. */
LiveBlocks live_blocks(const llvm::Instruction &value);

/** True when `value`, alive on entry of the blocks `live`, has been made where `other` is, and is asked for later: one
 * place cannot hold both. */
bool is_alive_behind(const llvm::Instruction &value, const LiveBlocks &live, const llvm::Instruction &other);

}  // namespace quern

#endif
