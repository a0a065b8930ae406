/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The mean of the four neighbours of each element, the edges repeated. */
float4 at(global const float4 *in, int width, int height, int x, int y) {
  return in[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

kernel void array_mean(global const float4 *restrict in, global float4 *restrict out, uint width, uint height) {
  const int column = get_global_id(0), row = get_global_id(1), w = width, h = height;
  const float4 sum = at(in, w, h, column - 1, row) + at(in, w, h, column + 1, row) + at(in, w, h, column, row - 1) +
                     at(in, w, h, column, row + 1);
  if (row < h) out[row * w + column] = 0.25f * sum;
}
