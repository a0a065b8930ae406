/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The barrier context: what each work-item of a group keeps from region to region. */
#ifndef COMPILER_PASSES_BARRIER_CONTEXT_HPP
#define COMPILER_PASSES_BARRIER_CONTEXT_HPP

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/passes.h"

namespace quern {

/** Uses by variable, in the order of the first ones. */
using VariableUses = llvm::MapVector<llvm::AllocaInst *, llvm::SmallVector<llvm::Use *, 4>>;

/** The uses of wanted variables in the blocks, in program order. Only the blocks are looked at, not all uses of the
 * variables: the time is linear in the number of regions. */
VariableUses find_variable_uses(llvm::ArrayRef<llvm::BasicBlock *> blocks,
                                llvm::function_ref<bool(const llvm::Value *)> is_wanted);

/** A work-item's place in the context: the group's memory; the largest number of work-items in a group, and the linear
 * local id, both i64. */
struct ContextPlace {
  llvm::Value *memory, *capacity, *item;
};

/** The variables in the context. Each is an array over the work-items of the group. */
class BarrierContext {
 public:
  /** Gives the variables their places, largest alignment first, so that each array is aligned for any number of
   * work-items. Sets scratch_per_item of the kernel, and raises its memory_alignment. */
  void lay_out(kernel_work_t &kernel, llvm::ArrayRef<llvm::AllocaInst *> variables);

  bool is_empty() const { return variables_.empty(); }

  /** Replaces the variables in the blocks by the address of the work-item's own. `place` is asked for where there are
   * any, and may write instructions with the builder. */
  void bind(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::IRBuilder<> &builder,
            llvm::function_ref<ContextPlace()> place) const;

  /** Erases the variables, which have no uses that matter any more. */
  void erase();

 private:
  struct Variable {
    llvm::AllocaInst *alloca;
    uint64_t alignment;
    /** Its number in the kernel; breaks ties, so that the layout is the same in every build. */
    size_t index;
    uint64_t offset;
    uint64_t stride;
  };

  llvm::SmallVector<Variable, 16> variables_;
  /** The place of each alloca in variables_. */
  llvm::DenseMap<const llvm::Value *, size_t> places_;
};

}  // namespace quern

#endif
