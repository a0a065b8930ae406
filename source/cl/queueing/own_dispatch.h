/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands of the driver's own, which no queue of the application takes part in. */
#ifndef CL_QUEUEING_OWN_DISPATCH_H
#define CL_QUEUEING_OWN_DISPATCH_H

#include "mux/mux.h"

/** Runs a finalized command buffer on the device's first queue, and returns when it is done. Not to be called from a
 * completion callback. What muxDispatch and muxWait give; mux_error_fence_failure when a command failed. */
MUX_MUST_CHECK mux_result_t own_dispatch_run(mux_device_t device, mux_command_buffer_t command_buffer);

#endif
