/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Counters of the processor and of the system, through perf_event_open: what the threads of the device do in user
 * mode between the beginning and the end of a query.
 *
 * A counter counts for one thread. The one that executes the command buffer opens it at the beginning of the query; who
 * helps with a kernel in between opens its own for as long as it helps. Threads have nothing open otherwise. */
#ifndef HOST_RUNTIME_MACHINE_COUNTER_H
#define HOST_RUNTIME_MACHINE_COUNTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "mux/mux.h"

struct host_counter_t;

/** A slot of a query pool for counters. */
typedef struct host_counting_t {
  const struct host_counter_t *counter;
  /** What all threads have counted since the query began. */
  _Atomic uint64_t value;
  /** While it counts: that of the executing thread, or -1; and the slot that began before it. */
  int file;
  struct host_counting_t *outer;
} host_counting_t;

/** The counter with this uuid; null when there is none, or the system does not permit it. */
const struct host_counter_t *host_counter_find(uint32_t uuid);

/** How many hardware counters there are, and whether there is any counter at all. A few system calls. */
uint32_t host_counters_survey(bool *out_any);

/* On the thread that executes the command buffer; `active` is its list of slots that count. */

void host_counting_start(host_counting_t **active, host_counting_t *counting);
/** Nothing when it does not count. */
void host_counting_stop(host_counting_t **active, host_counting_t *counting);
void host_counting_stop_all(host_counting_t **active);

/** A thread that helps begins to count for all active slots; what it returns is for host_counting_leave, which adds
 * what was counted. Null when nothing is active or there is no memory: then the share is missing from the results. */
int *host_counting_join(host_counting_t *active);
void host_counting_leave(host_counting_t *active, int *files);

/* Operations of mux_target_t. */
mux_result_t host_get_supported_query_counters(mux_device_t device, mux_queue_type_e queue_type, uint32_t count,
                                               mux_query_counter_t *out_counters,
                                               mux_query_counter_description_t *out_descriptions, uint32_t *out_count);
mux_result_t host_get_query_counter_required_passes(mux_queue_t queue, uint32_t query_count,
                                                    const mux_query_counter_config_t *counter_configs,
                                                    uint32_t *out_pass_count);

#endif
