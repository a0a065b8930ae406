/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Copies an array. */
kernel void copy(global const float *restrict from, global float *restrict to, uint count) {
  const size_t i = get_global_id(0);
  if (i < count) to[i] = from[i];
}
