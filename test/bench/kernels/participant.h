/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Participants of the benchmark: drivers and C, each at work in a process of its own for each case.
 *
 * The first process makes the data and the reference and then forks; it makes no OpenCL call and has no other thread.
 * So one driver's environment and crashes are no other one's, and none measures with another one's threads around. */
#ifndef BENCH_KERNELS_PARTICIPANT_H
#define BENCH_KERNELS_PARTICIPANT_H

#include <sys/types.h>

#include "backend.h"

typedef struct bench_participant_t {
  char label[48]; /**< in the table */
  const bench_backend_t *backend;
  char vendors[4096];   /**< where the loader finds the driver; empty: in its default place */
  const char *platform; /**< what the driver's name must begin with; null: anything */
  const char *setting;  /**< an option of the driver: VARIABLE=VALUE; null: none */
  size_t builds;        /**< how many to measure */
} bench_participant_t;

typedef struct bench_child_t {
  pid_t process;
  int requests, replies; /**< ends of pipes */
} bench_child_t;

/** Starts a process that opens the case, runs it once and checks the result. What was opened is in `opened`. The child
 * is to be ended when this gives BENCH_OK, and is none otherwise. */
bench_status_e bench_child_start(bench_child_t *child, const bench_participant_t *participant,
                                 const bench_case_t *bench_case, const bench_data_t *data, bench_opened_t *opened);
/** Seconds that the work takes, the median of several times; NaN when the process is gone. */
double bench_child_measure(const bench_child_t *child);
/** Runs and checks once more, for the code may have changed since the start. Returns whether the result is right. */
bool bench_child_end(const bench_child_t *child);

#endif
