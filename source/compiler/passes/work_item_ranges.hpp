/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Value ranges of work-item functions. */
#ifndef COMPILER_PASSES_WORK_ITEM_RANGES_HPP
#define COMPILER_PASSES_WORK_ITEM_RANGES_HPP

#include <llvm/IR/PassManager.h>

#include "compiler/passes/registry.hpp"

namespace quern {

/** Gives calls of get_local_id, get_local_size, get_enqueued_local_size and get_work_dim the attribute `range`, as GPU
 * targets do for the registers of thread ids: from the kernel's reqd_work_group_size, or the largest work-group of the
 * target. A local id kept in an `int` is then never negative and never wraps: its sign extension is the id, and its
 * remainder by a power of two is a mask. */
class BoundWorkItemsPass : public llvm::PassInfoMixin<BoundWorkItemsPass> {
 public:
  explicit BoundWorkItemsPass(const PassContext &context) : largest_size_(context.work.target.max_work_group_size) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

 private:
  uint64_t largest_size_;
};

}  // namespace quern

#endif
