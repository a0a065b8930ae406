/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What was measured, what follows from it, and how it is shown. */
#ifndef BENCH_KERNELS_RESULTS_H
#define BENCH_KERNELS_RESULTS_H

#include "backend.h"

enum { BENCH_MAX_CASES = 64, BENCH_MAX_ROUNDS = 25, BENCH_MAX_PARTICIPANTS = 8 };

/** The participants that the bars speak of; further drivers come after these. */
typedef enum bench_who_e { WHO_QUERN, WHO_QUERN_SCALAR, WHO_C, WHO_C_SCALAR, WHO_POCL, WHO_OTHERS } bench_who_e;

typedef struct bench_result_t {
  const bench_case_t *bench_case;
  bench_status_e status[BENCH_MAX_PARTICIPANTS];
  double compile_seconds[BENCH_MAX_PARTICIPANTS];
  double seconds[BENCH_MAX_PARTICIPANTS][BENCH_MAX_ROUNDS]; /**< NaN: not measured */
} bench_result_t;

typedef struct bench_results_t {
  size_t rounds, case_count, participant_count;
  bool by_lowest; /**< lowest times instead of medians: for a machine that is busy */
  const char *labels[BENCH_MAX_PARTICIPANTS];
  char names[BENCH_MAX_PARTICIPANTS][BENCH_NAME_SIZE]; /**< drivers and their versions; empty: not there */
  bench_result_t cases[BENCH_MAX_CASES];
} bench_results_t;

/** Seconds of a participant: the median of the rounds; NaN where it was not measured. */
double bench_result_seconds(const bench_results_t *results, const bench_result_t *result, size_t who);
/** How fast `who` is, relative to `other`: the median of the rounds' ratios, since what disturbs the machine for a
 * while disturbs both. NaN where one was not measured. */
double bench_result_speed(const bench_results_t *results, const bench_result_t *result, size_t who, size_t other);
/** How much faster C is by its compiler's vectorization: the lowest times compared, since noise must not decide on the
 * bar. NaN where one was not measured. */
double bench_result_c_gain(const bench_results_t *results, const bench_result_t *result);
/** The speed relative to C that the case's class asks for. */
double bench_result_bar(const bench_results_t *results, const bench_result_t *result);

/** Prints the table as Markdown and below it what holds for all kernels together. Returns how many bars are missed. */
size_t bench_table_print(const bench_results_t *results);

/** Writes the speeds relative to C as a drawing (SVG). Returns whether the file could be written. */
bool bench_chart_write(const bench_results_t *results, const char *file);

#endif
