/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finding the faster of two versions of a kernel, by autotuning: a sequential test of pairs of runs. */
#include "host/runtime/commands/choice.h"

#include <assert.h>
#include <math.h>

#include "base/log.h"
#include "host/runtime/commands/kernel.h"
#include "host/runtime/commands/launch.h"
#include "host/runtime/faults/guard.h"
#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/scheduler.h"

/* Some 0.2 microseconds: less is what timing takes itself. */
#define MIN_TICKS 500u
/* About a millisecond: noise is little beside so much, and a launch may have few such runs. */
#define LONG_TICKS (UINT64_C(1) << 21)
/* So many pairs of long runs suffice if their ratios deviate from the mean by half of it at most:
 * statistic^2 / pairs = 1 / (1 + 0.5^2). */
#define LONG_PAIRS 4u
#define LONG_AGREEMENT 0.8
/* The statistic at which pairs of short runs end the search: a dozen that agree have it. */
#define SIGNIFICANT 3.0
/* After so many pairs what is likely is taken: the versions differ little, or the work-groups very much. */
#define MAX_PAIRS 512u
#define LIKELY 1.0
/* The work-groups at hand are divided into this many runs at first. */
#define INITIAL_RUNS 32u
/* Kernels that are over so soon that nothing can be timed are not worth more runs. */
#define MAX_RUNS 2048u
/* By how much the version must be faster that is not expected to be: the estimate counts for something. */
#define MIN_SPEEDUP 1.03
/* One part in so many of all time is for long runs of the version that is not expected to be faster. */
#define EXPLORED_PARTS 8u

static host_version_e decided(const host_choice_t *choice) {
  return (host_version_e)atomic_load_explicit(&choice->decided, memory_order_relaxed);
}

static host_version_e other(host_version_e version) {
  return version == host_version_vector ? host_version_scalar : host_version_vector;
}

/* The finalizer of MurmurHash3 on the number of the run. */
host_version_e host_choice_first(host_choice_t *choice) {
  uint32_t hash = atomic_fetch_add_explicit(&choice->runs, 1, memory_order_relaxed) + 1;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return (host_version_e)((hash ^ hash >> 16) & 1);
}

/* A run that waits for one of the other version: its cost times two plus its version. */
static uint64_t waiting_run(host_version_e version, uint64_t cost) { return cost << 1 | (uint64_t)version; }
static host_version_e waiting_version(uint64_t run) { return (host_version_e)(run & 1); }

host_version_e host_choice_next(host_choice_t *choice) {
  const host_version_e version = decided(choice);
  if (version != host_version_undecided) return version;
  const uint64_t run = atomic_load_explicit(&choice->waiting, memory_order_relaxed);
  const host_version_e first = host_choice_first(choice);
  return run ? other(waiting_version(run)) : first;
}

uint64_t host_choice_length(const host_choice_t *choice, uint64_t groups) {
  if (decided(choice) != host_version_undecided) return groups;
  uint64_t length = (groups / INITIAL_RUNS) << atomic_load_explicit(&choice->growth, memory_order_relaxed);
  return length == 0 ? 1 : length < groups ? length : groups;
}

static uint64_t number(const _Atomic uint64_t *from) { return atomic_load_explicit(from, memory_order_relaxed); }

/* Threads run beside each other, but a launch ends with its last run: what all of them have spent counts as the time of
 * one. */
static bool has_share(const host_choice_t *choice, double cost, double ticks, double left, uint32_t threads) {
  const double spent = (double)number(&choice->spent), explored = (double)number(&choice->explored);
  return EXPLORED_PARTS * (explored + ticks) <= (spent + explored) / threads + cost * left;
}

host_comparison_e host_choice_compare(host_choice_t *choice, uint64_t items, uint64_t left, uint32_t threads) {
  assert(threads > 0);
  const double spent = (double)number(&choice->spent), spent_items = (double)number(&choice->spent_items);
  if (spent == 0 || spent_items == 0) return host_comparison_none;
  const double cost = spent / spent_items, ticks = cost * (double)items;
  if (ticks < LONG_TICKS) return host_comparison_short;
  if (atomic_flag_test_and_set_explicit(&choice->explores, memory_order_acquire)) return host_comparison_none;
  if (has_share(choice, cost, ticks, (double)left, threads)) return host_comparison_long;
  host_choice_end_long(choice);
  return host_comparison_none;
}

void host_choice_end_long(host_choice_t *choice) {
  atomic_flag_clear_explicit(&choice->explores, memory_order_release);
}

void host_choice_account(host_choice_t *choice, host_version_e version, uint64_t ticks, uint64_t items) {
  if (decided(choice) != host_version_undecided) return;
  if (version != choice->expected) {
    atomic_fetch_add_explicit(&choice->explored, ticks, memory_order_relaxed);
    return;
  }
  atomic_fetch_add_explicit(&choice->spent_items, items, memory_order_relaxed);
  atomic_fetch_add_explicit(&choice->spent, ticks, memory_order_relaxed);
}

/* The sums are written by one thread at a time. */
static bool sums_try_lock(host_choice_t *choice) {
  return !atomic_flag_test_and_set_explicit(&choice->is_locked, memory_order_acquire);
}
static void sums_unlock(host_choice_t *choice) { atomic_flag_clear_explicit(&choice->is_locked, memory_order_release); }

/* A pair counts as much as its work-groups cost, but not more than the mean does: that bounds what a run that was
 * disturbed does. The weight is the same whichever version had the costly work-groups. */
static void add_pair(host_choice_t *choice, const double costs[host_version_count]) {
  const double vector = log(costs[host_version_vector]), scalar = log(costs[host_version_scalar]);
  const double cost = sqrt(costs[host_version_vector] * costs[host_version_scalar]);
  choice->pairs += 1;
  choice->cost += cost;
  choice->logs[host_version_vector] += vector;
  choice->logs[host_version_scalar] += scalar;
  const double weight = fmin(1, cost * choice->pairs / choice->cost);
  const double handicap = choice->expected == host_version_vector ? log(MIN_SPEEDUP) : -log(MIN_SPEEDUP);
  const double ratio = weight * (vector - scalar - handicap);
  choice->sum += ratio;
  choice->squares += ratio * ratio;
}

/* Whether the sum of the pairs, in units of its standard error, is at least `statistic`. */
static bool is_at_least(const host_choice_t *choice, double statistic) {
  return choice->sum * choice->sum >= statistic * statistic * choice->squares;
}

/* Whether the pairs tell the versions from each other. `ticks`: of a run of the last pair. */
static bool is_significant(const host_choice_t *choice, uint64_t ticks) {
  if (ticks >= LONG_TICKS && choice->pairs >= LONG_PAIRS && is_at_least(choice, sqrt(LONG_AGREEMENT * choice->pairs)))
    return true;
  return is_at_least(choice, SIGNIFICANT);
}

/* Cost of a work-item in ticks, the geometric mean over all pairs. */
static double mean_cost(const host_choice_t *choice, host_version_e version) {
  return choice->pairs ? exp(choice->logs[version] / choice->pairs) : 0;
}

static bool decide(host_choice_t *choice, host_version_e version) {
  uint32_t expected = host_version_undecided;
  return atomic_compare_exchange_strong_explicit(&choice->decided, &expected, version, memory_order_relaxed,
                                                 memory_order_relaxed);
}

/* So many runs did not decide it: most are too short all the same, or who held the lock is not in this process, which
 * was forked meanwhile. */
static bool give_up_late(host_choice_t *choice) {
  return atomic_load_explicit(&choice->runs, memory_order_relaxed) >= MAX_RUNS && decide(choice, choice->expected);
}

static bool record_short(host_choice_t *choice) {
  const uint32_t growth = atomic_load_explicit(&choice->growth, memory_order_relaxed);
  if (growth < 16) atomic_store_explicit(&choice->growth, growth + 1, memory_order_relaxed);
  return give_up_late(choice);
}

bool host_choice_record_pair(host_choice_t *choice, const double costs[host_version_count], uint64_t ticks) {
  assert(costs[host_version_vector] > 0 && costs[host_version_scalar] > 0);
  if (ticks < MIN_TICKS) return record_short(choice);
  if (!sums_try_lock(choice)) return give_up_late(choice);
  bool decides = false;
  if (decided(choice) == host_version_undecided) {
    add_pair(choice, costs);
    const host_version_e faster = choice->sum > 0 ? host_version_scalar : host_version_vector;
    decides = (is_significant(choice, ticks) || choice->pairs >= MAX_PAIRS) &&
              decide(choice, is_at_least(choice, LIKELY) ? faster : choice->expected);
  }
  sums_unlock(choice);
  return decides;
}

bool host_choice_record(host_choice_t *choice, host_version_e version, uint64_t ticks, uint64_t items) {
  if (decided(choice) != host_version_undecided || !items) return false;
  if (ticks < MIN_TICKS) return record_short(choice);
  const uint64_t cost = ticks * HOST_COST_UNIT / items + 1;
  const uint64_t partner = atomic_exchange_explicit(&choice->waiting, 0, memory_order_relaxed);
  if (!partner || waiting_version(partner) == version) {
    atomic_store_explicit(&choice->waiting, waiting_run(version, cost), memory_order_relaxed);
    return false;
  }
  double costs[host_version_count];
  costs[version] = (double)cost / HOST_COST_UNIT;
  costs[other(version)] = (double)(partner >> 1) / HOST_COST_UNIT;
  return host_choice_record_pair(choice, costs, ticks);
}

static void report(const host_kernel_info_t *kernel, const host_choice_t *choice) {
  if (!log_enabled(log_compiler)) return;
  log_write(log_compiler,
            "kernel '%.*s' runs as %s from now on: %.2f ticks a work-item in vectors, %.2f in scalar code, %u pairs",
            (int)kernel->name_length, kernel->name, decided(choice) == host_version_scalar ? "scalar code" : "vectors",
            mean_cost(choice, host_version_vector), mean_cost(choice, host_version_scalar), choice->pairs);
}

/* What was decided just now. */
static void tell(const host_launch_t *launch) {
  report(launch->run.kernel, launch->choice);
  host_kernel_tell_choices(launch->kernel);
}

/* Work-groups that the calling thread is to run. */
typedef struct part_t {
  const host_launch_t *launch;
  struct host_thread_t *thread;
  uint64_t first, count;
} part_t;

/* At most: others may be busy elsewhere. */
static uint32_t launch_threads(const struct host_thread_t *thread) {
  return thread->scheduler ? thread->scheduler->thread_limit : 1;
}

static uint64_t items_of(const host_launch_t *launch, uint64_t groups) {
  return groups * host_items_per_group(launch->run.ndrange);
}

/* The first `count` of them, which then are no longer in it. `out_ticks`: what they took. */
static bool run_version(part_t *part, host_version_e version, uint64_t count, uint64_t *out_ticks) {
  const host_launch_t *launch = part->launch;
  host_kernel_entry_t entry = version == host_version_scalar ? launch->code->single_entry : launch->code->entry;
  const uint64_t start = host_ticks();
  if (!host_guard_run(&launch->run, entry, part->thread, part->first, count)) return false;
  *out_ticks = host_ticks() - start;
  host_choice_account(launch->choice, version, *out_ticks, items_of(launch, count));
  part->first += count;
  part->count -= count;
  return true;
}

/* Without a partner at hand. The first run of all is not compared: code and data are not in the caches yet. */
static bool run_single(part_t *part, host_version_e version, uint64_t length) {
  const host_launch_t *launch = part->launch;
  const bool is_first = !number(&launch->choice->spent);
  uint64_t ticks;
  if (!run_version(part, version, length, &ticks)) return false;
  if (!is_first && host_choice_record(launch->choice, version, ticks, items_of(launch, length))) tell(launch);
  return true;
}

/* Neighbours, whose costs are likely to be alike. */
static bool run_pair(part_t *part, uint64_t length) {
  const host_launch_t *launch = part->launch;
  const double items = (double)items_of(launch, length);
  const host_version_e first = host_choice_first(launch->choice);
  uint64_t ticks[host_version_count];
  if (!run_version(part, first, length, &ticks[first])) return false;
  if (!run_version(part, other(first), length, &ticks[other(first)])) return false;
  const uint64_t least = ticks[0] < ticks[1] ? ticks[0] : ticks[1];
  const double costs[] = {(double)(ticks[0] + 1) / items, (double)(ticks[1] + 1) / items};
  if (host_choice_record_pair(launch->choice, costs, least)) tell(launch);
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

static bool compare(part_t *part, uint64_t length) {
  if (length <= part->count / 2) return run_pair(part, length);
  return run_single(part, host_choice_next(part->launch->choice), length);
}

/* The next `length` work-groups of the part, or twice as many. */
static bool run_some(part_t *part, uint64_t length) {
  const host_launch_t *launch = part->launch;
  host_choice_t *choice = launch->choice;
  if (decided(choice) != host_version_undecided) return run_single(part, decided(choice), length);
  const host_comparison_e comparison = host_choice_compare(choice, items_of(launch, length),
                                                           items_of(launch, part->count), launch_threads(part->thread));
  if (comparison == host_comparison_none) return run_single(part, choice->expected, length);
  const bool is_done = compare(part, length);
  if (comparison == host_comparison_long) host_choice_end_long(choice);
  return is_done;
}

bool host_launch_run(const host_launch_t *launch, struct host_thread_t *thread, uint64_t first, uint64_t count) {
  if (!launch->choice) return host_guard_run(&launch->run, launch->code->entry, thread, first, count);
  if (has_few_items(launch, count))
    return host_guard_run(&launch->run, launch->code->single_entry, thread, first, count);
  part_t part = {launch, thread, first, count};
  while (part.count) {
    const uint64_t wanted = host_choice_length(launch->choice, count);
    const uint64_t length = wanted < part.count ? wanted : part.count;
    if (!run_some(&part, length)) return false;
  }
  return true;
}
