/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the next work-group loads. */
#ifndef COMPILER_PASSES_VECTORIZE_NEXT_GROUP_HPP
#define COMPILER_PASSES_VECTORIZE_NEXT_GROUP_HPP

#include <optional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include "compiler/passes/vectorize/turns.hpp"

namespace quern {

/** Has the vectors that a region loads from global memory or stores there fetched for the work-group behind this one,
 * too, where addresses hang on its number. Kernels with barriers load at their begin, compute for long, and begin again,
 * when processors have lost track; and what they store at their end waits in order for lines that have to come, before
 * anything that the next group stores. To be made before the region is written. */
class NextGroup {
 public:
  /** `items`: the region's loop. Fetches nothing where that lies in a loop around barriers. */
  explicit NextGroup(const llvm::Loop &items);
  /** In all blocks of the function that were not there. */
  void fetch();

  struct Access;

 private:
  llvm::SmallVector<Access, 4> accesses(llvm::BasicBlock &block);

  llvm::Function &function_;
  std::optional<Turns> groups_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> others_;
};

}  // namespace quern

#endif
