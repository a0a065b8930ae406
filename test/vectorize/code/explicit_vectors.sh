#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Explicit vector types: work-items are vectorized only as far as registers reach.
#   explicit_vectors.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

mix() { # type
  cat <<CL
kernel void mix(global $1 *data, uint n) {
  $1 a = data[get_global_id(0)], b = a + ($1)(3);
  for (uint k = 0; k < n; k++) {
    a = rotate(a, ($1)(7)) + b;
    b = rotate(b, ($1)(11)) ^ a;
  }
  data[get_global_id(0)] = a + b;
}
CL
}

# A uint16 fills a register of AVX-512 by itself. One vector for each component would take 16 registers for each value,
# compute no more per instruction, and be spilled.
mix uint16 | compile whole sapphirerapids
expect_remark whole 1 'not vectorized'
grep -q 'add <16 x i32>' "$folder/whole.ll" || fail 'whole does not keep its uint16 whole'
# Its loop waits for what it computed before: two work-items are interleaved (unroll-and-jam over x).
expect_remark whole 1 'scalar work-items interleaved (interleave count 2)'

# A uint4 fills a quarter of one: four vectors of 16 work-items take four registers.
mix uint4 | compile parts sapphirerapids
expect_remark parts 0 'not vectorized'

# The same for AVX2, whose registers a uint8 fills.
mix uint8 | compile whole_avx2 haswell
expect_remark whole_avx2 1 'not vectorized'
# And for SSE, whose registers a uint4 fills: but four of them in array-of-structures layout fit the registers, and
# share the loop.
mix uint4 | compile whole_sse nehalem
expect_remark whole_sse 0 'not vectorized'
grep -q 'add <16 x i32>' "$folder/whole_sse.ll" || fail 'whole_sse does not have four work-items beside each other'

# Sides of a branch that lanes take differently are run by all lanes, and by half of the work-items one after the other:
# what is in them counts half for the latter.
compile search <<'CL'
kernel void search(global uint16 *data, global uint *found, uint n) {
  const uint16 a = data[get_global_id(0)] * n;
  if (any(a == 0)) {
    found[get_global_id(0)] = a.s0 ^ a.s1 ^ a.s2 ^ a.s7 ^ a.s8 ^ a.s9;
  }
  data[get_global_id(0)] = a + n;
}
CL
expect_remark search 1 'not vectorized'

# Vectors of 16 components that follow each other in memory are loaded as they lie there and transposed, not gathered.
# The sum would be computed faster in four interleaved vectors, which are more than one access covers.
compile sums <<'CL'
kernel void sums(global const float16 *in, int n, int step, global float *out) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += step << 16) {
    const float16 v = in[i];
    sum += v.s0; sum += v.s1; sum += v.s2; sum += v.s3; sum += v.s4; sum += v.s5; sum += v.s6; sum += v.s7;
    sum += v.s8; sum += v.s9; sum += v.sa; sum += v.sb; sum += v.sc; sum += v.sd; sum += v.se; sum += v.sf;
  }
  out[get_global_id(0)] = sum;
}
CL
expect_remark sums 0 'not vectorized'
expect sums 0 'masked.gather'
