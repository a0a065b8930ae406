/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which arguments a function is tested with. */
#ifndef ACCURACY_ARGUMENTS_H
#define ACCURACY_ARGUMENTS_H

#include <stdint.h>

#include "functions.h"

/** A run of arguments: `x` and `y` hold `count` numbers of the format, `n` as many ints. */
typedef struct accuracy_batch_t {
  size_t count;
  void *x, *y;
  int *n;
} accuracy_batch_t;

/** The arguments of one function: numbers 0 to `total`, of which any can be made. */
typedef struct accuracy_sequence_t {
  const accuracy_function_t *function;
  accuracy_format_e format;
  /** Every float or half, for functions of one argument; else a sample. */
  bool exhaustive;
  uint64_t total;
} accuracy_sequence_t;

/** A sample of about `size` arguments after all special ones; or, if `exhaustive`, all floats or
 * halves. That is for functions of one of those without a range of their own: others get the sample. */
accuracy_sequence_t arguments_sequence(const accuracy_function_t *function, accuracy_format_e format, bool exhaustive,
                                       uint64_t size);

/** Sets `batch` (memory of the caller's, for `capacity` arguments) to those from number `first` on. */
void arguments_fill(const accuracy_sequence_t *sequence, uint64_t first, size_t capacity, accuracy_batch_t *batch);

#endif
