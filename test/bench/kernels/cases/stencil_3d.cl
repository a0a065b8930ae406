/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A stencil of seven points in a box with a border. */
kernel void stencil_3d(global const float *restrict in, global float *restrict out, uint n, float centre, float side) {
  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t row = n + 2, plane = row * row;
  const size_t i = (z + 1) * plane + (y + 1) * row + x + 1;
  const float sides = in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] + in[i + plane];
  out[(z * n + y) * n + x] = centre * in[i] + side * sides;
}
