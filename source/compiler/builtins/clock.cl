/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_kernel_clock: one clock, of which the runtime gives the time, for every scope. */

#include "builtins.clh"

ulong __quern_clock(void);

HELPER uint2 halves(ulong time) { return (uint2)((uint)time, (uint)(time >> 32)); }

OVER ulong clock_read_device(void) { return __quern_clock(); }
OVER ulong clock_read_work_group(void) { return __quern_clock(); }
OVER uint2 clock_read_hilo_device(void) { return halves(__quern_clock()); }
OVER uint2 clock_read_hilo_work_group(void) { return halves(__quern_clock()); }
