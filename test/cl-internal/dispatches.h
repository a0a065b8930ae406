/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What muxDispatch is given, looked at on its way. For programs linked with --wrap=muxDispatch. */
#ifndef TEST_CL_INTERNAL_DISPATCHES_H
#define TEST_CL_INTERNAL_DISPATCHES_H

#include <stddef.h>

#include "mux/mux.h"

enum { DISPATCH_LIMIT = 128, DISPATCH_WAIT_LIMIT = 8 };

typedef struct dispatch_t {
  mux_command_buffer_t commands;
  mux_semaphore_t waits[DISPATCH_WAIT_LIMIT];
  uint32_t wait_count;
  mux_semaphore_t signal;
  /** Commands in the command buffer. */
  mux_command_id_t length;
} dispatch_t;

/** Those since the last dispatches_forget, oldest first. To be read while nothing is dispatched. */
extern dispatch_t dispatches[DISPATCH_LIMIT];
extern size_t dispatch_count;

void dispatches_forget(void);
/** The last one of a command buffer; null when there is none. Any time. */
const dispatch_t *dispatches_find(mux_command_buffer_t commands);

#endif
