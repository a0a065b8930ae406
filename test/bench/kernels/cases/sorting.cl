/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sorts blocks of an array, each by a bitonic network in local memory. */
kernel void sorting(global const uint *restrict in, global uint *restrict out, local uint *block, uint blocks) {
  const uint lane = get_local_id(0), lanes = get_local_size(0), count = 2 * lanes;
  const size_t start = get_group_id(0) * count;
  if (get_group_id(0) >= blocks) return;
  block[lane] = in[start + lane];
  block[lane + lanes] = in[start + lane + lanes];
  for (uint size = 2; size <= count; size *= 2) {
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2 * lane - (lane & (stride - 1)), high = low + stride;
      const uint a = block[low], b = block[high];
      const bool ascending = (low & size) == 0;
      block[low] = ascending ? min(a, b) : max(a, b);
      block[high] = ascending ? max(a, b) : min(a, b);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[start + lane] = block[lane];
  out[start + lane + lanes] = block[lane + lanes];
}
