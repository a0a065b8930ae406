/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How many steps of Collatz's rule lead from each number to 1: a divergent loop of integers. */
#include "case.h"

BENCH_WORK(collatz) {
  unsigned *restrict steps = arguments[0];
  const unsigned first = (unsigned)BENCH_UINT(1), total = (unsigned)BENCH_UINT(2);
  BENCH_PARALLEL(schedule(dynamic, 1024))
  for (unsigned i = 0; i < total; i++) {
    unsigned count = 0;
    for (unsigned number = first + i; number != 1 && count < 1000; count++) {
      number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    }
    steps[i] = count;
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  bench_add_output(data, BENCH_U32, size);
  bench_add_uint(data, 1);
  bench_add_uint(data, size);
  bench_set_range(data, size, 0);
}

BENCH_CASE(collatz, .class = CLASS_DIVERGENT, .size = 100000, .check_size = 5000);
#endif
