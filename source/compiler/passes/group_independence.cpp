/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels that compute the same however the ND-range is divided into work-groups. */
#include "compiler/passes/group_independence.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/passes/vectorize/analysis/idempotence.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {
namespace {

bool may_ask_for_group(const Instruction &instruction) {
  switch (work_item_call(&instruction)) {
    case WorkItem::local_id:
    case WorkItem::group_id:
    case WorkItem::local_size:
    case WorkItem::enqueued_local_size:
    case WorkItem::num_groups: return true;
    default: return is_barrier_call(instruction);
  }
}

/* A loop with an atomic or volatile read may wait for another work-group. OpenCL does not promise that it ends. It does
 * end where groups run on threads of their own, but not where both are merged into one. */
bool may_wait_for_groups(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  const bool has_loop = any_of(loops.getTopLevelLoops(), [](const Loop *loop) { return !LoopAccesses(*loop).empty(); });
  return has_loop || any_of(find_callees(function), [](const Function *callee) {
           return any_of(instructions(*callee), is_atomic_or_volatile_read);
         });
}

bool has_single_items(const kernel_work_t &kernel) {
  return all_of(kernel.reqd_local_size, [](uint32_t size) { return size == 1; });
}

/* Local memory of single work-items is private, and the parameter that pointed to it unused. */
bool is_used(const kernel_work_t &kernel, size_t parameter) {
  return !unwrap<Function>(kernel.function)->getArg(unsigned(parameter))->use_empty();
}

}  // namespace

bool ignores_groups(const kernel_work_t &kernel) {
  if (kernel.uses_sub_groups || kernel.reqd_sub_group_size) return false;
  if (kernel.reqd_local_size[0] && !has_single_items(kernel)) return false;
  if (kernel.local_size || kernel.collective_size) return false;
  for (size_t i = 0; i < kernel.parameter_count; i++) {
    if (kernel.parameters[i].kind == program_arg_local && is_used(kernel, i)) return false;
  }
  Function &function = *unwrap<Function>(kernel.function);
  return none_of(instructions(function), may_ask_for_group) && !may_wait_for_groups(function);
}

}  // namespace quern
