#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# The vector form of kernels, which is LLVM IR for vectors of any machine, becomes NEON code for AArch64.
#   aarch64.sh QUERNC LLC
set -euo pipefail

quernc=$1
llc=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  printf 'aarch64: %s\n' "$1" >&2
  exit 1
}

cat >"$folder/kernels.cl" <<'CL'
kernel void saxpy(global const float *x, global float *y, float a) {
  int i = get_global_id(0);
  y[i] = fma(a, x[i], y[i]);
}
CL
cat >"$folder/escape.cl" <<'CL'
kernel void escape(global const float *in, global int *out, int n) {
  uint i = get_global_id(0);
  float x = in[i], y = 0;
  int t = 0;
  while (x * x + y * y < 4.0f && t < n) {
    float next = fma(x, x, 0.1f);
    y = fma(2.0f * x, y, 0.3f);
    x = next;
    t++;
  }
  out[i] = t;
}
CL

# Like NEON, the oldest x86 level has vectors of 128 bits and no loads under masks. What names x86 is taken off.
compile() { # source, name of the assembly
  QUERN_CPU=x86-64-v2 QUERN_VECTORIZE=4 "$quernc" --emit=final "$folder/$1" |
    sed -E 's/"(target-cpu|target-features|tune-cpu)"="[^"]*"//g; /^target (datalayout|triple)/d' >"$folder/neon.ll"
  "$llc" -O2 -mtriple=aarch64-linux-gnu -mattr=+neon "$folder/neon.ll" -o "$folder/$2"
}
expect() { # assembly, pattern, what it is
  grep -Eq "$2" "$folder/$1" || fail "$1 has no $3"
}

compile kernels.cl saxpy.s
expect saxpy.s 'fmla[[:space:]]+v[0-9]+\.4s' 'multiplication and addition of vectors'
expect saxpy.s 'ld(r|p|ur)[[:space:]]+q[0-9]+, .*\[x[0-9]+' 'load of a vector'
expect saxpy.s 'st(r|p|ur)[[:space:]]+q[0-9]+, .*\[x[0-9]+' 'store of a vector'
compile escape.cl escape.s
expect escape.s 'fmla[[:space:]]+v[0-9]+\.4s' 'multiplication and addition of vectors'
expect escape.s 'fcmg[te][[:space:]]+v[0-9]+\.4s' 'comparison of vectors'
expect escape.s '(bit|bif|bsl)[[:space:]]+v[0-9]+\.16b' 'selection by a mask'
