/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prices an option by simulated paths: random numbers, and a normal distribution from them, at each step. */
kernel void paths(global const uint *restrict seeds, global float *restrict payoffs, uint count, uint steps,
                  float drift, float volatility) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  uint state = seeds[i] | 1;
  float price = 0, sum = 0;
  for (uint step = 0; step < steps; step++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const float u = ((state >> 8) + 0.5f) * 0x1p-24f;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const float v = (state >> 8) * 0x1p-24f;
    price += drift + volatility * sqrt(-2.0f * log(u)) * cos(6.2831853f * v);
    sum += exp(price);
  }
  payoffs[i] = fmax(sum / steps - 1.0f, 0.0f);
}
