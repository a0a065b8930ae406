/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A kernel's own local variables become offsets into the work-group's local memory. */
#ifndef COMPILER_PASSES_LOCAL_MEMORY_HPP
#define COMPILER_PASSES_LOCAL_MEMORY_HPP

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace quern {

/** True when a local variable is `constant` or part of it. */
bool uses_local_variable(const llvm::Constant *constant);

/** Constant expressions over local variables become instructions, so that each kernel can have its own offsets. */
void expand_local_variable_uses(llvm::Module &module);

/** Replaces every local variable used in `function` by an offset from `local`. Returns the bytes they take; `alignment`
 * becomes at least what they need `local` to be aligned to. */
uint64_t place_local_variables(llvm::Function &function, llvm::Value &local, uint64_t &alignment);

}  // namespace quern

#endif
