/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What functions need of the work-group that runs them. */
#include "compiler/passes/group_functions.hpp"

#include <llvm/IR/InstIterator.h>

#include "compiler/passes/address_queries.hpp"
#include "compiler/passes/local_memory.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

bool quern::is_kernel(const Function &function) {
  return !function.isDeclaration() && function.getCallingConv() == CallingConv::SPIR_KERNEL;
}

/* Whether the instruction needs what belongs to the group: its barriers, its memory, its printf. */
static bool needs_group_state(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    const Function *callee = call->getCalledFunction();
    if (is_barrier(callee) || is_printf(callee) || is_address_query(callee) || is_collective_memory(callee) ||
        is_sub_group_function(callee)) {
      return true;
    }
  }
  return any_of(instruction.operands(), [](const Use &operand) {
    auto *constant = dyn_cast<Constant>(operand);
    return constant && uses_local_variable(constant);
  });
}

static bool has_constant_dimension(const Instruction &instruction) {
  return work_item_call(&instruction) == WorkItem::work_dim || constant_dimension(cast<CallBase>(instruction)) >= 0;
}

static bool asks_position(const Instruction &instruction) { return work_item_call(&instruction) != WorkItem::none; }

bool quern::needs_work_group(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return needs_group_state(instruction) || asks_position(instruction);
  });
}

bool quern::needs_only_position(Function &function) {
  bool asks = false;
  for (const Instruction &instruction : instructions(function)) {
    if (needs_group_state(instruction)) return false;
    if (!asks_position(instruction)) continue;
    if (!has_constant_dimension(instruction)) return false;
    asks = true;
  }
  return asks;
}
