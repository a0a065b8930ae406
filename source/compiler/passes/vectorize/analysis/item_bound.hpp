/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Item loops whose whole body is guarded by an upper bound on the work-item's index. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_ITEM_BOUND_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_ITEM_BOUND_HPP

#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** A guard `index < bound` around the whole body of an item loop, as LLVM's InductiveRangeCheckElimination looks for.
 * The index is the loop counter times a constant plus a loop-invariant value. Examples: the global id, or four times
 * it, against the size of the data; the local id against what is left in a tree reduction. Work-items from the bound on
 * need no iteration, and those before it need no test. */
struct ItemBound {
  /** The branch that skips the body. */
  llvm::BranchInst *branch;
  /** Loop-invariant condition that is a further operand of the branch's `and`, or null. */
  llvm::Value *invariant_condition;
  /** The successor of the branch for work-items before the bound: 0 or 1. */
  unsigned body_successor;
  /** An operation on the path from the counter to the index. `operand` is the number of the operand on this path; the
   * other operands are loop invariant. */
  struct Operation {
    llvm::Instruction *instruction;
    unsigned operand;
  };
  /** The operations that compute the index from the counter, last one first. */
  llvm::SmallVector<Operation, 4> operations;
  /** By how much the index grows from work-item to work-item, if it does not wrap. */
  uint64_t stride;
  llvm::Value *bound;
  /** Whether the comparison is signed. */
  bool is_signed;

  /** Recognizes the guard; empty when the body has none that covers all of it. */
  static std::optional<ItemBound> find(const ItemLoop &loop);

  /** Computes how many work-items are before the bound, an i64 of at most the loop's trip count. Sets `holds` to an i1:
   * the count is right if it is true, as then the index does not wrap. It stays null when the count is always right. */
  llvm::Value *count(const ItemLoop &loop, llvm::IRBuilder<> &builder, llvm::Value *&holds) const;

  /** Computes whether the work-item `counter` is before the bound. It is right even if the index wraps. */
  llvm::Value *test(llvm::Value *counter, llvm::IRBuilder<> &builder) const;

  /** Whether `known` is true of the bound and of all other operands of the index than the counter. */
  bool depends_on(llvm::function_ref<bool(const llvm::Value *)> known) const;

 private:
  llvm::Value *index_of(llvm::Value *counter, llvm::IRBuilder<> &builder) const;
  bool may_wrap() const;
};

}  // namespace quern

#endif
