/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The product of two matrices by tiles in local memory. */
#define TILE 16

kernel void product_tiled(global const float *restrict a, global const float *restrict b, global float *restrict c,
                          uint n) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const uint column = get_global_id(0), row = get_global_id(1);
  const uint x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (uint start = 0; start < n; start += TILE) {
    tile_a[y][x] = a[row * n + start + x];
    tile_b[y][x] = b[(start + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
