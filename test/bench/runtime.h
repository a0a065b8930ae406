/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The benchmark of the runtime: what is measured, of which drivers, and the table that comes out.
 *
 * Every measurement runs in a process of its own, through the loader and over the plain OpenCL API, so that the same
 * functions measure any driver. The first process makes no OpenCL call: it starts the others, in turn for each driver,
 * and repeats that for several rounds; the table has the medians over the rounds. */
#ifndef BENCH_RUNTIME_H
#define BENCH_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_MAX_VALUES = 3, BENCH_MAX_ROUNDS = 7 };

typedef enum bench_driver_e { DRIVER_OURS, DRIVER_POCL, DRIVERS } bench_driver_e;

typedef enum bench_measurement_e {
  MEASURE_FINISH,
  MEASURE_BATCH,
  MEASURE_EVENTS,
  MEASURE_TRANSFER,
  MEASURE_COMPUTE,
  MEASURE_BALANCE,
  MEASURE_IDLE,
  MEASUREMENTS
} bench_measurement_e;

typedef struct bench_measurement_t {
  const char *name;
  size_t count;    /**< how many values it has */
  bool by_threads; /**< measured with one thread and with two; what counts is how much faster two are */
  /** Runs in a process of its own with the device of test_device.h open. `quick`: only shows that it works. */
  void (*run)(bool quick, double *values);
} bench_measurement_t;

extern const bench_measurement_t bench_measurements[MEASUREMENTS];

/** What was measured; NaN: could not be. */
typedef struct bench_results_t {
  size_t rounds;
  char names[DRIVERS][128]; /**< empty: this driver is not there */
  double values[DRIVERS][MEASUREMENTS][BENCH_MAX_VALUES][BENCH_MAX_ROUNDS];
} bench_results_t;

/** Prints the table, as Markdown, and returns how many bars are missed. */
size_t bench_table_print(const bench_results_t *results);

#endif
