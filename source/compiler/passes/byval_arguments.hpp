/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Structs passed by value. */
#ifndef COMPILER_PASSES_BYVAL_ARGUMENTS_HPP
#define COMPILER_PASSES_BYVAL_ARGUMENTS_HPP

#include <llvm/IR/Module.h>
#include <llvm/Support/Alignment.h>

namespace quern {

/** Lets the function make the copy of its own of a parameter that is passed by value: the parameter becomes the address
 * of what the caller has, which is only read. That is aligned to `most` at most, the copy as it must be. */
void copy_by_value_argument(llvm::Argument &parameter, llvm::Align most);

/** Does that in all functions that are called, so that their calls are like any others; true when there were any. */
bool copy_by_value_arguments(llvm::Module &module);

}  // namespace quern

#endif
