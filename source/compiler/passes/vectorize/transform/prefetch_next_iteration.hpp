/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the next turn of a work-group, or the next group, loads and stores. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_PREFETCH_NEXT_ITERATION_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_PREFETCH_NEXT_ITERATION_HPP

#include <optional>

#include <llvm/ADT/SmallPtrSet.h>

#include "compiler/passes/vectorize/analysis/enclosing_induction.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"

namespace quern {

/** Has the vectors that a region loads from global memory, or stores there, fetched for a turn to come of the loop
 * around it. To be made before the region is written.
 *
 * The turns are work-groups where nothing else is around the region. Kernels with barriers load at their begin, compute
 * for long, and begin again, when processors have lost track; and what they store at their end waits in order for lines
 * that have to come, before anything that the next group stores.
 *
 * Groups that stride store in each turn, to local memory, what they load in the next: processors hold fewer stores than
 * they would need to have loads begun in time. What they load is fetched some lines ahead. */
class NextIterationPrefetch {
 public:
  explicit NextIterationPrefetch(const ItemLoop &items);
  /** In all blocks of the function that were not there. */
  void prefetch();

 private:
  llvm::Value *place(const VectorAccess &access, llvm::DenseMap<llvm::Value *, llvm::Value *> &known,
                     llvm::IRBuilder<> &builder) const;

  llvm::Function &function_;
  bool strides_;
  std::optional<EnclosingInduction> induction_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> others_;
};

}  // namespace quern

#endif
