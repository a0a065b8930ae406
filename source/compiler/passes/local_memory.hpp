/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Placement of a kernel's local variables in the work-group's local memory. */
#ifndef COMPILER_PASSES_LOCAL_MEMORY_HPP
#define COMPILER_PASSES_LOCAL_MEMORY_HPP

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace quern {

/** Whether `constant` is a local variable or a constant expression that uses one. */
bool uses_local_variable(const llvm::Constant *constant);

/** Whether the parameter points to local memory. */
bool is_local_pointer(const llvm::Argument &parameter);

/** Converts constant expressions over local variables to instructions, so that each kernel can have its own offsets. */
void expand_local_variable_uses(llvm::Module &module);

/** Replaces every local variable used in `function` by an offset from `local`. Returns their size in bytes. Raises
 * `alignment` to the alignment that they require of `local`. */
uint64_t place_local_variables(llvm::Function &function, llvm::Value &local, uint64_t &alignment);

/** The size in bytes of the local variables that `function` uses. */
uint64_t local_variable_bytes(llvm::Function &function);

/** Replaces every local variable used in `function` by a private one. */
void make_local_variables_private(llvm::Function &function);

/** Bytes of the memory of work-group collectives for each work-item: two arrays of 8 (collective_memory.clh). */
inline constexpr uint64_t collective_bytes_per_item = 16;

/** Replaces every call for the memory of work-group collectives by `memory`. Returns whether there is one. */
bool replace_collective_memory(llvm::Function &function, llvm::Value &memory);

}  // namespace quern

#endif
