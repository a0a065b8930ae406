/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Whether threads of the system wait for processors. */
#ifndef HOST_RUNTIME_MACHINE_LOAD_H
#define HOST_RUNTIME_MACHINE_LOAD_H

#include <stdbool.h>

#include "host/runtime/machine/cpus.h"

/** True when the system has a processor for each of its threads that can run, those of other processes included
 * (/proc/loadavg, proc(5)), and all its processors are among `cpus`. A thread that does not run then only stands on the
 * wrong processor. False when that cannot be told. Takes some microseconds. Thread safe. */
bool host_load_has_room(const host_cpus_t *cpus);

/** The number of threads that can run, as the text of /proc/loadavg gives it; 0 when it gives none. */
uint32_t host_load_parse(const char *text);

#endif
