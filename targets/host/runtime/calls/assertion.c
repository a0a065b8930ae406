/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Assertions that fail in kernels: the way out is that of a fault. */
#include <inttypes.h>
#include <stdio.h>

#include "host/abi.h"
#include "host/runtime/faults/guard.h"

/* Called by the kernel, on its stack: strings that are nowhere are a fault of its own. The text is as DPC++'s library
 * for devices without the function prints it, which is what its tests and people look for. */
void host_assert_fail(const char *expression, const char *file, int32_t line, const char *function, uint64_t global_x,
                      uint64_t global_y, uint64_t global_z, uint64_t local_x, uint64_t local_y, uint64_t local_z) {
  host_guard_t *guard = host_guard_current;
  char text[1024];
  if (!guard) return;
  snprintf(text, sizeof text,
           "%s:%" PRId32 ": %s: global id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "], local id: [%" PRIu64 ",%" PRIu64
           ",%" PRIu64 "] Assertion `%s` failed.",
           file ? file : "<unknown file>", line, function ? function : "<unknown function>", global_x, global_y,
           global_z, local_x, local_y, local_z, expression ? expression : "<unknown expression>");
  host_guard_leave(guard, text);
}
