/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Item loops in which only the first work-items do anything. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_ITEM_BOUND_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_ITEM_BOUND_HPP

#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** A loop whose whole body stands under `number < limit`, where number is the work-item's, a constant times, plus
 * something: the global id, or four times that, against the size of the data, or the local id against what is left of a
 * tree. Work-items from the limit on need no turn, and those before it no test. */
struct ItemBound {
  /** The branch that skips the body, and what else it depends on: loop invariant, or null. */
  llvm::BranchInst *branch;
  llvm::Value *rest;
  /** Where the branch goes for work-items before the limit. */
  unsigned inside;
  /** The operations that make the number of the counter, the last first: this operand of each is the one behind it, or
   * the counter, and the loop does not change the others. */
  struct Step {
    llvm::Instruction *operation;
    unsigned operand;
  };
  llvm::SmallVector<Step, 4> steps;
  /** By how much the number is greater for each next work-item, if it does not wrap. */
  uint64_t stride;
  llvm::Value *limit;
  bool is_signed;

  /** Empty when the body has another form. */
  static std::optional<ItemBound> find(const ItemLoop &loop);

  /** How many work-items there are before the limit, at most the loop's count; `holds` becomes the condition for that
   * to be right (numbers do not wrap), or stays null when it always is. Both i64 or i1, at the builder's place. */
  llvm::Value *count(const ItemLoop &loop, llvm::IRBuilder<> &builder, llvm::Value *&holds) const;

  /** Whether the work-item `counter` is before the limit, always right. */
  llvm::Value *test(llvm::Value *counter, llvm::IRBuilder<> &builder) const;

  /** Whether all that the limit and the numbers hang on, but for the counter, is `known`. */
  bool depends_on(llvm::function_ref<bool(const llvm::Value *)> known) const;

 private:
  llvm::Value *number_of(llvm::Value *counter, llvm::IRBuilder<> &builder) const;
  bool may_wrap() const;
};

}  // namespace quern

#endif
