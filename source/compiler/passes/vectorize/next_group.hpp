/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the next work-group loads. */
#ifndef COMPILER_PASSES_VECTORIZE_NEXT_GROUP_HPP
#define COMPILER_PASSES_VECTORIZE_NEXT_GROUP_HPP

#include <optional>

#include <llvm/ADT/SmallPtrSet.h>

#include "compiler/passes/vectorize/turns.hpp"

namespace quern {

/** Has the vectors that a region loads from global memory fetched for the work-group behind this one, too, where
 * addresses hang on its number. Kernels with barriers load at their begin, compute for long, and begin again, when
 * processors have lost track. To be made before the region is written. */
class NextGroup {
 public:
  /** `items`: the region's loop. Fetches nothing where that lies in a loop around barriers. */
  explicit NextGroup(const llvm::Loop &items);
  /** In all blocks of the function that were not there. */
  void fetch();

 private:
  llvm::Function &function_;
  std::optional<Turns> groups_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> others_;
};

}  // namespace quern

#endif
