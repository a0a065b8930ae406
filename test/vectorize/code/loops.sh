#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Loops: what their turns share, and how many are taken at once.
#   loops.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

# Work-items that are not in the loop, or left it, keep what they had: nothing puts it back behind the loop.
compile kept <<'CL'
kernel void kept(global const uint *in, global uint *out) {
  const size_t i = get_global_id(0);
  uint sum = 7, left = in[i];
  if (left > 3) {
    while (left % 5 != 0) left = left * 3 + ++sum;
  }
  out[i] = sum;
}
CL
blends=$(grep -c 'select .*> splat (i32 7)' "$folder/kept.ll" || true)
[[ $blends == 0 ]] || fail "kept puts $blends values back"

# A turn waits for what the one before computed, and the processor for both: two vectors of work-items take turns. Not
# so where there is enough to do.
compile escape <<'CL'
kernel void escape(global int *restrict steps, float cy, int limit) {
  const uint i = get_global_id(0);
  float x = 0, y = 0;
  int step = 0;
  while (step < limit && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + 0.01f * i;
    y = 2.0f * x * y + cy;
    x = next;
    step++;
  }
  steps[i] = step;
}
CL
expect_remark escape 1 'interleave count 2'
compile busy <<'CL'
kernel void busy(global int *restrict out, uint limit) {
  const uint i = get_global_id(0);
  uint state = i | 1;
  int x = 0, y = 0;
  while (x * x + y * y < (int)limit) {
    state ^= state << 13;
    state ^= state >> 17;
    x += state & 3;
    y += (state >> 5 & 3) - (state >> 9 & 1);
    if (state >> 31) x ^= y;
  }
  out[i] = x;
}
CL
expect_remark busy 0 'interleave count'

# Divisions and roots wait for each other where there is no loop: two vectors a turn wait less.
compile divisions <<'CL'
kernel void divisions(global const float *restrict in, global float *restrict out, uint n) {
  const uint i = get_global_id(0);
  if (i < n) out[i] = 3 / (1 + sqrt(in[i]) / (2 + in[i]));
}
CL
expect_remark divisions 1 'interleave count 2'

# Work-items that have nothing to do get no turn where they go one by one, too.
compile shrinking znver4 <<'CL'
kernel void shrinking(local double *values, global const uint *restrict next, uint lanes) {
  const uint lane = get_local_id(0);
  for (uint active = lanes; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < active) values[next[next[lane]]] += values[next[lane]];
  }
}
CL
expect_remark shrinking 1 'not vectorized'
grep -q '@llvm.umin' "$folder/shrinking.ll" || fail 'shrinking has turns for all work-items'

# A group whose work-items stride through memory does so together: sums are kept from turn to turn. Sub-groups, and
# loops that not all come to, are left alone.
compile strided <<'CL'
kernel void strided(global const float *in, global float *out, uint count) {
  float sum = 0;
  for (uint i = get_local_id(0); i < count; i += get_local_size(0)) sum += in[i];
  out[get_global_id(0)] = sum;
}
CL
expect_remark strided 4 'vectorization factor 16'
compile parted <<'CL'
kernel void parted(global const float *in, global float *out, uint count) {
  float sum = 0;
  if (get_local_id(0) % 3 == 0) return;
  for (uint i = get_local_id(0); i < count; i += get_local_size(0)) sum += in[i];
  out[get_global_id(0)] = sum;
}
CL
expect_remark parted 1 'vectorization factor 16'

# So is a loop behind which much is used that was there before: it would be stored and loaded again.
compile living <<'CL'
kernel void living(global const float *in, global float *out, uint count) {
  const float16 a = vload16(0, in + get_global_id(0)), b = a * in[get_global_id(0) + 16];
  float sum = 0;
  for (uint i = get_local_id(0); i < count; i += get_local_size(0)) sum += in[i];
  out[get_global_id(0)] = sum + dot(a.s0123, b.s4567) + dot(a.s89ab, b.scdef) + dot(a.s4567, b.s0123);
}
CL
expect_remark living 1 'vectorization factor 16'

# So is what is ordered in a turn, and what would be cut in each turn of another loop.
alone() { # name, what the loop stands in, what it does
  compile "$1" <<CL
kernel void $1(global const volatile uint *shown, global const uint *in, global uint *out, ulong n) {
  uint sum = 0;
  $2 for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) { $3 }
  out[get_global_id(0)] = sum;
}
CL
  expect_remark "$1" 1 'vectorization factor 16'
}
alone ordered '' 'sum += shown[i];'
alone fenced '' 'sum += in[i]; mem_fence(CLK_GLOBAL_MEM_FENCE);'
alone nested 'for (uint row = 0; row < in[5]; row++)' 'sum = sum * row + in[i];'
alone divergent 'if (in[get_global_id(0)] & 1)' 'sum += in[i];'
alone few '' 'sum += in[i]; i += 100 - get_local_size(0);'
