/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Requests of the process that builds. */
#ifndef COMPILER_SERVICE_PROGRAM_SERVE_H
#define COMPILER_SERVICE_PROGRAM_SERVE_H

#include "compiler/interface.h"

/** What the compiler asks, answered by the other end of the socket. */
extern const compiler_host_t serve_host;

/** Opens what serve_run reads: before the sandbox, which allows no file. */
void serve_prepare(void);

/** Answers requests until the other end closes, or until it has been silent for long, or the process has become large.
 * By one thread, which is the one that compiles. */
void serve_run(const compiler_interface_t *compiler, int socket);

#endif
