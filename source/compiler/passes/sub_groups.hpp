/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the builtins of sub-groups (builtins/sub_group*.cl) are made of: calls that stay until the vectorizer has chosen
 * how many work-items are a sub-group. */
#ifndef COMPILER_PASSES_SUB_GROUPS_HPP
#define COMPILER_PASSES_SUB_GROUPS_HPP

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** Function attribute: the number of work-items in a sub-group that the kernel asks for, or 0. Only kernels that use
 * sub-groups have it. */
constexpr const char *sub_groups_attribute = "quern-sub-groups";

/** Most work-items in a sub-group; every power of two up to it is possible. */
constexpr unsigned largest_sub_group = 64;

enum class SubGroup {
  none,
  /** uint width(): work-items in a full sub-group. */
  width,
  /** ulong first(ulong row, ulong item): the number in the work-group of the sub-group's first work-item. The
   * work-group pass sets the operands: the number of the first work-item in the loop over work-items, and of this one
   * in it. */
  first,
  /** uint local_id(). */
  local_id,
  /** ulong ballot(int): a bit for each work-item that is there with a number that is not 0. */
  ballot,
  /** T broadcast(T, uint): the value of that work-item; all name the same. */
  broadcast,
  /** T shuffle(T, uint): the value of that work-item; each names its own. */
  shuffle,
  /** T reduce_OPERATION(T), and so on: OPERATION is one of Combination. */
  reduce,
  scan_inclusive,
  scan_exclusive,
  /** T clustered_OPERATION(T, uint): within neighbours, as many as that constant power of two. */
  clustered,
  /** void barrier(): what its work-items did to memory before is done for all of them behind it. */
  barrier,
};

enum class Combination { none, add, mul, smin, umin, fmin, smax, umax, fmax, bit_and, bit_or, bit_xor };

struct SubGroupOperation {
  SubGroup kind = SubGroup::none;
  Combination combination = Combination::none;
};

/** Which of the above `function` is. */
SubGroupOperation sub_group_function(const llvm::Function *function);
/** The same of a called function; none when `value` is no direct call. */
SubGroupOperation sub_group_call(const llvm::Value *value);
/** True for calls of any of them. */
bool is_sub_group_function(const llvm::Function *function);

/** True when the answer is the same for all work-items of a sub-group that run the call together. */
bool is_uniform_in_sub_group(SubGroup kind);

/** True for what does not depend on which work-items run it: width, first, local_id. */
bool is_place_in_sub_group(SubGroup kind);

/** What they promise to LLVM's passes. */
void mark_sub_group_function(llvm::Function &function);

/** `a` and `b`, scalars or vectors of integers or floating-point numbers, combined. */
llvm::Value *combine(Combination combination, llvm::Value *a, llvm::Value *b, llvm::IRBuilder<> &builder);
/** What changes nothing when it is combined with a `type`, which is scalar. */
llvm::Constant *neutral_element(Combination combination, llvm::Type *type);

/** Replaces the calls that ask for it. */
void replace_sub_group_width(llvm::Function &function, unsigned width);

/** Makes every work-item a sub-group of its own. */
void make_sub_groups_single(llvm::Function &function);

}  // namespace quern

#endif
