/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finding the faster of two versions of a kernel, by autotuning: samples of both, compared by their medians. */
#include "host/runtime/commands/choice.h"

#include "base/log.h"
#include "host/runtime/commands/kernel.h"
#include "host/runtime/commands/launch.h"
#include "host/runtime/faults/guard.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/scheduler.h"

/* About half a microsecond: less is noise. */
#define MIN_TICKS 1500u
/* About ten milliseconds: noise is little beside so much, and a launch may have few such runs. */
#define LONG_TICKS (UINT64_C(1) << 25)
#define LONG_SAMPLES 3u
/* About a millisecond: runs that are disturbed three times by half and more are rare then. So as many samples of each
 * version suffice if all of one, which take so long, are faster than all of the other by that. */
#define CLEAR_TICKS (UINT64_C(1) << 21)
#define CLEAR_PERCENT 50u
/* The work-groups at hand are divided into this many runs at first. */
#define INITIAL_RUNS 32u
/* Kernels that are over so soon that nothing can be timed are not worth more runs. */
#define MAX_RUNS 2048u
/* Percent by which the scalar version must be faster: the compiler's estimate counts for something. */
#define MIN_SPEEDUP_PERCENT 3u

static host_version_e decided(const host_choice_t *choice) {
  return (host_version_e)atomic_load_explicit(&choice->decided, memory_order_relaxed);
}

host_version_e host_choice_next(host_choice_t *choice) {
  host_version_e version = decided(choice);
  if (version != host_version_undecided) return version;
  /* Pairs in changing order: neither always comes first where costs rise. */
  uint32_t run = atomic_fetch_add_explicit(&choice->runs, 1, memory_order_relaxed);
  return (run ^ run >> 1) & 1 ? host_version_scalar : host_version_vector;
}

uint64_t host_choice_length(const host_choice_t *choice, uint64_t groups) {
  if (decided(choice) != host_version_undecided) return groups;
  uint64_t length = (groups / INITIAL_RUNS) << atomic_load_explicit(&choice->growth, memory_order_relaxed);
  return length == 0 ? 1 : length < groups ? length : groups;
}

static bool decide(host_choice_t *choice, host_version_e version) {
  uint32_t expected = host_version_undecided;
  return atomic_compare_exchange_strong_explicit(&choice->decided, &expected, version, memory_order_relaxed,
                                                 memory_order_relaxed);
}

/* Of the samples that are there. */
static uint64_t median_cost(const host_choice_t *choice, host_version_e version) {
  uint64_t costs[HOST_CHOICE_SAMPLES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < HOST_CHOICE_SAMPLES; ++i) {
    uint64_t cost = atomic_load_explicit(&choice->versions[version].costs[i], memory_order_relaxed);
    if (!cost) continue;
    uint32_t place = count++;
    for (; place && costs[place - 1] > cost; --place) costs[place] = costs[place - 1];
    costs[place] = cost;
  }
  return count ? costs[count / 2] : 0;
}

/* Whether a run of `ticks` may end the search. */
static bool is_sampled(const host_choice_t *choice, host_version_e version, uint64_t ticks) {
  uint32_t stored = atomic_load_explicit(&choice->versions[version].stored, memory_order_acquire);
  return stored >= (ticks < LONG_TICKS ? HOST_CHOICE_SAMPLES : LONG_SAMPLES);
}

/* Whether all samples of a version, of which the last one took `ticks`, are clearly faster than all of the other. */
static bool is_clearly_faster(const host_choice_t *choice, host_version_e version, uint64_t ticks) {
  uint64_t highest = 0, lowest = UINT64_MAX;
  for (int of = 0; of < host_version_count; ++of) {
    if (atomic_load_explicit(&choice->versions[of].stored, memory_order_acquire) < LONG_SAMPLES) return false;
    for (uint32_t i = 0; i < HOST_CHOICE_SAMPLES; ++i) {
      const uint64_t cost = atomic_load_explicit(&choice->versions[of].costs[i], memory_order_relaxed);
      if (of == (int)version && cost > highest) highest = cost;
      if (of != (int)version && cost && cost < lowest) lowest = cost;
    }
  }
  return ticks >= CLEAR_TICKS && highest + highest * CLEAR_PERCENT / 100 < lowest;
}

/* Runs of full length that are too short all the same end the search. */
static bool give_up(host_choice_t *choice) {
  if (atomic_load_explicit(&choice->runs, memory_order_relaxed) < MAX_RUNS) return false;
  return decide(choice, host_version_vector);
}

bool host_choice_record(host_choice_t *choice, host_version_e version, uint64_t ticks, uint64_t items) {
  if (decided(choice) != host_version_undecided || !items) return false;
  if (ticks < MIN_TICKS) {
    uint32_t growth = atomic_load_explicit(&choice->growth, memory_order_relaxed);
    if (growth < 16) atomic_store_explicit(&choice->growth, growth + 1, memory_order_relaxed);
    return give_up(choice);
  }
  uint32_t sample = atomic_fetch_add_explicit(&choice->versions[version].begun, 1, memory_order_relaxed);
  if (sample >= HOST_CHOICE_SAMPLES) return give_up(choice);
  uint64_t cost = ticks * HOST_COST_UNIT / items + 1;
  atomic_store_explicit(&choice->versions[version].costs[sample], cost, memory_order_relaxed);
  atomic_fetch_add_explicit(&choice->versions[version].stored, 1, memory_order_release);
  const bool is_enough =
      is_sampled(choice, host_version_vector, ticks) && is_sampled(choice, host_version_scalar, ticks);
  if (!is_enough && !is_clearly_faster(choice, version, ticks)) return false;
  uint64_t vector = median_cost(choice, host_version_vector), scalar = median_cost(choice, host_version_scalar);
  bool scalar_is_faster = scalar + scalar * MIN_SPEEDUP_PERCENT / 100 < vector;
  return decide(choice, scalar_is_faster ? host_version_scalar : host_version_vector);
}

static void report(const host_kernel_info_t *kernel, const host_choice_t *choice) {
  if (!log_enabled(log_compiler)) return;
  double vector = (double)median_cost(choice, host_version_vector) / HOST_COST_UNIT;
  double scalar = (double)median_cost(choice, host_version_scalar) / HOST_COST_UNIT;
  log_write(log_compiler,
            "kernel '%.*s' runs as %s from now on: %.2f ticks a work-item in vectors, %.2f in scalar code",
            (int)kernel->name_length, kernel->name, decided(choice) == host_version_scalar ? "scalar code" : "vectors",
            vector, scalar);
}

/* One run, timed. */
static bool run_timed(const host_launch_t *launch, struct host_thread_t *thread, uint64_t first, uint64_t count) {
  host_version_e version = host_choice_next(launch->choice);
  host_kernel_entry_t entry = version == host_version_scalar ? launch->code->single_entry : launch->code->entry;
  uint64_t start = host_ticks();
  if (!host_guard_run(&launch->run, entry, thread, first, count)) return false;
  uint64_t items = count * host_items_per_group(launch->run.ndrange);
  if (host_choice_record(launch->choice, version, host_ticks() - start, items))
    report(launch->run.kernel, launch->choice);
  return true;
}

/* Whether no vector of these work-groups has work-items for more than a quarter of its lanes. Those that share no local
 * memory are run as if they were a larger one. */
static bool has_few_items(const host_launch_t *launch, uint64_t count) {
  const uint64_t items = host_items_per_group(launch->run.ndrange);
  const uint64_t most = host_kernel_scalar_items(launch->run.kernel, launch->code);
  const uint64_t together = launch->local_size ? 1 : count;
  return together <= most && items <= most && together * items <= most;
}

bool host_launch_run(const host_launch_t *launch, struct host_thread_t *thread, uint64_t first, uint64_t count) {
  if (!launch->choice) return host_guard_run(&launch->run, launch->code->entry, thread, first, count);
  if (has_few_items(launch, count))
    return host_guard_run(&launch->run, launch->code->single_entry, thread, first, count);
  for (uint64_t done = 0; done < count;) {
    const uint64_t wanted = host_choice_length(launch->choice, count), left = count - done;
    const uint64_t length = wanted < left ? wanted : left;
    if (!run_timed(launch, thread, first + done, length)) return false;
    done += length;
  }
  return true;
}
