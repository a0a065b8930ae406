/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads of the application that wait, and so execute: what they may have that keeps faults from being caught, or
 * ends them half-way, is put aside meanwhile. */
#ifndef HOST_RUNTIME_COMMANDS_CALLER_H
#define HOST_RUNTIME_COMMANDS_CALLER_H

#include "mux/mux.h"

/* Operations of mux_target_t: those of queue.h, for such threads. While they wait, signals of faults are not blocked,
 * there is a stack for signal handlers that is large enough, and nothing cancels them; afterwards all is as
 * it was. */
mux_result_t host_caller_try_wait(mux_queue_t queue, uint64_t timeout, mux_fence_t fence);
mux_result_t host_caller_wait(mux_queue_t queue, mux_fence_t fence);
mux_result_t host_caller_wait_all(mux_queue_t queue);

#endif
