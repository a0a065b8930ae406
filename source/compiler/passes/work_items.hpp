/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The functions of OpenCL C that ask where a work-item is, and barriers, as the front end names them. */
#ifndef COMPILER_PASSES_WORK_ITEMS_HPP
#define COMPILER_PASSES_WORK_ITEMS_HPP

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** What passes_protect_names puts behind the names of a program's own functions. */
constexpr const char *protected_suffix = ".program";

/** The name of a function as the program has it. */
llvm::StringRef source_name(const llvm::Function &function);

/** A variable of the program in global memory that the host can find by its name, once passes_protect_names was there
 * (cl_intel_global_variable_access). */
bool is_host_visible(const llvm::GlobalVariable &variable);

/** What a work-item function answers. */
enum class WorkItem {
  none,
  global_id,
  local_id,
  group_id,
  global_size,
  local_size,
  enqueued_local_size,
  num_groups,
  global_offset,
  work_dim,
};

/** Which work-item function `function` is. */
WorkItem work_item_function(const llvm::Function *function);
/** The same of a called function; none when `value` is no direct call. */
WorkItem work_item_call(const llvm::Value *value);

/** True for barrier and work_group_barrier in every overload. */
bool is_barrier(const llvm::Function *function);
bool is_barrier_call(const llvm::Instruction &instruction);

/** True for printf. */
bool is_printf(const llvm::Function *function);

/** True for the function that gives work-group collectives their memory (builtins/collective.cl). */
bool is_collective_memory(const llvm::Function *function);

/** The dimension a work-item call asks for, or -1 when it is no constant. */
int constant_dimension(const llvm::CallBase &call);

}  // namespace quern

#endif
