/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Histograms of blocks of bytes, each in local memory with atomics. */
#define BINS 256

kernel void histogram(global const uchar *restrict in, global uint *restrict bins, uint block,
                      uint blocks) {
  local uint counts[BINS];
  const size_t lane = get_local_id(0), lanes = get_local_size(0), group = get_group_id(0);
  for (size_t i = lane; i < BINS; i += lanes) counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = lane; i < block; i += lanes) atomic_inc(&counts[in[group * block + i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (group >= blocks) return;
  for (size_t i = lane; i < BINS; i += lanes) bins[group * BINS + i] = counts[i];
}
