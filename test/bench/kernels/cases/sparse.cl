/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A sparse matrix by a vector: compressed rows of very different lengths, one for each work-item. */
kernel void sparse(global const uint *restrict starts, global const uint *restrict columns,
                   global const float *restrict values, global const float *restrict vector,
                   global float *restrict products, uint rows) {
  const size_t row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (uint i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * vector[columns[i]];
  products[row] = sum;
}
