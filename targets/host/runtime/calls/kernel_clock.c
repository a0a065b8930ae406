/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The clock that kernels read (cl_khr_kernel_clock). */
#include "base/clock.h"
#include "host/abi.h"

/* Nanoseconds: all processors agree on them, which their own counters need not. */
uint64_t host_clock(void) { return clock_now_ns(); }
