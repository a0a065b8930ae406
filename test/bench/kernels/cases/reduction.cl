/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sums of blocks of an array, each by a tree in local memory. */
kernel void reduction(global const float *restrict in, global float *restrict sums, local float *partial,
                      uint block, uint blocks) {
  const size_t lane = get_local_id(0), group = get_group_id(0), lanes = get_local_size(0);
  float sum = 0;
  for (size_t i = lane; i < block; i += lanes) sum += in[group * block + i];
  partial[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t half_size = lanes / 2; half_size > 0; half_size /= 2) {
    if (lane < half_size) partial[lane] += partial[lane + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && group < blocks) sums[group] = partial[0];
}
