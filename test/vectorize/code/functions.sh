#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Divisions, roots and powers.
#   functions.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

# An inverse root may be off by as much as the CPU's estimate is after a step. Not where it might be taken for a
# division of the kernel that may not.
for options in '' -cl-fp32-correctly-rounded-divide-sqrt; do
  compile roots sapphirerapids ${options:+"$options"} <<'CL'
kernel void roots(global const float *restrict in, global float *restrict out) {
  out[get_global_id(0)] = rsqrt(in[get_global_id(0)]);
}
CL
  grep -q 'call .*rsqrt14\.ps\.512' "$folder/roots.ll" || fail "roots has no estimate with '$options'"
done
compile both sapphirerapids -cl-fp32-correctly-rounded-divide-sqrt <<'CL'
kernel void both(global const float *restrict in, global float *restrict out, global float *restrict exact) {
  const size_t i = get_global_id(0);
  out[i] = rsqrt(in[i]) + half_rsqrt(in[i] + 1);
  exact[i] = 1 / sqrt(in[i]);
}
CL
! grep -q rsqrt14 "$folder/both.ll" || fail "both divides by an estimate"
grep -q 'fdiv <' "$folder/both.ll" || fail "both does not divide"

# A division that may be approximate is made from the estimate of 14 bits, which 16 floats have, and from no other.
cat >"$folder/relaxed.cl" <<'CL'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void relaxed(global const T *restrict in, global const T *restrict by, global T *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = in[i] / by[i];
}
CL
for target in 'sapphirerapids 16 float' 'sapphirerapids 16 float4' 'sapphirerapids 8 float2' 'sapphirerapids 8 float' \
  'sapphirerapids 0 float3' 'sapphirerapids 32 half' 'sapphirerapids 0 half' 'haswell 8 float' 'nehalem 4 float'; do
  read -r cpu width type <<<"$target"
  QUERN_CPU=$cpu QUERN_VECTORIZE=$width QUERN_CACHE=0 "$quernc" --emit=asm -cl-fast-relaxed-math -DT="$type" \
    -o "$folder/relaxed.s" "$folder/relaxed.cl"
  estimates=$(grep -oE '\bv?rcp[a-z0-9]*' "$folder/relaxed.s" | sort -u || true)
  if [[ $target == *'16 float'* || $target == *float2 ]]; then expected=vrcp14ps; else expected=''; fi
  [[ $estimates == "$expected" ]] || fail "a relaxed division is made from '$estimates' for $target"
done

# A power of two is one instruction for each vector of 16, and no call anywhere.
for cpu in sapphirerapids haswell; do
  compile "power-$cpu" "$cpu" <<'CL'
kernel void power(global const int *restrict in, global float *restrict out) {
  out[get_global_id(0)] = exp2((float)in[get_global_id(0)]);
}
CL
  ! grep -q 'llvm\.ldexp' "$folder/power-$cpu.ll" || fail "power is left to the C library on $cpu"
done
grep -q 'call .*mask\.scalef\.ps\.512' "$folder/power-sapphirerapids.ll" || fail 'power has no instruction'
! grep -q scalef "$folder/power-haswell.ll" || fail 'power is scaled by an instruction that there is not'

# Where it is close whether vectors pay, both forms are kept: long divisions are done lane by lane.
compile quotients haswell <<'CL'
kernel void quotients(global ulong *data, global const ulong *divisors) {
  const size_t i = get_global_id(0);
  data[i] = data[i] / divisors[i];
}
CL
expect_remark quotients 1 'whichever is measured faster'
grep -q '__quern_single_.*quotients' "$folder/quotients.ll" || fail 'quotients has no scalar form'
compile sums haswell <<'CL'
kernel void sums(global ulong *data, global const ulong *addends) {
  const size_t i = get_global_id(0);
  data[i] = data[i] + addends[i];
}
CL
expect_remark sums 0 'whichever is measured faster'
# Both forms round divisions alike, for which less would do.
compile ratios haswell <<'CL'
kernel void ratios(global float *data, uint n) {
  const size_t i = get_global_id(0);
  for (uint k = 0; k < n; k++) data[i * n + k] = data[i * n + k] / (k + data[i]);
}
CL
expect_remark ratios 1 'whichever is measured faster'
! grep -q 'fdiv .*!fpmath' "$folder/ratios.ll" || fail 'ratios rounds as the target likes'
