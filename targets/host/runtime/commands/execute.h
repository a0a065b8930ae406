/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executing the commands of a command buffer. */
#ifndef HOST_RUNTIME_COMMANDS_EXECUTE_H
#define HOST_RUNTIME_COMMANDS_EXECUTE_H

#include "host/runtime/scheduling/dispatch.h"

/** Executes all commands in order on the calling thread, with the help of others. The first error ends it:
 * mux_error_out_of_memory when a work-group's memory could not be had, mux_error_failure when one faulted, which is
 * then reported. Sets `completed_count`. Scheduler unlocked. */
extern const host_executor_t host_executor;

#endif
