/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * From the IR of a whole program to an executable. */
#ifndef COMPILER_MODULE_GENERATE_H
#define COMPILER_MODULE_GENERATE_H

#include "compiler/codegen.h"
#include "compiler/module/object.h"

/** A finished program. Zero-initialise. */
typedef struct executable_t {
  /** For muxCreateExecutable. */
  text_t binary;
  /** Program information, encoded; from malloc. */
  void *info;
  size_t info_size;
  /** LLVM ended with a fatal error: the IR and its context must not be touched again (module/fatal.h). */
  bool has_given_up;
} executable_t;

/** Links builtins, runs the passes and generates code; large programs are divided by kernels among threads. `ir` is
 * used up but stays the caller's to dispose of. What is wrong with the program goes to `log`. */
COMPILER_MUST_CHECK compiler_result_t generate_executable(const compiler_codegen_t *codegen, LLVMModuleRef ir,
                                                          const object_flags_t *flags, executable_t *out, text_t *log);

/** Makes `ir` a module for `machine`: triple and data layout. */
void generate_retarget(LLVMModuleRef ir, LLVMTargetMachineRef machine);

void executable_free(executable_t *executable);

#endif
