/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A sparse matrix by a vector: compressed rows of very different lengths. In C one number after the other, which is
 * faster than gathers are. */
#include <stdlib.h>

#include "case.h"

enum { LONGEST = 96 };

BENCH_WORK(sparse) {
  const unsigned *restrict starts = arguments[0], *restrict columns = arguments[1];
  const float *restrict values = arguments[2], *restrict vector = arguments[3];
  float *restrict products = arguments[4];
  const size_t rows = BENCH_UINT(5);
  BENCH_PARALLEL(schedule(dynamic, 256))
  for (size_t row = 0; row < rows; row++) {
    float sum = 0;
    for (unsigned i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * vector[columns[i]];
    products[row] = sum;
  }
}

#ifdef BENCH_DEFINES_CASE
/** Most rows are short: a length is the product of two random numbers. */
static unsigned starts_fill(unsigned *starts, size_t rows) {
  unsigned *random = malloc(2 * rows * sizeof(*random)), sum = 0;
  if (random == NULL) abort();
  bench_fill_uints(random, 2 * rows, LONGEST);
  for (size_t row = 0; row < rows; row++) {
    starts[row] = sum;
    sum += random[2 * row] * random[2 * row + 1] / LONGEST;
  }
  starts[rows] = sum;
  free(random);
  return sum;
}

static void set_up(bench_data_t *data, size_t size) {
  const size_t count = starts_fill(bench_add_input(data, BENCH_U32, size + 1), size);
  bench_fill_uints(bench_add_input(data, BENCH_U32, count), count, (unsigned)size);
  bench_fill_floats(bench_add_input(data, BENCH_F32, count), count, -1, 1);
  bench_fill_floats(bench_add_input(data, BENCH_F32, size), size, 0, 1);
  bench_add_output(data, BENCH_F32, size);
  bench_add_uint(data, size);
  bench_set_range(data, size, 0);
}

BENCH_CASE(sparse, .class = CLASS_SPARSE, .size = 150000, .check_size = 500, .relative = 1e-4, .absolute = 1e-4);
#endif
