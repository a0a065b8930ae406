/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The guard of an item loop: the conditions under which its whole body stands. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_ITEM_GUARD_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_ITEM_GUARD_HPP

#include "compiler/passes/vectorize/item_loop.hpp"

namespace quern {

/** Whether a value of the loop is used behind it. */
bool has_live_out(const llvm::Loop &loop);

/** Whether work-items that do nothing in the body can be left out of the loop: its latch does nothing, and no value of
 * the loop is used behind it. */
bool may_leave_items_out(const ItemLoop &loop);

/** One of the conditions that all have to hold for work-items that run the body. */
struct GuardCondition {
  llvm::Value *value;
  /** What it is for them. */
  bool is_true_inside;
  /** It is evaluated only if another one holds, and may be poison if not. */
  bool is_after_test;
};

/** The conditions of the branch that ends the header of `loop`, in any nesting of `&&` and `!`, in the order of the
 * program.
 * Empty when it does not lead around the whole body, or iterations may not be left out. */
llvm::SmallVector<GuardCondition, 8> find_guard(const ItemLoop &loop);

/** A comparison in a guard as what work-items inside it satisfy, with a loop-invariant operand on the right. `!= 0` is
 * `> 0` here, unsigned. */
struct GuardCompare {
  llvm::ICmpInst::Predicate predicate;
  llvm::Value *index, *bound;
};

/** Empty when the condition is no comparison in the loop with a loop-invariant value. */
std::optional<GuardCompare> match_guard_compare(const GuardCondition &condition, const ItemLoop &loop);

}  // namespace quern

#endif
