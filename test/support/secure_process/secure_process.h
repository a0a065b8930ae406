/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Processes with more rights than the user who started them (AT_SECURE). */
#ifndef SECURE_PROCESS_H
#define SECURE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum secure_way_e {
  /** As any other process. */
  secure_way_none,
  /** The kernel's word for it is changed before the process has executed anything, as by a debugger. */
  secure_way_vector,
  /** From a copy of the program that is set-user-ID (as root) or set-group-ID. */
  secure_way_file,
} secure_way_e;

/** Runs this same program with the single argument `role` in a new process of the kind that `way` tells; what it prints
 * on stdout and stderr goes to `output`, NUL-terminated and cut to `size`. Returns its exit status, or -1 when it did
 * not exit by itself. Skips the running test, and says why, where such a process cannot be had. */
int secure_process_run(secure_way_e way, const char *role, char *output, size_t size);

#endif
