/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Bounds checks of image writes, and the condition under which a work-group needs none. */
#ifndef COMPILER_PASSES_IMAGE_BOUNDS_HPP
#define COMPILER_PASSES_IMAGE_BOUNDS_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/passes/work_items.hpp"

namespace quern {

/** Whether the function compares a coordinate with the image's size (builtins/image_write.clh). */
bool is_bounds_check(const llvm::Function *function);

/** The values of work-item functions in a work-group, at the end of the entry block of its function. */
struct GroupPosition {
  /** The least global id, and the number of work-items, in each dimension: i64. */
  llvm::Value *base[3], *size[3];
  /** The value of a work-item function that is the same for the group, in a dimension below 3, at the builder's
   * position: i64. */
  llvm::function_ref<llvm::Value *(WorkItem, unsigned, llvm::IRBuilder<> &)> uniform;
};

/** Marks those bounds checks of a kernel for known images that hold in a work-group under a condition on its position,
 * on scalar arguments and on the sizes of images, and writes that condition. Null when no check is marked. It comes
 * from interval arithmetic over the coordinates, with the bounds that dominating branches give, as in LLVM's
 * ConstraintElimination; versions of a loop are what InductiveRangeCheckElimination makes. */
llvm::Value *write_bounds_condition(llvm::Function &kernel, const GroupPosition &position, llvm::IRBuilder<> &builder);

/** Takes the marks off the checks in the blocks: these are for groups for which the condition does not hold. */
void keep_bounds_checks(llvm::ArrayRef<llvm::BasicBlock *> blocks);

/** Replaces the marked bounds checks by true, and all others by comparisons. */
void lower_bounds_checks(llvm::Module &module);

}  // namespace quern

#endif
