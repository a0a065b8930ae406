/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What follows from the measured times. */
#include "results.h"

#include <math.h>

#include "test_process.h"

/* Vectors that gain less than this are none: the noise is smaller. */
static const double gain_of_vectors = 1.15;

/** NaN when one of the values is. */
static double median(double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (isnan(values[i])) return NAN;
  }
  return count > 0 ? test_median(values, count) : NAN;
}

static double lowest(const double *values, size_t count) {
  double low = NAN;
  for (size_t i = 0; i < count; i++) low = fmin(low, values[i]);
  return low;
}

double bench_result_seconds(const bench_results_t *results, const bench_result_t *result, size_t who) {
  double seconds[BENCH_MAX_ROUNDS];
  if (results->by_lowest) return lowest(result->seconds[who], results->rounds);
  for (size_t round = 0; round < results->rounds; round++) seconds[round] = result->seconds[who][round];
  return median(seconds, results->rounds);
}

double bench_result_speed(const bench_results_t *results, const bench_result_t *result, size_t who, size_t other) {
  double ratios[BENCH_MAX_ROUNDS];
  if (results->by_lowest) {
    return bench_result_seconds(results, result, other) / bench_result_seconds(results, result, who);
  }
  for (size_t round = 0; round < results->rounds; round++) {
    ratios[round] = result->seconds[other][round] / result->seconds[who][round];
  }
  return median(ratios, results->rounds);
}

double bench_result_c_gain(const bench_results_t *results, const bench_result_t *result) {
  const size_t rounds = results->rounds;
  return lowest(result->seconds[WHO_C_SCALAR], rounds) / lowest(result->seconds[WHO_C], rounds);
}

double bench_result_bar(const bench_results_t *results, const bench_result_t *result) {
  const bench_class_t *class = &bench_classes[result->bench_case->class];
  return bench_result_c_gain(results, result) < gain_of_vectors ? class->scalar_bar : class->bar;
}
