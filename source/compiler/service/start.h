/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Starting the compiler's process, so that the application notices nothing of it. */
#ifndef COMPILER_SERVICE_START_H
#define COMPILER_SERVICE_START_H

#include <stdbool.h>

#include "base/text.h"

/** Where a started compiler finds its end of the socket. */
enum { service_socket = 3 };

typedef struct service_process_t {
  /** Ours. */
  int socket;
  /** What it prints, a file in memory; -1 when that is the application's stderr. */
  int output;
} service_process_t;

/** Starts `program` with `library` as its argument. It is nobody's child that the application could wait for: no
 * SIGCHLD, no status. It has none of the application's descriptors, signal dispositions and masks, no terminal, and
 * lives until its socket closes. False, and why: no process can be started here. Thread safe; no fork() may run
 * meanwhile, which would keep the compiler's end of the socket open. */
__attribute__((warn_unused_result)) bool service_start(const char *program, const char *library, bool prints_on_stderr,
                                                       service_process_t *out, text_t *reason);

#endif
