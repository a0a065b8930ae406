/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Convolution with a filter of seven by seven in constant memory; the input has a border. */
#define RADIUS 3
#define TAPS (2 * RADIUS + 1)

kernel void convolution(global const float *restrict in, constant float *weights, global float *restrict out,
                        uint width, uint height) {
  const uint column = get_global_id(0), row = get_global_id(1), pitch = width + 2 * RADIUS;
  float sum = 0;
  for (uint y = 0; y < TAPS; y++) {
    for (uint x = 0; x < TAPS; x++) sum += weights[y * TAPS + x] * in[(row + y) * pitch + column + x];
  }
  if (row < height) out[row * width + column] = sum;
}
