/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * SPIR-V to the spir64 IR that the Clang front end makes of OpenCL C. */
#ifndef COMPILER_SPIRV_SPIRV_H
#define COMPILER_SPIRV_SPIRV_H

#include <llvm-c/Types.h>

#include "base/text.h"
#include "compiler/compiler.h"

typedef struct spirv_input_t {
  const compiler_target_t *target;
  /** The module, in either byte order, at any alignment; never trusted. */
  const void *data;
  size_t size;
  /** Values of specialization constants; those that the module does not have are ignored. */
  const compiler_specialization_t *specializations;
  size_t specialization_count;
  /** Quotients of floats are rounded correctly: -cl-fp32-correctly-rounded-divide-sqrt. */
  bool exact_division;
} spirv_input_t;

/** Imports a module for the OpenCL environment into a new IR module of `context`, owned by the caller; null when the
 * module is broken or needs what is not supported: `log` then names word, instruction and reason. Warnings go there
 * too. Time and memory are bounded by the module's size. Thread safe across contexts. */
LLVMModuleRef spirv_import(LLVMContextRef context, const spirv_input_t *input, text_t *log);

#endif
