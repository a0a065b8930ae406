/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What makes the failing OpenCL library fail, and what it saw. */
#ifndef TEST_INTEROP_FAILING_OPENCL_H
#define TEST_INTEROP_FAILING_OPENCL_H

#include <stdatomic.h>
#include <stdbool.h>

/** While it is set, clEnqueueWriteBuffer fails. */
__attribute__((visibility("default"))) extern atomic_bool failing_writes;

/** Calls of clEnqueueReadBuffer and clEnqueueWriteBuffer, and those of them that were to block. */
__attribute__((visibility("default"))) extern atomic_int transfer_count, blocking_transfer_count;

/** While it is set, a thread that learns of an event's failure sleeps, and is watched: `asked_of_released` counts what
 * it asks of events that nobody holds any more. */
__attribute__((visibility("default"))) extern _Thread_local bool is_slow_and_watched;
__attribute__((visibility("default"))) extern atomic_int asked_of_released;
/** What was released until now may be the address of an event that is made from now on. */
__attribute__((visibility("default"))) void forget_released(void);

#endif
