/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Internal operations of the sub-group builtins (builtins/sub_group*.cl): calls that are lowered once the vectorizer
 * has chosen the sub-group size. */
#ifndef COMPILER_PASSES_SUB_GROUPS_HPP
#define COMPILER_PASSES_SUB_GROUPS_HPP

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** Function attribute: the sub-group size that the kernel requires, or 0. Only kernels that use sub-groups have it. */
constexpr const char *sub_groups_attribute = "quern-sub-groups";

/** Largest sub-group size; every power of two up to it is possible. */
constexpr unsigned largest_sub_group = 64;
/** The size where the kernel does not require one. Programs that were written for GPUs take a work-group of 32 for one
 * sub-group, or 32 results for all that a sub-group can reduce, and do not always say that they do. */
constexpr unsigned usual_sub_group = 32;

/** The most lines of work-items along x that are sub-groups: as many sub-groups as a work-group may have of 32. */
constexpr unsigned most_sub_group_lines = 32;

enum class SubGroup {
  none,
  /** uint width(): lanes of a vector, the most work-items of a sub-group. */
  width,
  /** uint may_follow_lines(): 1 where the kernel requires no size, so that short lines of work-items along x may be
   * sub-groups. */
  may_follow_lines,
  /** ulong first(ulong loop_start, ulong item): linear local id of the sub-group's first work-item. The work-group pass
   * sets the operands: the linear local id of the first work-item of the innermost work-item loop, and that loop's
   * induction variable. */
  first,
  /** uint local_id(). */
  local_id,
  /** ulong ballot(int): a bit for each active work-item with a nonzero operand. */
  ballot,
  /** T broadcast(T, uint): the value of the work-item with this index, which must be uniform. */
  broadcast,
  /** T shuffle(T, uint): the value of the work-item with this index, which may differ between work-items. */
  shuffle,
  /** T reduce_OPERATION(T); the scans have the same form. OPERATION is one of ReductionKind. */
  reduce,
  scan_inclusive,
  scan_exclusive,
  /** T clustered_OPERATION(T, uint): reduction within clusters of adjacent work-items. The operand is the cluster size,
   * a constant power of two. */
  clustered,
  /** void barrier(): memory accesses of the sub-group's work-items before it are visible to all of them after it. */
  barrier,
};

enum class ReductionKind { none, add, mul, smin, umin, fmin, smax, umax, fmax, bit_and, bit_or, bit_xor };

struct SubGroupOperation {
  SubGroup kind = SubGroup::none;
  ReductionKind combination = ReductionKind::none;
};

/** The operation that `function` is, recognized by name; kind `none` for other functions. */
SubGroupOperation sub_group_function(const llvm::Function *function);
/** The operation that `value` calls; kind `none` when it is not a direct call of one. */
SubGroupOperation sub_group_call(const llvm::Value *value);
/** Whether the function is any of these operations. */
bool is_sub_group_function(const llvm::Function *function);

/** Whether the result is the same for all work-items of a sub-group that execute the call together. */
bool is_uniform_in_sub_group(SubGroup kind);

/** Whether the result does not depend on the set of active work-items: width, may_follow_lines, first, local_id. */
bool is_sub_group_position(SubGroup kind);

/** Adds the attributes of the operation for LLVM's passes. */
void mark_sub_group_function(llvm::Function &function);
/** Keeps calls for a work-item's local id in the loops over work-items, once these are made: such a call has no operand
 * that says which work-item's, and LoopSimplify and LICM would take it for the same in all iterations. */
void pin_sub_group_local_ids(llvm::Module &module);

/** Creates the combination of `a` and `b`, scalars or vectors of integers or floating-point numbers. */
llvm::Value *combine(ReductionKind combination, llvm::Value *a, llvm::Value *b, llvm::IRBuilder<> &builder);
/** The neutral element of the combination, of the scalar `type`. */
llvm::Constant *neutral_element(ReductionKind combination, llvm::Type *type);

/** Replaces the calls of `may_follow_lines` in a kernel by what its sub_groups_attribute says. */
void replace_may_follow_lines(llvm::Function &kernel);

/** Replaces the calls of `width` in the function by the constant. */
void replace_sub_group_width(llvm::Function &function, unsigned width);

/** Lowers all operations for sub-groups of one work-item. */
void lower_single_item_sub_groups(llvm::Function &function);

}  // namespace quern

#endif
