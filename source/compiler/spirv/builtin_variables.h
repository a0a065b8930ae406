/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Variables with the decoration BuiltIn: what a work-item asks about itself. */
#ifndef COMPILER_SPIRV_BUILTIN_VARIABLES_H
#define COMPILER_SPIRV_BUILTIN_VARIABLES_H

#include "compiler/spirv/importer.h"

/** Makes `id`, an OpVariable decorated so, a built-in variable. */
void builtin_variable_define(importer_t *im, const instruction_t *in);

/** What it holds, as calls at the place where the builder stands. */
LLVMValueRef builtin_variable_load(importer_t *im, uint32_t id);

/** A copy in the function at work, made once at its entry: for what does more with it than loading. */
LLVMValueRef builtin_variable_pointer(importer_t *im, uint32_t id);

bool is_builtin_variable(importer_t *im, uint32_t id);

#endif
