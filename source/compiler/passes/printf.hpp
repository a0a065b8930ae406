/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of printf calls to records in the printf buffer (compiler/printf.h). */
#ifndef COMPILER_PASSES_PRINTF_HPP
#define COMPILER_PASSES_PRINTF_HPP

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/passes.h"

namespace quern {

/** Makes every printf call of the module match the type of the declaration. Calls may differ in the address space of
 * the format: in SPIR-V it may be any (SPV_EXT_relaxed_printf_string_address_space), and linked modules may differ. */
void unify_printf(llvm::Module &module);

/** Replaces every printf call of `function`; `buffer` is its printf buffer. A format string that is not constant gives
 * compiler_error_link_failure and a line in the log. */
compiler_result_t lower_printf(llvm::Function &function, llvm::Value &buffer, passes_t *passes, text_t *log);

}  // namespace quern

#endif
