/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the next turn of a work-group, or the next group, loads and stores. */
#ifndef COMPILER_PASSES_VECTORIZE_NEXT_TURN_HPP
#define COMPILER_PASSES_VECTORIZE_NEXT_TURN_HPP

#include <optional>

#include <llvm/ADT/SmallPtrSet.h>

#include "compiler/passes/vectorize/fetches.hpp"
#include "compiler/passes/vectorize/turns.hpp"

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
class NextTurn {
 public:
  explicit NextTurn(const ItemLoop &items);
  /** In all blocks of the function that were not there. */
  void fetch();

 private:
  llvm::Value *place(const VectorAccess &access, llvm::DenseMap<llvm::Value *, llvm::Value *> &known,
                     llvm::IRBuilder<> &builder) const;

  llvm::Function &function_;
  bool strides_;
  std::optional<Turns> turns_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> others_;
};

}  // namespace quern

#endif
