/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executing the commands of a command buffer. */
#ifndef HOST_RUNTIME_EXECUTE_H
#define HOST_RUNTIME_EXECUTE_H

#include "host/runtime/command_buffer.h"
#include "host/runtime/dispatch.h"
#include "host/runtime/thread.h"

/** Executes all commands in order on the calling thread, with the help of others. The first error ends it:
 * mux_error_out_of_memory when a work-group's memory could not be had, mux_error_failure when one faulted, which is
 * then reported. Sets `base.completed_count`. Scheduler unlocked. */
MUX_MUST_CHECK mux_result_t host_command_buffer_execute(host_command_buffer_t *command_buffer,
                                                        const host_dispatch_t *dispatch, host_thread_t *thread);

#endif
