/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes alone, on LLVM IR in text form. */
#ifndef COMPILER_MODULE_RUN_PASSES_H
#define COMPILER_MODULE_RUN_PASSES_H

#include <llvm-c/Types.h>

#include "compiler/codegen.h"

/** As for compiler_module_run_passes. */
typedef struct pass_input_t {
  const char *ir;
  size_t length;
  const char *passes;
  bool verify_each;
} pass_input_t;

/** Runs the pipeline on what it reads in `context`, and appends the result to `out`. May end with a fatal error
 * (module/fatal.h). */
COMPILER_MUST_CHECK compiler_result_t run_passes(const compiler_codegen_t *codegen, LLVMContextRef context,
                                                 const pass_input_t *input, text_t *out, text_t *log);

#endif
