/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random walks on a lattice, until each leaves a disc: how many steps that takes. */
kernel void walks(global const uint *restrict seeds, global uint *restrict steps, uint count, uint limit,
                  uint radius) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  uint state = seeds[i] | 1, step = 0;
  int x = 0, y = 0;
  while (step < limit && x * x + y * y < (int)(radius * radius)) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const int by = (int)(state >> 30 & 1) * 2 - 1;
    if (state >> 31)
      x += by;
    else
      y += by;
    step++;
  }
  steps[i] = step;
}
