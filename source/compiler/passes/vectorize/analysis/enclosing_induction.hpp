/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The induction variable of the loop that encloses a region between barriers. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_ENCLOSING_INDUCTION_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_ENCLOSING_INDUCTION_HPP

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** The induction variable of the loop that runs the item loops of a region again and again, and how values depend on
 * it. That is a loop of the kernel around a barrier, whose iterations all work-items of a group execute together, or
 * else the loop over work-groups in the entry function. The variable grows by an invariant step. */
class EnclosingInduction {
 public:
  /** Of the innermost loop of the kernel around `items` that has an induction variable, or else of_groups(). */
  static std::optional<EnclosingInduction> find(const ItemLoop &items);

  /** Of the loop over work-groups. Empty when the entry does not mark the group's index, or it is not in the loop
   * around the item loops, which then is a loop of the kernel. */
  static std::optional<EnclosingInduction> of_groups(const ItemLoop &items);

  bool is_group_loop() const { return !step_; }

  /** How a value changes from one iteration to the next: not at all, by a constant, or in another manner. A value that
   * is not computed from the induction variable counts as unchanged. */
  enum class Change : uint8_t { none, by_constant, other };
  Change change(const llvm::Value *value);

  /** Builds `value` as of the next iteration. For groups it is the group to be prefetched now, which is further ahead
   * when groups are small. The result is speculative: all that is not computed from the induction variable is taken as
   * unchanged. `known` caches results; they must dominate the builder's insertion point. */
  llvm::Value *next(llvm::Value *value, llvm::DenseMap<llvm::Value *, llvm::Value *> &known,
                    llvm::IRBuilder<> &builder) const;

 private:
  EnclosingInduction(llvm::Instruction *induction, llvm::Value *step) : induction_(induction), step_(step) {}

  llvm::Value *step(llvm::IRBuilder<> &builder) const;

  /** A phi, or for groups the load of the group's index. */
  llvm::Instruction *induction_;
  /** Null for groups. */
  llvm::Value *step_;
  /** For groups: the numbers of work-items along x, and along y if it is known. */
  llvm::SmallVector<llvm::Value *, 2> item_counts_;
  llvm::DenseMap<const llvm::Value *, Change> changes_;
};

}  // namespace quern

#endif
