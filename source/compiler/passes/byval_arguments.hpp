/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of byval parameters to pointers and explicit copies. */
#ifndef COMPILER_PASSES_BYVAL_ARGUMENTS_HPP
#define COMPILER_PASSES_BYVAL_ARGUMENTS_HPP

#include <llvm/IR/Module.h>
#include <llvm/Support/Alignment.h>

namespace quern {

/** Moves the copy of a byval parameter from the caller into the function. The parameter becomes a pointer to the
 * caller's object, which is only read. The pointer is aligned to at most `max_align`; the copy has the type's full
 * alignment. */
void copy_by_value_argument(llvm::Argument &parameter, llvm::Align max_align);

/** Does this for all internal functions that are only called directly, and for their calls. Returns whether there were
 * any. */
bool copy_by_value_arguments(llvm::Module &module);

}  // namespace quern

#endif
