/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's error messages of one context: to a log. Without a place to go they end the process. */
#ifndef COMPILER_DIAGNOSTICS_H
#define COMPILER_DIAGNOSTICS_H

#include <llvm-c/Types.h>

#include "base/text.h"

typedef struct diagnostics_t {
  text_t *log;
  bool has_errors;
} diagnostics_t;

/** Messages go to `diagnostics`, which must live until diagnostics_end. */
void diagnostics_begin(LLVMContextRef context, diagnostics_t *diagnostics);
void diagnostics_end(LLVMContextRef context);

#endif
