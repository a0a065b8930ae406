#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# The fuzzing of OpenCL C itself: mutants of our kernels build, no application ends, and a fault of the compiler is
# found, told by where it was, and made short. opencl_c.sh PROGRAM
set -euo pipefail

program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export QUERN_NUM_THREADS=1

die() {
  echo "$*" >&2
  exit 1
}

# count WHAT FILE: the number beside a word in a summary.
count() { awk -v what="$1" '$1 == what { print $2 }' "$2"; }

"$program" --builds 120 --seconds 120 --seed 27 --out "$scratch/out" "$root/test/bench/kernels/cases" \
  >"$scratch/run.txt" 2>&1 || die "$(cat "$scratch/run.txt")"
(($(count "done" "$scratch/out/summary.txt") >= 12)) || die "few mutants build: $(cat "$scratch/run.txt")"

# Clang 22 takes the second directive for the statement of the first; what is around it has nothing to do with that.
mkdir "$scratch/cases"
cat >"$scratch/cases/doomed.cl" <<'CL'
constant float table[] = {1, 2, 3, 4};
float other(float x) { return x * table[1] + 2; }
kernel void doomed(global float *p) {
#pragma unroll
#pragma pack(1)
  for (int i = 0; i < 3; i++) p[get_global_id(0)] += other(i);
}
CL
"$program" --build "$scratch/cases/doomed.cl" >"$scratch/log.txt"
[[ $(head -n 1 "$scratch/log.txt") == crashed ]] || die "no crash: $(cat "$scratch/log.txt")"
frames='^at: libquern-compiler\.so\+0x[0-9a-f]+ libquern'
grep -qE "$frames" "$scratch/log.txt" || die "no frames: $(cat "$scratch/log.txt")"
"$program" --reduce "$scratch/cases/doomed.cl" >"$scratch/short.cl"
(($(wc -w <"$scratch/short.cl") < 30)) || die "not short: $(cat "$scratch/short.cl")"
"$program" --build "$scratch/short.cl" | grep -q '^crashed' || die "the short one does not crash"

"$program" --builds 24 --seconds 60 --out "$scratch/found" "$scratch/cases" >"$scratch/run.txt" 2>&1 ||
  die "$(cat "$scratch/run.txt")"
compgen -G "$scratch/found/crashed-*.cl" >/dev/null || die "no finding: $(cat "$scratch/run.txt")"
