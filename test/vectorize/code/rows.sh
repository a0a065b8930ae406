#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Work-groups in rows: what vectors that lie in rows share.
#   rows.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

# Short rows that are whole vectors, of which there are many: nothing in them is asked for again.
compile tiles <<'CL'
kernel void tiles(global const uint *restrict in, global uint *restrict out, uint n) {
  local uint tile[16][16];
  const uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  tile[y][x] = in[row * n + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[row * n + column] = tile[get_local_size(1) - 1 - y][x];
}
CL
expect_remark tiles 2 'mask-free version'
# Whole vectors in a row are what is stored without a mask: their addresses grow by a constant from row to row.
multiplies=$(awk -v RS= '/store <16 x i32>/ && / mul /' "$folder/tiles.ll")
[[ -z $multiplies ]] || fail "tiles computes an address in each row: $multiplies"
# The row that is left over is fetched ahead for the next work-group.
expect tiles 1 prefetch

# The same where rows are merged, and where all rows go the same way at a branch.
compile product <<'CL'
kernel void product(global const uint *restrict a, global const uint *restrict b, global uint *restrict out, uint n) {
  local uint tile[16][16], other[16][16];
  const uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  uint sum = 0;
  for (uint start = 0; start < n; start += 16) {
    tile[y][x] = a[row * n + start + x];
    other[y][x] = b[(start + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; k++) sum += tile[y][k] * other[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * n + column] = sum;
}
CL
expect_remark product 3 'mask-free version'
expect_remark product 1 'vectorization factor 16), unroll-and-jam by 4 over y, mask-free version'
both=$(awk -v RS= '/store <16 x i32>/ && / mul i/' "$folder/product.ll")
[[ -z $both ]] || fail "product computes an address in each row: $both"
# Sums of eight rows side by side, where the machine has the registers, and of four under masks.
sums=$(awk -v RS= '/store <16 x i32>/ { print gsub(/ mul <16 x i32>/, "") }' "$folder/product.ll" | sort -n | tail -1)
[[ $sums == 128 ]] || fail "product has $sums products of whole rows, and should have 8 times 16"
# A sum of indices that is added to one pointer alone is an address itself, which multiplications can load from.
scalars=$(awk -v RS= '/store <16 x i32>/ && / mul <16 x i32>/' "$folder/product.ll" | grep -c ' phi ptr addrspace(3) ')
[[ $scalars == 2 ]] || fail "product has $scalars addresses of tiles that grow, and should have one for four rows"
# A sum is kept in one place around both barriers: where tiles are loaded, nothing else is.
loads=$(awk -v RS= '/call void @llvm.prefetch.*, i32 0, / { print gsub(/ load <16 x i32>/, "") }' "$folder/product.ll" |
  sort -u)
[[ $loads == 2 ]] || fail "product loads $loads vectors where it loads two tiles"

# The tile of b in the next turn lies rows of the matrix away, that of a just beside. There is a first turn apart, and
# rows of zeros where there is none.
expect product 3 prefetch

# What a program assumes of its ids, as SYCL's headers do, does not keep rows apart.
compile assumed <<'CL'
kernel void assumed(global const float *restrict a, global const float *restrict b, global float *restrict out, int n) {
  const ulong row = get_global_id(1), column = get_global_id(0);
  __builtin_assume(row <= 0x7fffffff);
  __builtin_assume(column <= 0x7fffffff);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  out[row * n + column] = sum;
}
CL
expect_remark assumed 1 'unroll-and-jam by 4 over y'

# What rows and columns exchange: work-items along y are lanes, if there are enough of them, and store contiguously.
# Others store by rows: four at once, 16 bytes for each work-item.
compile columns <<'CL'
kernel void columns(global const float *restrict in, global float *restrict out, uint n) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  out[column * n + row] = in[row * n + column];
}
CL
expect_remark columns 2 'vectorization factor 16), unroll-and-jam by 4 over y, mask-free version'
grep -q 'store <16 x float>' "$folder/columns.ll" || fail 'columns does not store along y'
[[ $(grep -c 'store <4 x float>' "$folder/columns.ll") -ge 8 ]] ||
  fail 'columns are stored one element at a time'
# The mask-free version takes every multiple of four.
grep -qE 'and i64 %[0-9]+, 3$' "$folder/columns.ll" && ! grep -qE 'and i64 %[0-9]+, 7$' "$folder/columns.ll" ||
  fail 'columns asks for a multiple of eight'

# A test for the first work-item is not made by all.
compile first <<'CL'
kernel void first(global uint *out, local uint *tile) {
  tile[get_local_id(0)] = out[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = tile[get_local_size(0) - 1];
}
CL
! grep -q 'icmp eq <' "$folder/first.ll" || fail 'first asks all lanes whether they are the first'

# Where the second dimension runs along rows, its work-items become lanes, if there are enough of them.
compile rows_along_y <<'CL'
kernel void rows_along_y(global const float *restrict in, global float *restrict out, uint n) {
  const size_t row = get_global_id(0), column = get_global_id(1);
  out[row * n + column] = in[row * n + column] * 2 + in[row * n + column + 1];
}
CL
grep -q 'masked.store.v16f32' "$folder/rows_along_y.ll" || fail 'rows_along_y does not store rows'
grep -qE 'icmp ugt i64 %[0-9]+, 7(,|$)' "$folder/rows_along_y.ll" || fail 'rows_along_y does not ask for the size in y'

# Work-groups of eight in x: more lanes would have nothing to do.
compile eight <<'CL'
kernel __attribute__((reqd_work_group_size(8, 16, 1))) void eight(global float *data, uint n) {
  local float tile[16][8];
  const uint x = get_local_id(0), y = get_local_id(1), here = get_global_id(1) * n + get_global_id(0);
  tile[y][x] = data[here];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[here] = tile[15 - y][x] * 2;
}
CL
expect_remark eight 2 'vectorization factor 8'
