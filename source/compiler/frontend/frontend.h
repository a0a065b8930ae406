/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Clang in process: OpenCL C to spir64 IR. */
#ifndef COMPILER_FRONTEND_H
#define COMPILER_FRONTEND_H

#include <llvm-c/Types.h>

#include "base/text.h"
#include "compiler/compiler.h"
#include "compiler/options/build_options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct frontend_input_t {
  const compiler_target_t *target;
  const char *source;
  size_t length;
  const build_options_t *options;
  /** Found by `#include` before any folder. */
  const compiler_header_t *headers;
  size_t header_count;
} frontend_input_t;

/** What the result depends on besides the input. Zero-initialise; free `files`. */
typedef struct frontend_dependencies_t {
  /** A list (compiler/dependency.h). */
  text_t files;
  /** The source asks for the date or the time. */
  bool uses_time;
} frontend_dependencies_t;

/** Compiles to a module in `context`, unoptimised IR for spir64, owned by the caller; null when the source is broken.
 * Diagnostics, as clang prints them, are appended to `log`. Thread safe across contexts. */
LLVMModuleRef frontend_compile(LLVMContextRef context, const frontend_input_t *input,
                               frontend_dependencies_t *dependencies, text_t *log);

#ifdef __cplusplus
}
#endif

#endif
