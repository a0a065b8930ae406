/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Fourier transforms of 256 points, each by a work-group in local memory: a butterfly for each work-item and stage. */
#define POINTS 256
#define STAGES 8

kernel void fourier(global const float2 *restrict in, constant float2 *roots, global float2 *restrict out,
                    uint transforms) {
  local float2 values[POINTS];
  const uint lane = get_local_id(0), lanes = POINTS / 2;
  const size_t start = get_group_id(0) * POINTS;
  if (get_group_id(0) >= transforms) return;
  for (uint i = lane; i < POINTS; i += lanes) {
    uint reversed = 0;
    for (uint bit = 0; bit < STAGES; bit++) reversed |= (i >> bit & 1) << (STAGES - 1 - bit);
    values[i] = in[start + reversed];
  }
  for (uint stage = 0; stage < STAGES; stage++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint stride = 1u << stage, place = lane & (stride - 1), low = 2 * lane - place, high = low + stride;
    const float2 root = roots[place << (STAGES - 1 - stage)], a = values[low], b = values[high];
    const float2 turned = (float2)(b.x * root.x - b.y * root.y, b.x * root.y + b.y * root.x);
    values[low] = a + turned;
    values[high] = a - turned;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = lane; i < POINTS; i += lanes) out[start + i] = values[i];
}
