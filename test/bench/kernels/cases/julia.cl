/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A Julia set coloured by how far a point gets: two exits from the loop, and a logarithm after one of them. */
kernel void julia(global float *restrict shades, uint width, uint height, uint limit, float cx, float cy) {
  const uint column = get_global_id(0), row = get_global_id(1);
  float x = -1.6f + 3.2f * column / width, y = -1.2f + 2.4f * row / height;
  float shade = 0;
  for (uint step = 0; step < limit; step++) {
    const float xx = x * x, yy = y * y, size = xx + yy;
    if (size > 16.0f) {
      shade = step + 1.0f - log2(0.5f * log2(size));
      break;
    }
    if (size < 1e-6f) {
      shade = -1.0f;
      break;
    }
    y = 2.0f * x * y + cy;
    x = xx - yy + cx;
  }
  shades[row * width + column] = shade;
}
