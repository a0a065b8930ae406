#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Which elements the work-items of a vector read and store: rows, parts of rows, or any.
#   indices.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

# Behind a barrier an index is what it was before: made again, and not read from where each work-item would have it.
compile index <<'CL'
kernel void index(global const uint *in, global uint *out, local uint *tile, uint n) {
  const uint lane = get_local_id(0), lanes = get_local_size(0);
  size_t start = get_group_id(0) * n;
  for (uint turn = 0; turn < n; turn++) {
    const size_t place = start + lane;
    tile[lane] = in[place];
    start += lanes + in[start];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[place] = tile[lanes - 1 - lane];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
CL
expect index 0 masked.scatter

# A pointer that is moved on, and a count that goes down, are one index.
compile pointer <<'CL'
kernel void pointer(global const float *in, global float *out, uint n) {
  const size_t i = get_global_id(0), width = get_global_size(0);
  global const float *at = in + i;
  float sum = 0;
  for (uint left = n; left > 0; left--, at += width) sum = sum * 0.5f + *at;
  out[i] = sum;
}
CL
"$quernc" --emit=optimized -o "$folder/pointer.scalar.ll" "$folder/pointer.cl"
phis=$(grep -cE ' phi (ptr|i[0-9]+)' "$folder/pointer.scalar.ll" || true)
[[ $phis == 1 ]] || fail "pointer counts in $phis numbers"

# Neighbours in a tree are 1, 2, 4... apart: for the first of these all that lies between them is loaded and stored, at
# once and in whole vectors. The gathers and the scatter are for the others. The other four fill the tile in
# the scalar variant, whose loop is interleaved; of its last loop LLVM makes vectors, with one of each.
compile tree <<'CL'
kernel void tree(global uint *out, local uint *tile) {
  const uint lane = get_local_id(0), lanes = get_local_size(0);
  tile[2 * lane] = tile[2 * lane + 1] = lane;
  uint stride = 1;
  for (uint active = lanes; active > 0; active /= 2, stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < active) tile[stride * (2 * lane + 2) - 1] += tile[stride * (2 * lane + 1) - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) out[get_group_id(0)] = tile[2 * lanes - 1];
}
CL
expect_remark tree 1 '3 loop versions for contiguous accesses'
expect tree 3 masked.gather
expect tree 2 masked.scatter
expect_vectors tree 6 '<32 x i32>'
# Without gathers and scatters the versions are all that vectors pay for.
compile tree_apart haswell <"$folder/tree.cl"
expect_remark tree_apart 1 '3 loop versions for contiguous accesses'
expect_remark tree_apart 1 'not vectorized'
expect tree_apart 0 masked.gather

# Even and odd elements are one access, which no shuffle is needed for where they are only moved. What lies between
# elements of global memory may be another thread's, and is not stored: in the remainder, nor where all lanes are on.
compile even_and_odd <<'CL'
kernel void even_and_odd(global const uint *restrict in, global uint *restrict out) {
  const size_t i = get_global_id(0);
  const uint even = in[2 * i], odd = in[2 * i + 1];
  out[4 * i] = even;
  out[4 * i + 2] = odd;
}
CL
expect even_and_odd 1 masked.load
expect even_and_odd 2 masked.store

# The pitch of a matrix is what it is in all turns: no version for small ones.
compile pitch <<'CL'
kernel void pitch(global const uint *in, global uint *out, uint n) {
  const uint i = get_global_id(0);
  uint sum = 0;
  for (uint k = 0; k < n; k++) sum += in[i * n + k];
  out[i] = sum;
}
CL
expect_remark pitch 0 versions

# Neighbours read what lies side by side in each turn: that is a row.
compile filter <<'CL'
kernel void filter(global const uchar *restrict in, global uint *restrict out, uint n) {
  const size_t i = get_global_id(0);
  uint sum = 0;
  for (size_t k = 0; k < n; k++) sum = sum * 3 + in[i + k];
  out[i] = sum;
}
CL
expect_remark filter 0 joined
expect filter 0 masked.gather

# Elements lie in a row where a test keeps them there, and mostly where rows are rings.
compile grid <<'CL'
kernel void grid(global const float *restrict in, global float *restrict out) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x < 1024 && y < 1024) out[y * 1024 + x] = in[y * 1024 + x] * 2;
}
kernel void inner(global const float *restrict in, global float *restrict out) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < 1023 && y < 1023) out[y * 1024 + x] = in[(y - 1) * 1024 + x] + in[(y + 1) * 1024 + x];
}
CL
expect grid 0 masked.gather
expect grid 0 masked.scatter
compile rings <<'CL'
kernel void rings(global const float *restrict in, global float *restrict out) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[y * 1000 + x] = in[y * 1024 + ((x - 1) & 1023)] + in[y * 1024 + ((x + 1) & 1023)];
}
CL
grep -qE 'load <16 x float>|masked\.load\.v16f32' "$folder/rings.ll" || fail "rings has no rows"
! grep -q 'select i1 .*, i64 16, i64 1$' "$folder/rings.ll" || fail "rings goes one by one"
# Where a row does not hold what it should, work-items go one by one: not because of one that is off.
compile bordered <<'CL'
kernel void bordered(global const float *restrict in, global float *restrict out) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      const int column = x + i, row = y + j;
      if (column >= 0 && row >= 0 && column < 1024 && row < 1024) sum += in[row * 1024 + column];
    }
  }
  out[y * 1000 + x] = sum;
}
CL
! grep -q ' or .*i32 ' "$folder/bordered.ll" || fail "bordered asks for bits of work-items that are off"

# Where lanes are loaded and stored one by one, those that are off do it where it does not matter: they are not jumped
# over.
compile apart haswell <<'CL'
kernel void apart(global const int *restrict in, global const int *restrict at, global float *restrict out) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (int k = at[i]; k > 0; k = in[k]) sum = sqrt(sum * k + sum / k);
  if (sum > 1) out[at[i]] = sum;
}
CL
expect apart 2 masked.gather
expect apart 2 masked.scatter
[[ $(grep -c 'masked.\(gather\|scatter\).*i1> splat (i1 true)' "$folder/apart.ll") == 4 ]] ||
  fail "apart jumps over lanes that are off"

# In a network whose blocks have the length of a vector, or more, elements lie in rows. Where gathers take as long as
# loads one by one, all other turns go without.
for cpu in sapphirerapids skylake-avx512 znver4; do
  compile "network-$cpu" "$cpu" <<'CL'
kernel void network(global float2 *restrict inout, local float2 *block, uint stages) {
  const uint lane = get_local_id(0), lanes = get_local_size(0);
  for (uint stage = 0; stage < stages; stage++) {
    const uint stride = 1u << stage, low = 2 * lane - (lane & (stride - 1)), high = low + stride;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float2 a = block[low], b = block[high];
    block[low] = a + b;
    block[high] = a - b;
  }
  inout[lane] = block[lane];
}
CL
  expect_remark "network-$cpu" 1 '1 loop version for contiguous accesses'
done
expect_remark network-sapphirerapids 0 'not vectorized'
expect_remark network-skylake-avx512 1 'not vectorized'
expect_remark network-znver4 1 'not vectorized'

# Sums of signed indices do not overflow: no access is checked for that, beyond the first work-item's index.
compile sums <<'CL'
kernel void sums(global float *g, float seed) {
  const int stride = get_local_size(0), large = get_num_groups(0) * stride * 8;
  const int first = get_group_id(0) * stride * 8 + get_local_id(0);
  for (int k = 0; k < 4; k++) {
    float sum = 0;
    for (int j = 0; j < 8; j++) sum = sum * seed + g[first + j * stride + k * large];
    if (sum == seed) g[first + k] = sum;
  }
}
CL
extensions=$(grep -cE ' = (trunc|sext|ashr) ' "$folder/sums.ll" || true)
((extensions <= 8)) || fail "sums has $extensions truncations and extensions"

# Where more values are live than there are registers, operations on these cost more. Elements of gathers do not.
cat >"$folder/tables.cl" <<'CL'
kernel void tables(global uint *data, constant uint *table) {
  const size_t i = get_global_id(0);
  uint s[40];
  for (int k = 0; k < 40; k++) s[k] = data[i + k * 4096];
#pragma unroll
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 40; k++)
      s[k] = table[s[k] & 255] ^ table[256 + (s[(k + 1) % 40] >> 8 & 255)] ^ table[512 + (s[(k + 2) % 40] >> 16 & 255)];
  for (int k = 0; k < 40; k++) data[i + k * 4096] = s[k];
}
CL
QUERN_CPU=sapphirerapids QUERN_CACHE=0 "$quernc" --emit=plan -o "$folder/tables.plan" "$folder/tables.cl"
sed -E 's/.*cost scalar=([0-9.]+) vector=([0-9.]+).*/\1 \2/; t; d' "$folder/tables.plan" |
  awk '$2 > 0.95 * $1 { exit 1 }' || fail "tables: $(tail -1 "$folder/tables.plan")"
