/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Runs an evaluated program on the device under test, and compares. */
#ifndef KERNELS_GRAMMAR_DEVICE_H
#define KERNELS_GRAMMAR_DEVICE_H

#include "program.h"

/** Where a run is; a process that dies leaves its last word here. */
typedef enum stage_t { STAGE_GENERATE, STAGE_BUILD, STAGE_RUN, STAGE_DONE } stage_t;

/** True when every buffer and image has its expected contents; the first differences are printed. Ends the process
 * where the program cannot be built or run. `options` are added to the build's, and `stage` is kept up to date. */
bool device_agrees(const program_t *program, const char *source, const char *options, volatile int *stage);

#endif
