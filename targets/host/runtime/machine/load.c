/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Whether threads of the system wait for processors: /proc/loadavg counts those that can run, /proc/stat would tell how
 * long processors were idle, but in units of 10 ms. */
#include "host/runtime/machine/load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/runtime/machine/text_file.h"

/* Three averages come first. */
uint32_t host_load_parse(const char *text) {
  for (int field = 0; field < 3; ++field) {
    text = strchr(text, ' ');
    if (!text) return 0;
    ++text;
  }
  char *end;
  const unsigned long runnable = strtoul(text, &end, 10);
  return *end == '/' && runnable <= UINT32_MAX ? (uint32_t)runnable : 0;
}

static uint32_t runnable_count(void) {
  char text[128];
  return host_text_file_read("/proc/loadavg", text, sizeof text) ? host_load_parse(text) : 0;
}

bool host_load_has_room(const host_cpus_t *cpus) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  const uint32_t runnable = runnable_count();
  return runnable && online > 0 && runnable <= (unsigned long)online && host_cpus_count(cpus) >= (unsigned long)online;
}
