/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM intrinsics as imported functions: what the translator from LLVM writes of those that SPIR-V has no instruction
 * for ("llvm.usub.sat.i32"). */
#ifndef COMPILER_SPIRV_INTRINSICS_H
#define COMPILER_SPIRV_INTRINSICS_H

#include "compiler/spirv/importer.h"

/** The name by which the function `id` imports an intrinsic; null when it does not. */
const char *intrinsic_name(importer_t *im, uint32_t id);

/** Makes the function `id`, imported as `name` with LLVM's function type `type`, that intrinsic, and returns its
 * declaration. Fails unless it is one of intrinsics.def and the type is one of its own. */
LLVMValueRef intrinsic_declare(importer_t *im, uint32_t id, const char *name, LLVMTypeRef type);

/** The OpFunctionCall `in` of such a function. */
LLVMValueRef intrinsic_call(importer_t *im, const instruction_t *in);

#endif
