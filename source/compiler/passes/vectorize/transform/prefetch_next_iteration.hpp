/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prefetches for the next iteration of the loop around a region, or for the next work-group. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_PREFETCH_NEXT_ITERATION_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_PREFETCH_NEXT_ITERATION_HPP

#include <optional>

#include "compiler/passes/vectorize/analysis/enclosing_induction.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"

namespace quern {

/** Prefetches the vectors in global memory that a region accesses in a later iteration of the enclosing loop, as
 * LoopDataPrefetch does for loops. Construct it before the region's vector code is written, and call prefetch() after.
 *
 * The enclosing loop is the one over work-groups, but for group-stride loops. Kernels with barriers load at the start
 * of a group, then compute for long: by the next group, hardware prefetchers have lost the stream. The stores at the
 * end of a group wait in order for their cache lines, before any store of the next group.
 *
 * A group-stride loop stores to local memory, in each iteration, what it loads in the next. The store buffer of a
 * processor is too small for it to begin these loads in time. Its loads are prefetched some lines ahead. */
class NextIterationPrefetch {
 public:
  explicit NextIterationPrefetch(const ItemLoop &items);
  /** Adds prefetches to all blocks that the function got since construction. */
  void prefetch();

 private:
  llvm::Value *prefetch_address(const VectorAccess &access, llvm::DenseMap<llvm::Value *, llvm::Value *> &known,
                                llvm::IRBuilder<> &builder) const;

  llvm::Function &function_;
  /** The item loop is the body of a group-stride loop. */
  bool is_group_stride_;
  std::optional<EnclosingInduction> enclosing_;
  /** Blocks that were there at construction have smaller numbers. */
  unsigned first_new_block_;
};

}  // namespace quern

#endif
