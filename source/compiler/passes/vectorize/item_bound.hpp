/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Item loops in which only the first work-items do anything. */
#ifndef COMPILER_PASSES_VECTORIZE_ITEM_BOUND_HPP
#define COMPILER_PASSES_VECTORIZE_ITEM_BOUND_HPP

#include <optional>

#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** A loop whose whole body stands under `number < limit`, where number is the work-item's plus something: the global id
 * against the size of the data, or the local id against what is left of a tree. Work-items from the limit on need no
 * turn, and those before it no test. */
struct ItemBound {
  /** The branch that skips the body, and what else it depends on: loop invariant, or null. */
  llvm::BranchInst *branch;
  llvm::Value *rest;
  /** Where the branch goes for work-items before the limit. */
  unsigned inside;
  /** number = base + counter, in `type` (which may be narrower than the counter); base null for the counter itself. */
  llvm::Value *base, *limit;
  llvm::Type *type;
  bool is_signed;

  /** Empty when the body has another form. */
  static std::optional<ItemBound> find(const ItemLoop &loop);

  /** How many work-items there are before the limit, at most the loop's count; `holds` becomes the condition for that
   * to be right (numbers do not wrap), or stays null when it always is. Both i64 or i1, at the builder's place. */
  llvm::Value *count(const ItemLoop &loop, llvm::IRBuilder<> &builder, llvm::Value *&holds) const;

  /** Whether the work-item `counter` is before the limit, always right. */
  llvm::Value *test(llvm::Value *counter, llvm::IRBuilder<> &builder) const;
};

}  // namespace quern

#endif
