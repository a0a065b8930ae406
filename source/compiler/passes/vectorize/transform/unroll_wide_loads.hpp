/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Iterations of inner loops that read what lies side by side. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_UNROLL_WIDE_LOADS_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_UNROLL_WIDE_LOADS_HPP

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** Loads of elements narrower than what is gathered, each right behind that of the turn before, and of wider ones
 * beside them, in innermost loops of one block that know before their first turn how many there are, and write nothing.
 * In the same order for each copy of a body. */
llvm::SmallVector<llvm::LoadInst *, 4> find_load_streams(llvm::Function &body);

/** Marks prefetches that are meant for what comes behind the last lane's element in memory. */
constexpr const char *prefetch_mark = "quern.prefetch";

/** Marks loads of windows: one for each lane. */
constexpr const char *block_load_mark = "quern.block-load";

/** A loop that came of joining turns. */
struct UnrolledLoop {
  /** How much fewer turns it has than the loop that it was. */
  unsigned factor = 1;
  /** It does the few that are left over, one by one. */
  bool is_remainder = false;
};

/** Such loops, by their headers. */
using UnrolledLoops = llvm::SmallDenseMap<const llvm::BasicBlock *, UnrolledLoop, 2>;

/** What may be loaded besides what the work-item reads, in the pages of that: nothing, where memory may be known to end
 * there; what is in a word with its last bytes; what is in a window of 16 bytes with any of them. */
enum class OverRead { nothing, words, blocks };

/** Whether a pointer that does not change in the body is one that the program has made, and not a part of a sum that
 * the compiler took apart. */
using PointsIntoArray = llvm::function_ref<bool(const llvm::Value &pointer)>;

/** Joins turns of the loops around `walks`, some of what find_load_streams finds in `body`: a work-item does them in
 * groups of four, and then up to three one by one. Within a group neighbouring elements are one load, of what the
 * work-item reads and no more. In windows, 16 turns are a group, and the last one is under masks. No analysis of the
 * body holds afterwards. */
UnrolledLoops unroll_wide_loads(llvm::Function &body, llvm::ArrayRef<llvm::LoadInst *> streams, OverRead over_read,
                                PointsIntoArray points_into_array);

}  // namespace quern

#endif
