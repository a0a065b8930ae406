/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-item ids and sizes as arguments of the functions that ask for them.
 *
 * Only a kernel knows where its work-items are: what asks for it is inlined into the kernel. A large function with many
 * calls, or a chain of functions that call the next one twice, then takes more time and memory to compile than there
 * is. Where their callers pass them the ids, they are functions like others. This is argument promotion (LLVM's
 * ArgumentPromotion), as the AMDGPU target does with its implicit arguments. */
#ifndef COMPILER_PASSES_WORK_ITEM_ARGUMENTS_HPP
#define COMPILER_PASSES_WORK_ITEM_ARGUMENTS_HPP

#include <llvm/IR/Module.h>

namespace quern {

/** The instructions of all kernels if everything that needs the work-group were inlined into them. Saturates. */
uint64_t count_inlined_instructions(llvm::Module &module);

/** Gives each function whose work-item functions, and those of its callees, are all that needs the work-group an
 * argument for each of them. Others, kernels and recursive functions stay as they are, and call the work-item functions
 * for what they pass on. */
void add_work_item_arguments(llvm::Module &module);

}  // namespace quern

#endif
