/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interleaving of work-items that stay scalar: unroll-and-jam over x. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_INTERLEAVE_SCALAR_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_INTERLEAVE_SCALAR_HPP

#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** Whether neighbouring work-items of a scalar body may run in one iteration, instruction by instruction. A work-item
 * with explicit vectors as large as registers is best left scalar, but its inner loops may wait for the latency of
 * their recurrences, and a second work-item's are independent of them. False where control flow diverges, or something
 * in the body must not be repeated, and for large bodies. */
bool can_interleave_items(const ItemBody &body, const ShapeAnalysis &analysis, const PrivateMemory &memory);

/** Makes the body do the work of `count` work-items, from the one that its counter names on. Like LLVM's
 * LoopUnrollAndJam, but of the item loop, whose iterations are independent. */
void interleave_items(ItemBody &body, unsigned count);

/** Writes the body for the work-items from `counter` on, between the end of `block` and `after`. */
void write_scalar_body(const ItemBody &body, llvm::Value *counter, llvm::BasicBlock *block, llvm::BasicBlock *after);

}  // namespace quern

#endif
