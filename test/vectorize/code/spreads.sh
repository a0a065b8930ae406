#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Shuffles that the code generator would go round with.
#   spreads.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

# LLVM takes bytes with nothing between them for extended ones, and went round for ever.
cat >"$folder/spread.cl" <<'CL'
kernel void spread(global const uchar *in, global uchar *out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  out[2 * i] = in[3 * i] + in[3 * i + 2];
  if (i + 1 < n) out[2 * i + 1] = in[3 * i + 4];
}
kernel void spread_vectors(global const uchar *in, global uchar2 *out) {
  const size_t i = get_global_id(0);
  uchar2 pair;
  pair.x = in[3 * i] + in[3 * i + 2];
  out[i] = pair;
}
CL
QUERN_CPU=sapphirerapids QUERN_VECTORIZE=64 QUERN_CACHE=0 \
  timeout 20 "$quernc" --emit=asm -o "$folder/spread.s" "$folder/spread.cl" 2>"$folder/spread.remarks" ||
  fail "spread does not come to an end"
