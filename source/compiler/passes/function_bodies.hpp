/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What passes that change a function's parameters share. */
#ifndef COMPILER_PASSES_FUNCTION_BODIES_HPP
#define COMPILER_PASSES_FUNCTION_BODIES_HPP

#include <llvm/IR/Function.h>

namespace quern {

/** Whether all uses are direct calls with the function's own type, so that all callers are known. */
bool is_only_called(const llvm::Function &function);

/** Moves body, name, attributes and metadata to a function whose first parameters are those of `from`, which stays as a
 * declaration without a name. */
void move_body(llvm::Function &from, llvm::Function &to);

}  // namespace quern

#endif
