/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * printf calls become records in the printf buffer (compiler/printf.h). */
#ifndef COMPILER_PASSES_PRINTF_HPP
#define COMPILER_PASSES_PRINTF_HPP

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/passes.h"

namespace quern {

/** Gives every printf call of the module the type of the one declaration: SPIR-V's formats may be in any address space
 * (SPV_EXT_relaxed_printf_string_address_space), and modules that were linked may differ. */
void unify_printf(llvm::Module &module);

/** Replaces every printf call of `function`; `buffer` is its printf buffer. Format strings that are no constants give
 * compiler_error_link_failure and a line in the log. */
compiler_result_t lower_printf(llvm::Function &function, llvm::Value &buffer, passes_t *passes, text_t *log);

}  // namespace quern

#endif
