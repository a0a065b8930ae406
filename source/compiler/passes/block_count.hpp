/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The size of a loop, for analyses whose time grows faster than it. */
#ifndef COMPILER_PASSES_BLOCK_COUNT_HPP
#define COMPILER_PASSES_BLOCK_COUNT_HPP

#include <llvm/Analysis/LoopInfo.h>

namespace quern {

/** The blocks of a loop, with those that its switches are lowered to: one for each case. */
size_t count_blocks(const llvm::Loop &loop);

}  // namespace quern

#endif
