/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results against references. */
#ifndef ACCURACY_COMPARE_H
#define ACCURACY_COMPARE_H

#include "arguments.h"

/** The worst result so far. */
typedef struct accuracy_worst_t {
  /** Units in the last place; infinite for a wrong special case. */
  double error;
  double x, y;
  int n;
  double actual;
  long double expected;
} accuracy_worst_t;

/** Results of one batch, of code that may take subnormal floats for zero or not. */
typedef struct accuracy_results_t {
  const void *values;
  bool flushed;
  /** Results of code that does not flush, which were compared before, or null: what is the same is known. */
  const void *known;
  /** Memory for a double for each float: the first comparison sets them (estimate_references), the others read them. */
  double *expected;
} accuracy_results_t;

/** Compares the `results` of a batch by `threads` threads; `worst` is brought up to date. */
void compare_batch(const accuracy_sequence_t *sequence, const accuracy_batch_t *batch,
                   const accuracy_results_t *results, unsigned threads, accuracy_worst_t *worst);

#endif
