/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * /proc/loadavg counts the threads that can run. /proc/stat tells in units of 10 ms how long processors were idle, too
 * coarse for that, and what the hypervisor took: a processor in ten makes 10 units in 100 ms on a large machine. */
#include "host/runtime/machine/load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "host/runtime/machine/text_file.h"

#define NANOSECONDS UINT64_C(1000000000)
#define STEAL_INTERVAL (NANOSECONDS / 10)
#define STEAL_VALIDITY NANOSECONDS

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

/* The first line is that of all processors: user, nice, system, idle, iowait, irq, softirq, steal. */
uint64_t host_steal_parse(const char *text) {
  enum { STEAL = 8 };
  const long rate = sysconf(_SC_CLK_TCK);
  if (rate <= 0 || strncmp(text, "cpu ", 4) != 0) return 0;
  uint64_t value = 0;
  text += 4;
  for (int field = 0; field < STEAL; ++field) {
    char *end;
    value = strtoull(text, &end, 10);
    if (end == text) return 0;
    text = end;
  }
  return value * (NANOSECONDS / (uint64_t)rate);
}

static uint64_t steal_read(void) {
  char text[256];
  return host_text_file_read("/proc/stat", text, sizeof text) ? host_steal_parse(text) : 0;
}

uint32_t host_steal_update(host_steal_t *steal, uint64_t now, uint64_t (*read)(void)) {
  uint64_t begin = atomic_load_explicit(&steal->begin, memory_order_relaxed);
  const uint64_t elapsed = now - begin;
  const bool is_due = now > begin && elapsed >= STEAL_INTERVAL;
  if (!is_due ||
      !atomic_compare_exchange_strong_explicit(&steal->begin, &begin, now, memory_order_relaxed, memory_order_relaxed))
    return atomic_load_explicit(&steal->processors, memory_order_relaxed);
  const uint64_t stolen = read();
  const uint64_t before = atomic_exchange_explicit(&steal->stolen, stolen, memory_order_relaxed);
  const bool is_valid = begin && elapsed <= STEAL_VALIDITY && stolen > before;
  const uint32_t processors = is_valid ? (uint32_t)((stolen - before + elapsed / 2) / elapsed) : 0;
  atomic_store_explicit(&steal->processors, processors, memory_order_relaxed);
  return processors;
}

bool host_load_has_room(host_steal_t *steal, const host_cpus_t *cpus) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (online <= 0 || host_cpus_count(cpus) < (unsigned long)online) return false;
  const uint64_t runnable = runnable_count();
  return runnable && runnable + host_steal_update(steal, clock_now_ns(), steal_read) <= (unsigned long)online;
}
