/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Software prefetches of vectors, and the parameters that they share. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_PREFETCH_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_PREFETCH_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace quern {

/** Bytes of a cache line, and about how many outstanding cache misses a core has at once. */
inline constexpr unsigned cache_line_bytes = 64, max_prefetched_lines = 12;

/** Prefetch distance of a stream of consecutive vectors: the bytes that are read while a line comes from memory. */
inline constexpr uint64_t prefetch_distance = 4096;

/** Builds a prefetch of the cache line at `address`, for a write when `written`, else for a read. It is a hint without
 * effect on the result: the address need not be dereferenceable. */
llvm::CallInst *prefetch_line(llvm::Value *address, bool written, llvm::IRBuilder<> &builder);

/** A load or store of a vector in global memory, masked or not. */
struct VectorAccess {
  llvm::Instruction *instruction;
  llvm::Value *address;
  uint64_t bytes;
  bool written;

  /** Builds prefetches of `bytes` bytes from `start` on, one for each line. */
  void prefetch(llvm::Value *start, llvm::IRBuilder<> &builder) const;
};

/** The vector accesses of a block that `filter` accepts. An access less than a cache line from the first one with the
 * same base is merged into that one, which counts as written when one of them is. Empty when the accesses have more
 * than `max_prefetched_lines` lines. */
llvm::SmallVector<VectorAccess, 4> find_vector_accesses(llvm::BasicBlock &block,
                                                        llvm::function_ref<bool(const VectorAccess &)> filter);

}  // namespace quern

#endif
