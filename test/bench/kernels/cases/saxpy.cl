/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * y = a x + y, into another array. */
kernel void saxpy(global const float *restrict x, global const float *restrict y, global float *restrict sum, float a,
                  uint count) {
  const size_t i = get_global_id(0);
  if (i < count) sum[i] = a * x[i] + y[i];
}
