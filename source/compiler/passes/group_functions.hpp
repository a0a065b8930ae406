/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What functions need of the work-group that runs them. Valid before the kernels get a work-group's parameters. */
#ifndef COMPILER_PASSES_GROUP_FUNCTIONS_HPP
#define COMPILER_PASSES_GROUP_FUNCTIONS_HPP

#include <llvm/IR/Function.h>

namespace quern {

/** Whether the function is a kernel with a body. */
bool is_kernel(const llvm::Function &function);

/** Whether the function itself, not counting its callees, uses operations that only a work-group function can lower. */
bool needs_work_group(llvm::Function &function);

/** Whether work-item functions of constant dimensions are the only such operations of a function that has some. */
bool needs_only_position(llvm::Function &function);

}  // namespace quern

#endif
