/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Transposition of a matrix by tiles in local memory. */
#define TILE 16

kernel void transposition_tiled(global const float *restrict in, global float *restrict out, uint n) {
  local float tile[TILE][TILE + 1];
  const size_t x = get_local_id(0), y = get_local_id(1);
  const size_t column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  tile[y][x] = in[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * n + row + x] = tile[x][y];
}
