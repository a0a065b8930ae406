/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results of all rounds, and how they are shown. */
#ifndef BENCH_SCALING_TABLE_H
#define BENCH_SCALING_TABLE_H

#include "scaling.h"

enum { SCALING_MAX_PARTICIPANTS = 6, SCALING_MAX_COLUMNS = 10, SCALING_MAX_ROUNDS = 25, SCALING_STEPS_SIZE = 128 };

enum { WHO_QUERN, WHO_OPENMP, WHO_OTHERS };

typedef struct scaling_participant_t {
  char label[32];
  bool takes_part;
  char steps[SCALING_STEPS_SIZE]; /**< as its process has printed them */
} scaling_participant_t;

typedef struct scaling_results_t {
  scaling_participant_t participants[SCALING_MAX_PARTICIPANTS];
  size_t count, columns, rounds;
  unsigned threads[SCALING_MAX_COLUMNS];
  /** Microseconds; NaN for what was not measured. */
  double values[SCALING_MAX_PARTICIPANTS][SCALING_MAX_COLUMNS][VALUES][SCALING_MAX_ROUNDS];
  /** Of two processes at once, the slower one's speed by its speed alone. */
  double pairs[SCALING_MAX_PARTICIPANTS][SCALING_MAX_ROUNDS];
  /** Of one process with all threads, its speed by that of as many processes of one thread together. */
  double singles[SCALING_MAX_PARTICIPANTS][SCALING_MAX_ROUNDS];
} scaling_results_t;

void scaling_results_init(scaling_results_t *results);

/** The rows whose names begin with `prefix`, which is `length` long; none when it is empty. */
scaling_rows_t scaling_rows_find(const char *prefix, size_t length);

/** Markdown on standard output; with the lowest and the highest value of the rounds where `spread` says so. */
void scaling_table_print(const scaling_results_t *results, bool spread);

/** Speeds by the number of threads, as SVG. False when the file cannot be written. */
bool scaling_chart_write(const scaling_results_t *results, const char *path);

#endif
