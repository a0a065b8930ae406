#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What the vectorizer makes of kernels, seen in LLVM IR for a machine with AVX-512. That results are right is for other
# tests.
#   code.sh QUERNC
set -euo pipefail

quernc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  printf 'code: %s\n' "$1" >&2
  exit 1
}

# The kernel's text is standard input.
compile() { # name
  cat >"$folder/$1.cl"
  QUERN_CPU=skylake-avx512 QUERN_VECTORIZE=1 QUERN_CACHE=0 "$quernc" --emit=final -o "$folder/$1.ll" "$folder/$1.cl"
}
expect() { # name, how many calls, of which intrinsic
  local count
  count=$(grep -c "call .*@llvm\.$3" "$folder/$1.ll" || true)
  [[ $count == "$2" ]] || fail "$1 has $count calls of $3, and should have $2"
}

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
