/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Transposition of a matrix, element by element. */
kernel void transposition(global const float *restrict in, global float *restrict out, uint n) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  out[column * n + row] = in[row * n + column];
}
