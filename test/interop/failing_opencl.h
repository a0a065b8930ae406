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

#endif
