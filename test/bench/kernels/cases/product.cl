/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The product of two matrices, one element for each work-item. */
kernel void product(global const float *restrict a, global const float *restrict b, global float *restrict c, uint n) {
  const uint column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
