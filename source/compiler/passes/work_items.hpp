/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of OpenCL C's work-item functions, barriers and printf by the names that the front end gives them. */
#ifndef COMPILER_PASSES_WORK_ITEMS_HPP
#define COMPILER_PASSES_WORK_ITEMS_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

namespace quern {

/** Suffix that passes_protect_names appends to the names of a program's own functions. */
constexpr const char *protected_suffix = ".program";

/** The name of a function in the source program. */
llvm::StringRef source_name(const llvm::Function &function);

/** Whether the host can find the variable by its name: a variable of the program in global memory
 * (cl_intel_global_variable_access). Valid after passes_protect_names. */
bool is_host_visible(const llvm::GlobalVariable &variable);

/** The work-item functions. */
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

/** The work-item function that `function` is, or none. */
WorkItem work_item_function(const llvm::Function *function);
/** The work-item function that `value` calls; none when it is not a direct call of one. */
WorkItem work_item_call(const llvm::Value *value);

/** Whether the function is barrier or an overload of work_group_barrier. */
bool is_barrier(const llvm::Function *function);
bool is_barrier_call(const llvm::Instruction &instruction);

/** Whether the function is printf. */
bool is_printf(const llvm::Function *function);

/** Whether the function returns the memory of work-group collectives (builtins/collective.cl). */
bool is_collective_memory(const llvm::Function *function);

/** The dimension argument of a work-item call, at most 3, or -1 when it is not constant. */
int constant_dimension(const llvm::CallBase &call);

/** The integer at a place of a function's metadata, as of "reqd_work_group_size"; 0 where there is none. */
uint64_t number_operand(const llvm::Function &function, const char *kind, unsigned index);

/** Whether the function reads the global or local id of its work-item in a dimension, as constant_dimension() gives it,
 * for which `is_wanted` holds. Calls in its callees do not count. */
bool reads_id(const llvm::Function &function, llvm::function_ref<bool(int dimension)> is_wanted);

}  // namespace quern

#endif
