/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops in which a work-item goes on by a step that all agree on. */
#ifndef COMPILER_PASSES_GROUP_STRIDE_LOOP_HPP
#define COMPILER_PASSES_GROUP_STRIDE_LOOP_HPP

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>

#include "compiler/passes/divergence.hpp"

namespace quern {

/** `for (index = start; index < bound; index += step)` behind a guard that all work-items come to. Step and bound are
 * the same for all; the start is the work-item's number along x and what is the same for all. Nothing in it wraps as
 * long as numbers are small, which is found out when it runs. */
class GroupStrideLoop {
 public:
  /** Elements from turn to turn. */
  static constexpr uint64_t shortest_step = 128;

  explicit GroupStrideLoop(llvm::Loop &loop) : loop(loop) {}

  /** Whether it has such an index, looking at the loop alone. */
  bool counts_by_steps() { return find_test() && find_index(); }

  /** Whether such a loop is all that, and all work-items may take their turns side by side. */
  bool can_stride(const Divergence &of_function);

  /** Whether the value is the index, or becomes so where numbers are small: extended, or with the upper bits off. */
  bool is_index(const llvm::Value *value) const { return is_index(value, deepest_index); }

  llvm::Loop &loop;
  const Divergence *divergence = nullptr;
  llvm::BasicBlock *latch = nullptr;
  /** What is compared with the bound in each turn, and what that is made of: index + step. */
  llvm::Value *tested = nullptr, *next = nullptr, *step = nullptr, *bound = nullptr;
  llvm::PHINode *index = nullptr;
  llvm::Value *start = nullptr;
  /** Decides whether there is a first turn, by comparing the first two. */
  llvm::BranchInst *guard = nullptr;
  llvm::Value *first_tested = nullptr, *first_bound = nullptr;
  /** Of what is computed between guard and loop, that which may be computed where there are no turns. */
  llvm::SmallPtrSet<const llvm::Instruction *, 16> hoisted;
  /** The index is one of 32 bits that may wrap, for all that is known before it runs. */
  bool may_wrap = false;

 private:
  static constexpr unsigned deepest_index = 6;

  bool find_test();
  bool find_index();
  bool find_guard();
  bool is_index(const llvm::Value *value, unsigned depth) const;
  bool is_shared(const llvm::Value *value) const;
  void find_twins(const llvm::BasicBlock *before);
  void find_hoisted(const llvm::BasicBlock &before);
  bool can_prepare(const llvm::Instruction &instruction) const;
  bool can_prepare();
  bool can_interleave() const;

  /** Phis that are the index in another type. */
  llvm::SmallPtrSet<const llvm::Value *, 2> twins_;
};

/** Whether the upper bits of `value` are off, or made the sign of those below, how many those are, and of what. */
bool match_extension(const llvm::Value *value, llvm::Value *&inner, unsigned &bits);

}  // namespace quern

#endif
