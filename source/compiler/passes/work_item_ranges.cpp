/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Value ranges of work-item functions. */
#include "compiler/passes/work_item_ranges.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/passes/preserved.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {

/* Work-items of a work-group in the dimension that the call asks for, at most; 0 when that is not known. Dimensions
 * that there are not have one work-item. */
static uint64_t find_largest_size(const CallBase &call, uint64_t largest_size) {
  const int dimension = constant_dimension(call);
  const uint64_t required =
      dimension < 0 ? 0 : number_operand(*call.getFunction(), "reqd_work_group_size", unsigned(dimension));
  return required ? required : largest_size;
}

static bool bound_call(CallBase &call, uint64_t first, uint64_t end) {
  const unsigned bits = call.getType()->getIntegerBitWidth();
  if (first >= end || !isUIntN(bits, end)) return false;
  call.addRangeRetAttr(ConstantRange(APInt(bits, first), APInt(bits, end)));
  return true;
}

PreservedAnalyses BoundWorkItemsPass::run(Function &function, FunctionAnalysisManager &) {
  bool has_changed = false;
  for (Instruction &instruction : instructions(function)) {
    const WorkItem which = work_item_call(&instruction);
    if (which == WorkItem::none) continue;
    auto &call = cast<CallBase>(instruction);
    const uint64_t size = find_largest_size(call, largest_size_);
    if (which == WorkItem::local_id) has_changed |= bound_call(call, 0, size);
    if (which == WorkItem::local_size || which == WorkItem::enqueued_local_size)
      has_changed |= size && bound_call(call, 1, size + 1);
    if (which == WorkItem::work_dim) has_changed |= bound_call(call, 1, 4);
  }
  return preserve_blocks(has_changed);
}

}  // namespace quern
