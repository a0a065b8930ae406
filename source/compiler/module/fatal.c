/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Fatal errors of LLVM. */
#include "compiler/module/fatal.h"

#include <setjmp.h>
#include <stdio.h>

#include <llvm-c/ErrorHandling.h>

typedef struct guard_t {
  jmp_buf target;
  char reason[1024];
  struct guard_t *outer;
} guard_t;

/* The innermost fatal_run of this thread. */
static _Thread_local guard_t *innermost;

/* Returning from here ends the process. */
static void leave(const char *reason) {
  guard_t *guard = innermost;
  if (!guard) return;
  snprintf(guard->reason, sizeof guard->reason, "%s", reason);
  longjmp(guard->target, 1);
}

void fatal_install(void) { LLVMInstallFatalErrorHandler(leave); }

bool fatal_run(void (*body)(void *data), void *data, text_t *log) {
  guard_t guard;
  guard.outer = innermost;
  innermost = &guard;
  bool done = setjmp(guard.target) == 0;
  if (done) {
    body(data);
  } else {
    text_appendf(log, "error: the compiler gave up: %s\n", guard.reason);
  }
  innermost = guard.outer;
  return done;
}
