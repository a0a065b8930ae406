/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Calls through pointers of functions that need the work-group.
 *
 * Such functions exist only inlined into kernels. So a call through a pointer compares the pointer with each of them
 * whose address is taken and whose type fits, and calls it directly; what is left calls through the pointer. */
#ifndef COMPILER_PASSES_INDIRECT_CALLS_HPP
#define COMPILER_PASSES_INDIRECT_CALLS_HPP

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/passes.h"

namespace quern {

/** Before inlining. `needs_group`: whether a function itself, without its callees, needs the work-group.
 * compiler_error_link_failure, with a line in the log, when there would be too many calls. */
compiler_result_t call_group_functions_directly(llvm::Module &module,
                                                llvm::function_ref<bool(llvm::Function &)> needs_group, text_t *log);

/** After inlining: what is left of such functions is their address, and a trap for calls from other programs. */
void trap_in_group_functions(llvm::Module &module);

}  // namespace quern

#endif
