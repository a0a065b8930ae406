/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Copies and fills that are large enough for several threads. */
#ifndef HOST_RUNTIME_COMMANDS_TRANSFER_H
#define HOST_RUNTIME_COMMANDS_TRANSFER_H

#include <stdint.h>

#include "host/runtime/commands/command.h"
#include "host/runtime/faults/thread.h"
#include "mux/mux.h"

struct host_scheduler_t;

/** Executes a copy or fill; large ones with the help of the team of `thread`, the calling one, which is prepared for
 * faults. Results of `streaming_mib` MiB and more are written past the caches. mux_error_failure when memory could not
 * be touched, and `thread->guard.fault` tells more. */
MUX_MUST_CHECK mux_result_t host_transfer_execute(const host_command_t *command, struct host_scheduler_t *scheduler,
                                                  uint32_t streaming_mib, host_thread_t *thread);

#endif
