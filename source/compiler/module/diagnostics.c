/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Error messages of LLVM. */
#include "compiler/module/diagnostics.h"

#include <llvm-c/Core.h>

static void collect(LLVMDiagnosticInfoRef info, void *user_data) {
  diagnostics_t *diagnostics = user_data;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  char *text = LLVMGetDiagInfoDescription(info);
  text_appendf(diagnostics->log, "error: %s\n", text);
  LLVMDisposeMessage(text);
  diagnostics->has_errors = true;
}

void diagnostics_begin(LLVMContextRef context, diagnostics_t *diagnostics) {
  LLVMContextSetDiagnosticHandler(context, collect, diagnostics);
}

void diagnostics_end(LLVMContextRef context) { LLVMContextSetDiagnosticHandler(context, NULL, NULL); }
