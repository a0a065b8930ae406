/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A stencil of five points on a grid with a border. */
kernel void stencil_2d(global const float *restrict in, global float *restrict out, uint n, float centre, float side) {
  const size_t column = get_global_id(0), row = get_global_id(1), pitch = n + 2;
  const size_t i = (row + 1) * pitch + column + 1;
  out[row * n + column] = centre * in[i] + side * (in[i - 1] + in[i + 1] + in[i - pitch] + in[i + pitch]);
}
