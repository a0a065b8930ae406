#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What is slow under masks: elements narrower than 32 bits, of which AVX2 has no masked loads and stores.
#   narrow.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

cat >"$folder/source" <<'CL'
kernel void bytes(global uchar *data, uchar limit) {
  const size_t i = get_global_id(0);
  data[i] = data[i] > limit ? 255 : data[i];
}
CL

# Work-items that fill vectors run without masks, and those that are left under one.
compile avx2 haswell <"$folder/source"
expect_vectors avx2 2 '<8 x i8>'
expect avx2 2 masked
# With masks of bytes one loop does both.
compile avx512 <"$folder/source"
expect_vectors avx512 0 '<64 x i8>'
expect avx512 2 masked

# Elements of 32 bits need no other loop.
compile wide haswell <<'CL'
kernel void wide(global uint *data) {
  const size_t i = get_global_id(0);
  data[i] *= 3;
}
CL
expect_vectors wide 0 '<8 x i32>'

# Where stores under masks are slow, they do.
compile microcode znver3 <<'CL'
kernel void microcode(global uint *data) {
  const size_t i = get_global_id(0);
  data[i] *= 3;
}
CL
expect_vectors microcode 2 '<8 x i32>'

# Saturation clamps numbers before they are converted: afterwards bytes would be selected by comparisons of words.
compile saturation haswell <<'CL'
kernel void saturation(global uchar4 *out, global const float4 *in) {
  const size_t i = get_global_id(0);
  out[i] = convert_uchar4_sat(in[i] * 255.0f);
}
CL
grep -q 'select <32 x i1> .*, <32 x float>' "$folder/saturation.ll" || fail "saturation does not clamp"
grep -q 'select <32 x i1> .*, <32 x i8>' "$folder/saturation.ll" && fail "saturation selects bytes"

# Three of four bytes are loaded with the fourth, and shifted out of words.
compile luminance haswell <<'CL'
kernel void luminance(global float *out, global const uchar4 *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i].x * 0.25f + in[i].y * 0.5f + in[i].z * 0.25f;
}
CL
grep -q 'lshr <8 x i32>' "$folder/luminance.ll" || fail "luminance does not shift bytes out of words"
expect luminance 0 'masked.load.v32i8'
