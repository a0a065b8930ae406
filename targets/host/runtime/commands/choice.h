/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels in two versions, of which the compiler cannot tell which one is faster (host/abi.h): the first
 * launches run both of them by turns and time them, then the faster one stays for as long as the kernel lives. */
#ifndef HOST_RUNTIME_COMMANDS_CHOICE_H
#define HOST_RUNTIME_COMMANDS_CHOICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct host_launch_t;
struct host_thread_t;

typedef enum host_version_e {
  host_version_vector,
  /** One work-item in each iteration. */
  host_version_scalar,
  host_version_count,
  /** Not known yet. */
  host_version_undecided = host_version_count,
} host_version_e;

/** Part of a kernel, for each of its codes (host_kernel_code_t).
 *
 * Runs are compared in pairs of both versions, by the logarithm of their costs' ratio: work-groups of one kernel may
 * differ in cost by far more than its versions do, so that runs elsewhere cannot be compared. A pair whose work-groups
 * differ, and one that was disturbed, is noise in a mean of such logarithms. The search ends when the mean is
 * significant: Student's t about zero, self-normalized (V. H. de la Pena, T. L. Lai, Q.-M. Shao, "Self-Normalized
 * Processes"), which no single value raises. So versions that differ much are told from each other soon, those that
 * differ little late, when it costs little.
 *
 * Long runs of the version that the compiler expects to be slower are exploration in the sense of multi-armed bandits:
 * a kernel may be launched once, with two work-groups of a second each. They have a share of the time that runs take
 * in all, so that the regret is bounded. */
typedef struct host_choice_t {
  /** host_version_e. Changes once. A hint without order, as all atomics here: relaxed. */
  _Atomic uint32_t decided;
  /** By an earlier process (muxTuneKernel). */
  bool is_remembered;
  /** Pairs, and runs without a partner, begun. */
  _Atomic uint32_t runs;
  /** A run is this part of the work-groups at hand, or larger: grows while runs are too short to be timed. */
  _Atomic uint32_t growth;
  /** The last run without a partner; 0: none. */
  _Atomic uint64_t waiting;
  /** What the compiler expects to be faster. */
  host_version_e expected;
  /** While none is decided: ticks of all runs of that version and of the other one, and work-items of the former. */
  _Atomic uint64_t spent, explored, spent_items;
  /** A thread has a long run of the other version. */
  atomic_flag explores;
  /** Guards what follows. Nobody waits for it: pairs that come meanwhile are not counted. */
  atomic_flag is_locked;
  uint32_t pairs;
  /** Geometric means of the pairs' costs, summed up. */
  double cost;
  /** Logarithms of the costs of a work-item in ticks, summed up. */
  double logs[host_version_count];
  /** Weighted logarithms of the ratios vector to scalar, and their squares, summed up. */
  double sum, squares;
} host_choice_t;

static inline void host_choice_init(host_choice_t *choice, host_version_e expected) {
  *choice = (host_choice_t){.expected = expected, .explores = ATOMIC_FLAG_INIT, .is_locked = ATOMIC_FLAG_INIT};
  atomic_init(&choice->decided, host_version_undecided);
}

/** The version that runs first in the next pair: pseudo-random, so that neither has the costly work-groups where costs
 * are periodic or rise. Thread safe. */
host_version_e host_choice_first(host_choice_t *choice);

/** The version for the next run that has no partner at hand; the other one than that of the last. Thread safe. */
host_version_e host_choice_next(host_choice_t *choice);

/** How many of `groups` work-groups the next run shall have: all, once the version is decided. Thread safe. */
uint64_t host_choice_length(const host_choice_t *choice, uint64_t groups);

typedef enum host_comparison_e {
  /** The expected version is to run: as the first of all, and where the other one might take more than its share. */
  host_comparison_none,
  host_comparison_short,
  /** The run may be long: host_choice_end_long() when it is over. No other thread has one. */
  host_comparison_long,
} host_comparison_e;

/** Whether both versions may be compared now, in runs of `items` work-items, when this thread has `left` work-items to
 * run, these among them, and `threads` run the launch. Thread safe. */
host_comparison_e host_choice_compare(host_choice_t *choice, uint64_t items, uint64_t left, uint32_t threads);

/** After a run that was host_comparison_long. Thread safe. */
void host_choice_end_long(host_choice_t *choice);

/** Tells that a run of `items` work-items took `ticks`, be it compared or not. Thread safe. */
void host_choice_account(host_choice_t *choice, host_version_e version, uint64_t ticks, uint64_t items);

/** Tells what a work-item cost in ticks in a pair of runs; `ticks` is how long the shorter one was, or the one that is
 * known. Ignored once the version is decided, and while another thread tells a pair. True for the one call that
 * decides. Thread safe. */
bool host_choice_record_pair(host_choice_t *choice, const double costs[host_version_count], uint64_t ticks);

/** Tells what a run of `items` work-items took: a pair with the last run of the other version that had none. True for
 * the one call that decides. Thread safe. */
bool host_choice_record(host_choice_t *choice, host_version_e version, uint64_t ticks, uint64_t items);

/** host_guard_run with the kernel's version of choice, in several runs while that is not known. Launches with
 * too few work-items for a quarter of a vector are never run as vectors, and not timed. */
bool host_launch_run(const struct host_launch_t *launch, struct host_thread_t *thread, uint64_t first, uint64_t count);

#endif
