/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Running sums within blocks of an array, each by a tree in local memory (up and down). */
kernel void scan(global const uint *restrict in, global uint *restrict sums, local uint *tree, uint blocks) {
  const uint lane = get_local_id(0), lanes = get_local_size(0), count = 2 * lanes;
  const size_t start = get_group_id(0) * count;
  if (get_group_id(0) >= blocks) return;
  uint stride = 1;
  tree[2 * lane] = in[start + 2 * lane];
  tree[2 * lane + 1] = in[start + 2 * lane + 1];
  for (uint active = lanes; active > 0; active /= 2, stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < active) tree[stride * (2 * lane + 2) - 1] += tree[stride * (2 * lane + 1) - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) tree[count - 1] = 0;
  for (uint active = 1; active <= lanes; active *= 2) {
    stride /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < active) {
      const uint low = stride * (2 * lane + 1) - 1, high = stride * (2 * lane + 2) - 1;
      const uint sum = tree[low];
      tree[low] = tree[high];
      tree[high] += sum;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[start + 2 * lane] = tree[2 * lane];
  sums[start + 2 * lane + 1] = tree[2 * lane + 1];
}
