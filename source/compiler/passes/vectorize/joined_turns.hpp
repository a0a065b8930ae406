/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Turns of inner loops that read what lies side by side. */
#ifndef COMPILER_PASSES_VECTORIZE_JOINED_TURNS_HPP
#define COMPILER_PASSES_VECTORIZE_JOINED_TURNS_HPP

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** Loads of elements narrower than what is gathered, each right behind that of the turn before, and of wider ones
 * beside them, in innermost loops of one block that know before their first turn how many there are, and write nothing.
 * In the same order for each copy of a body. */
llvm::SmallVector<llvm::LoadInst *, 4> find_walks(llvm::Function &body);

/** Marks prefetches that are meant for what comes behind the last lane's element in memory. */
constexpr const char *ahead_mark = "quern.ahead";

/** Marks loads of windows: one for each lane. */
constexpr const char *window_mark = "quern.window";

/** Headers of loops that do several turns at once, and how many. */
using JoinedTurns = llvm::SmallDenseMap<const llvm::BasicBlock *, unsigned, 2>;

/** Joins turns of the loops around `walks`, some of what find_walks finds in `body`: a work-item does them in
 * groups of four, and then up to three one by one. Within a group neighbouring elements are one load, of what the
 * work-item reads and no more; the bytes of the last ones come out of the aligned words around them. With
 * `may_use_windows`, bytes are loaded 16 at once, of which those that are the work-item's are used: the others lie in
 * the same page. No analysis of the body holds afterwards. */
JoinedTurns join_turns(llvm::Function &body, llvm::ArrayRef<llvm::LoadInst *> walks, bool may_use_windows);

}  // namespace quern

#endif
