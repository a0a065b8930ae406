/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lines of memory that are asked for before they are used. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_PREFETCH_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_PREFETCH_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace quern {

/** Bytes of a line of the caches; lines that are on their way to a core at once, about. */
inline constexpr unsigned cache_line = 64, most_lines_prefetched = 12;

/** Of what is read one vector behind the other: as many bytes as are read while a line comes from memory. */
inline constexpr uint64_t prefetch_distance = 4096;

/** Asks for the line of `place`, to be `written` or else read: a hint, for addresses that nothing is at, too. */
llvm::CallInst *prefetch_line(llvm::Value *place, bool written, llvm::IRBuilder<> &builder);

/** A vector in global memory that is loaded or stored. */
struct VectorAccess {
  llvm::Instruction *instruction;
  llvm::Value *address;
  uint64_t bytes;
  bool written;

  /** Asks for as many lines from `place` on. */
  void prefetch(llvm::Value *place, llvm::IRBuilder<> &builder) const;
};

/** Those of a block that `counts` says yes to, but for those near the first one with the same base; none when they have
 * more lines than can be on their way at once. */
llvm::SmallVector<VectorAccess, 4> find_vectors(llvm::BasicBlock &block,
                                                llvm::function_ref<bool(const VectorAccess &)> counts);

}  // namespace quern

#endif
