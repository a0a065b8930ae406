/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Linking a program with the builtins that it calls. */
#ifndef COMPILER_LIBRARY_BUILTINS_H
#define COMPILER_LIBRARY_BUILTINS_H

#include <llvm-c/Types.h>

#include "base/text.h"
#include "compiler/compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Attribute of functions of the library that are no part of what calls them because they are seldom called. */
#define BUILTINS_OUTLINED_ATTRIBUTE "quern-outlined"

/** Defines in `module` every declared function that a builtin family defines, and what those need in turn. The
 * definitions become internal. On compiler_error_internal the log says what was wrong. */
COMPILER_MUST_CHECK compiler_result_t builtins_link(LLVMModuleRef module, text_t *log);

#ifdef __cplusplus
}
#endif

#endif
