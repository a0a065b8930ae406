/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of group-stride loops: an index that grows by a uniform step in every work-item. */
#ifndef COMPILER_PASSES_GROUP_STRIDE_LOOP_HPP
#define COMPILER_PASSES_GROUP_STRIDE_LOOP_HPP

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>

#include "compiler/passes/divergence.hpp"

namespace quern {

/** Describes the loop `for (index = start; index < bound; index += step)` and its guard branch. After a successful
 * match, step and bound are uniform, start is the work-item's id along x plus a uniform value, and all work-items
 * execute the guard. The match does not prove that the index arithmetic does not wrap: GroupStrideInterchange adds a
 * runtime check for that. */
class GroupStrideLoop {
 public:
  /** Least step of the index, in elements. Loops with a smaller step are not interchanged. */
  static constexpr uint64_t min_step = 128;

  explicit GroupStrideLoop(llvm::Loop &loop) : loop(loop) {}

  /** Matches latch test, index phi and step by looking at the loop alone. On success sets `latch` to `start` below. */
  bool match_induction() { return find_latch_test() && find_index(); }

  /** Whether the matched loop has a uniform bound and step, a guard, and iterations of different work-items that may be
   * reordered. Requires match_induction(). Keeps a pointer to `of_function`, which must outlive this object, and sets
   * the guard members and `hoisted`. */
  bool can_interchange(const Divergence &of_function);

  /** Whether the value is the index, or equals it when the index is small: an extension, a truncation, or an extension
   * in register (match_in_register_extension) of the index. */
  bool is_index(const llvm::Value *value) const { return is_index(value, max_index_depth); }

  llvm::Loop &loop;
  const Divergence *divergence = nullptr;
  llvm::BasicBlock *latch = nullptr;
  /** Latch condition: `tested` < `bound`. `tested` is `next`, maybe truncated, and `next` is index + `step`. */
  llvm::Value *tested = nullptr, *next = nullptr, *step = nullptr, *bound = nullptr;
  llvm::PHINode *index = nullptr;
  llvm::Value *start = nullptr;
  /** Branch that skips the loop when it has no iterations: it enters the loop when `guard_tested` < `guard_bound`. */
  llvm::BranchInst *guard = nullptr;
  llvm::Value *guard_tested = nullptr, *guard_bound = nullptr;
  /** Instructions between guard and loop that are safe to execute speculatively above the guard. */
  llvm::SmallPtrSet<const llvm::Instruction *, 16> hoisted;
  /** The index is a 32-bit one with unsigned comparison, which may wrap as far as compile time can tell. */
  bool may_wrap = false;

 private:
  static constexpr unsigned max_index_depth = 6;

  bool find_latch_test();
  bool find_index();
  bool find_guard();
  bool is_index(const llvm::Value *value, unsigned depth) const;
  bool is_uniform_invariant(const llvm::Value *value) const;
  void find_truncated_indices(const llvm::BasicBlock *before);
  void find_hoisted(const llvm::BasicBlock &before);
  bool can_clone_preheader(const llvm::Instruction &instruction) const;
  bool can_clone_preheader();
  bool has_reorderable_body() const;

  /** Header phis that are the index truncated to another type. */
  llvm::SmallPtrSet<const llvm::Value *, 2> truncated_indices_;
};

/** Matches an extension in register: `inner & mask` (zero extension) or `ashr (shl inner, n), n` (sign extension), with
 * the same type before and after. Sets `bits` to the number of low bits of `inner` that are kept. */
bool match_in_register_extension(const llvm::Value *value, llvm::Value *&inner, unsigned &bits);

}  // namespace quern

#endif
