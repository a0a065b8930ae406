/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Opening, reading and listing counters. */
#include "host/runtime/machine/counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"

typedef struct host_counter_t {
  uint32_t uuid;
  /** As perf_event_attr has them. */
  uint32_t type;
  uint64_t config;
  mux_query_counter_unit_e unit;
  const char *name, *description;
} host_counter_t;

/* A uuid is a counter's for ever. */
static const host_counter_t counters[] = {
    {1, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, mux_query_counter_unit_cycles, "cycles", "Processor cycles"},
    {2, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, mux_query_counter_unit_generic, "instructions",
     "Instructions retired"},
    {3, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, mux_query_counter_unit_generic, "cache references",
     "Accesses to the last cache"},
    {4, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, mux_query_counter_unit_generic, "cache misses",
     "Accesses that the last cache did not satisfy"},
    {5, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, mux_query_counter_unit_generic, "branches",
     "Branch instructions retired"},
    {6, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, mux_query_counter_unit_generic, "branch misses",
     "Branches that were predicted wrongly"},
    {7, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, mux_query_counter_unit_nanoseconds, "task clock",
     "Processor time of all threads together"},
    {8, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, mux_query_counter_unit_generic, "page faults",
     "Pages that the system had to provide"},
};
enum { counter_count = sizeof counters / sizeof *counters };

static bool is_hardware(const host_counter_t *counter) { return counter->type == PERF_TYPE_HARDWARE; }

/* ---------------------------------------------------------------- files */

/* -1 when the system has no such counter or does not permit it. */
static int counter_open(const host_counter_t *counter) {
  /* What the kernel does is not measured: it takes a privilege. */
  struct perf_event_attr attributes = {.type = counter->type,
                                       .size = sizeof attributes,
                                       .config = counter->config,
                                       .exclude_kernel = 1,
                                       .exclude_hv = 1,
                                       .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING};
  return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Where there are more counters than the processor has at once, each runs for a part of the time. */
static uint64_t counter_read(int file) {
  struct {
    uint64_t value, enabled, running;
  } result;
  if (read(file, &result, sizeof result) != sizeof result || !result.running) return 0;
  if (result.running == result.enabled) return result.value;
  return (uint64_t)((double)result.value * (double)result.enabled / (double)result.running);
}

static int counting_open(const host_counting_t *counting) {
  int file = counter_open(counting->counter);
  if (file < 0) log_write(log_error, "counter %s: %s", counting->counter->name, strerror(errno));
  return file;
}

static void counting_close(host_counting_t *counting, int file) {
  if (file < 0) return;
  atomic_fetch_add_explicit(&counting->value, counter_read(file), memory_order_relaxed);
  close(file);
}

/* ---------------------------------------------------------------- what there is */

static bool is_supported(const host_counter_t *counter) {
  int file = counter_open(counter);
  if (file >= 0) close(file);
  return file >= 0;
}

const host_counter_t *host_counter_find(uint32_t uuid) {
  for (int i = 0; i < counter_count; ++i)
    if (counters[i].uuid == uuid) return is_supported(&counters[i]) ? &counters[i] : NULL;
  return NULL;
}

uint32_t host_counters_survey(bool *out_any) {
  uint32_t hardware = 0;
  bool any = false;
  for (int i = 0; i < counter_count; ++i) {
    /* Without the first there are no others: mostly a virtual machine. */
    if (is_hardware(&counters[i]) && i > 0 && !hardware) continue;
    bool supported = is_supported(&counters[i]);
    any |= supported;
    hardware += supported && is_hardware(&counters[i]);
    if (supported && !is_hardware(&counters[i])) break;
  }
  *out_any = any;
  return hardware;
}

static void counter_describe(const host_counter_t *counter, mux_query_counter_description_t *out_description) {
  *out_description = (mux_query_counter_description_t){0};
  snprintf(out_description->name, sizeof out_description->name, "%s", counter->name);
  snprintf(out_description->category, sizeof out_description->category, "%s",
           is_hardware(counter) ? "processor" : "system");
  snprintf(out_description->description, sizeof out_description->description, "%s", counter->description);
}

mux_result_t host_get_supported_query_counters(mux_device_t device, mux_queue_type_e queue_type, uint32_t count,
                                               mux_query_counter_t *out_counters,
                                               mux_query_counter_description_t *out_descriptions, uint32_t *out_count) {
  (void)device, (void)queue_type;
  uint32_t found = 0;
  for (int i = 0; i < counter_count; ++i) {
    if (!is_supported(&counters[i])) continue;
    if (found < count && out_counters)
      out_counters[found] = (mux_query_counter_t){.unit = counters[i].unit,
                                                  .storage = mux_query_counter_storage_uint64,
                                                  .uuid = counters[i].uuid,
                                                  .hardware_counters = is_hardware(&counters[i])};
    if (found < count && out_descriptions) counter_describe(&counters[i], &out_descriptions[found]);
    ++found;
  }
  if (out_count) *out_count = found;
  return mux_success;
}

/* The system shares the processor's counters out, so that once is enough for any number. */
mux_result_t host_get_query_counter_required_passes(mux_queue_t queue, uint32_t query_count,
                                                    const mux_query_counter_config_t *counter_configs,
                                                    uint32_t *out_pass_count) {
  (void)queue;
  for (uint32_t i = 0; i < query_count; ++i)
    if (!host_counter_find(counter_configs[i].uuid)) return mux_error_invalid_value;
  *out_pass_count = 1;
  return mux_success;
}

/* ---------------------------------------------------------------- counting */

void host_counting_start(host_counting_t **active, host_counting_t *counting) {
  atomic_store_explicit(&counting->value, 0, memory_order_relaxed);
  counting->outer = *active;
  *active = counting;
  counting->file = counting_open(counting);
}

void host_counting_stop(host_counting_t **active, host_counting_t *counting) {
  host_counting_t **at = active;
  while (*at && *at != counting) at = &(*at)->outer;
  if (!*at) return;
  counting_close(counting, counting->file);
  *at = counting->outer;
}

void host_counting_stop_all(host_counting_t **active) {
  while (*active) host_counting_stop(active, *active);
}

int *host_counting_join(host_counting_t *active) {
  size_t count = 0;
  for (host_counting_t *counting = active; counting; counting = counting->outer) ++count;
  int *files = count ? malloc(count * sizeof *files) : NULL;
  if (!files) return NULL;
  count = 0;
  for (host_counting_t *counting = active; counting; counting = counting->outer)
    files[count++] = counting_open(counting);
  return files;
}

void host_counting_leave(host_counting_t *active, int *files) {
  if (!files) return;
  size_t count = 0;
  for (host_counting_t *counting = active; counting; counting = counting->outer)
    counting_close(counting, files[count++]);
  free(files);
}
