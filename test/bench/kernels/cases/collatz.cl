/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How many steps of Collatz's rule lead from each number to 1. */
kernel void collatz(global uint *restrict steps, uint first, uint total) {
  const uint i = get_global_id(0);
  if (i >= total) return;
  uint count = 0;
  for (uint number = first + i; number != 1 && count < 1000; count++) {
    number = number % 2 == 0 ? number / 2 : 3 * number + 1;
  }
  steps[i] = count;
}
