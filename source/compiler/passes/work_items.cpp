/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of work-item functions, barriers and printf by name. */
#include "compiler/passes/work_items.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace quern {

StringRef source_name(const Function &function) {
  StringRef name = function.getName();
  name.consume_back(protected_suffix);
  name.consume_front("__clang_ocl_kern_imp_"); /* Clang's prefix for the body of a kernel */
  return name;
}

WorkItem work_item_function(const Function *function) {
  if (!function || !function->isDeclaration()) return WorkItem::none;
  return StringSwitch<WorkItem>(function->getName())
      .Case("_Z13get_global_idj", WorkItem::global_id)
      .Case("_Z12get_local_idj", WorkItem::local_id)
      .Case("_Z12get_group_idj", WorkItem::group_id)
      .Case("_Z15get_global_sizej", WorkItem::global_size)
      .Case("_Z14get_local_sizej", WorkItem::local_size)
      .Case("_Z23get_enqueued_local_sizej", WorkItem::enqueued_local_size)
      .Case("_Z14get_num_groupsj", WorkItem::num_groups)
      .Case("_Z17get_global_offsetj", WorkItem::global_offset)
      .Case("_Z12get_work_dimv", WorkItem::work_dim)
      .Default(WorkItem::none);
}

WorkItem work_item_call(const Value *value) {
  auto *call = dyn_cast<CallBase>(value);
  return call ? work_item_function(call->getCalledFunction()) : WorkItem::none;
}

bool is_barrier(const Function *function) {
  if (!function || !function->isDeclaration()) return false;
  return StringSwitch<bool>(function->getName())
      .Case("_Z7barrierj", true)
      .StartsWith("_Z18work_group_barrierj", true)
      .Default(false);
}

bool is_barrier_call(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && is_barrier(call->getCalledFunction());
}

bool is_printf(const Function *function) {
  return function && function->isDeclaration() && function->getName() == "printf";
}

bool is_collective_memory(const Function *function) {
  return function && function->isDeclaration() && function->getName() == "__quern_collective_memory";
}

int constant_dimension(const CallBase &call) {
  auto *dimension = call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(0));
  return dimension ? int(std::min<uint64_t>(dimension->getZExtValue(), 3)) : -1;
}

uint64_t number_operand(const Function &function, const char *kind, unsigned index) {
  const MDNode *node = function.getMetadata(kind);
  if (!node || index >= node->getNumOperands()) return 0;
  auto *number = mdconst::dyn_extract<ConstantInt>(node->getOperand(index));
  return number ? number->getZExtValue() : 0;
}

bool reads_id(const Function &function, function_ref<bool(int dimension)> is_wanted) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    const WorkItem which = work_item_call(&instruction);
    if (which != WorkItem::global_id && which != WorkItem::local_id) return false;
    return is_wanted(constant_dimension(cast<CallBase>(instruction)));
  });
}

}  // namespace quern
