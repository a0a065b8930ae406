/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The triad of the STREAM benchmark, in OpenCL vectors of four floats. */
kernel void triad(global const float4 *restrict b, global const float4 *restrict c, global float4 *restrict a,
                  float scale, uint count) {
  const size_t i = get_global_id(0);
  if (i * 4 < count) a[i] = b[i] + scale * c[i];
}
