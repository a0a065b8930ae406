#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What is fetched ahead, and what is stored past the caches.
#   fetches.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

# Rows of the next work-group are fetched ahead, those that are stored to as well: each is in a page of its own. So is
# the row that is left over. Not so what each lane loads by itself, nor lines that rows share.
compile turned_tiles <<'CL'
kernel void turned_tiles(global const uint *restrict in, global uint *restrict out, uint n) {
  local uint tile[16][17];
  const size_t x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 16, row = get_group_id(1) * 16;
  tile[y][x] = in[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * n + row + x] = tile[x][y];
}
CL
expect turned_tiles 6 prefetch
expect turned_tiles 5 'prefetch.p1(ptr addrspace(1) %[0-9]*, i32 1,'
compile turned <<'CL'
kernel void turned(global const uint *restrict in, global uint *restrict out, uint n) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}
CL
expect turned 10 prefetch # of two nests of loops: lanes along y, and along x
compile box <<'CL'
kernel void box(global const float *restrict in, global float *restrict out, uint n) {
  const uint column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint j = 0; j < 3; j++) {
    for (uint i = 0; i < 3; i++) sum += in[(row + j) * n + column + i];
  }
  out[row * n + column] += sum;
}
CL
expect box 2 prefetch
expect box 1 'prefetch.p1(ptr addrspace(1) %[0-9]*, i32 1,'
# What a kernel with barriers loads at its begin and stores at its end is fetched ahead, 64 bytes at a time; not what it
# loads in turns.
compile blocks <<'CL'
kernel void blocks(global const uint2 *restrict in, global uint *restrict out, local uint2 *block, uint n) {
  const size_t i = get_global_id(0), lane = get_local_id(0);
  block[lane] = in[i];
  for (uint turn = 0; turn < n; turn++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    block[lane].x += block[turn].y + in[turn * n + i].x;
  }
  out[i] = block[lane].x;
}
CL
expect blocks 3 prefetch
expect blocks 1 'prefetch.p1(ptr addrspace(1) %[0-9]*, i32 1,'
# What a group strides through is fetched four KiB ahead, or a turn, four lines at a time, and one under a mask.
compile strides <<'CL'
kernel void strides(global const uint *restrict in, global uint *restrict out, local uint *sums, uint n) {
  uint sum = 0;
  for (uint i = get_local_id(0); i < n; i += get_local_size(0)) sum += in[get_group_id(0) * n + i];
  out[get_global_id(0)] = sum;
}
CL
expect strides 6 prefetch
expect strides 1 'prefetch.p1(ptr addrspace(1) %[0-9]*, i32 1,'
expect strides 2 'umax.i64(i64 %[0-9]*, i64 4096)'
# A border is no bound: the number of the first work-item in a row wraps, and all of its group would go one by one.
compile border <<'CL'
kernel void border(global const float *restrict in, global float *restrict out, uint n) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x - 1 < n - 2) out[y * 1024 + x] = in[y * 1024 + x - 1] + in[y * 1024 + x + 1];
}
CL
expect border 0 umin

# What is stored past the caches is made of lines that are fetched ahead, and is so for multiples of the number, too.
compile stream <<'CL'
kernel void stream(global const float *restrict in, global float *restrict out, uint n) {
  const size_t i = get_global_id(0);
  if (i * 4 < n) vstore4(vload4(i, in) * 2, i, out);
}
CL
expect stream 4 prefetch
stores=$(grep -c 'store <64 x float>.*!nontemporal' "$folder/stream.ll" || true)
[[ $stores == 1 ]] || fail "stream has $stores stores past the caches, and should have one"

# What is fetched once for all turns, in a program that has something for debuggers.
cat >"$folder/described.cl" <<'CL'
kernel void described(global const float *in, global float *out, uint n, global const float *scale) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] * scale[3];
}
CL
QUERN_CACHE=0 "$quernc" -g -o "$folder/described.bin" "$folder/described.cl" || fail 'described does not build with -g'

# The order of addresses in the code does not depend on where the compiler's memory lies, which differs from run to run.
for run in 1 2 3; do
  compile "spread$run" <<'CL'
#define SPREAD(name, count)                                                     \
  kernel void name(global float *out, constant float *values, int n) {          \
    const int i = get_global_id(0);                                             \
    if (i >= n) return;                                                         \
    for (int k = 0; k < count; k++) out[i + k * n] = values[k];                 \
  }
SPREAD(a, 5) SPREAD(b, 6) SPREAD(c, 7) SPREAD(d, 8) SPREAD(e, 5) SPREAD(f, 6) SPREAD(g, 7) SPREAD(h, 8)
CL
  grep -q '!nontemporal' "$folder/spread$run.ll" || fail 'spread has no non-temporal stores'
  cmp -s <(sed '/^source_filename/d; /^; ModuleID/d' "$folder/spread1.ll") \
    <(sed '/^source_filename/d; /^; ModuleID/d' "$folder/spread$run.ll") || fail 'spread differs from run to run'
done
