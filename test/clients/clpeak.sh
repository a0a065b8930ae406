#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# clpeak runs every benchmark it has to the end, with no error and with a number for each line.
set -euo pipefail

output=$(clpeak 2>&1) || {
  printf '%s\nclpeak.sh: clpeak exits with an error\n' "$output" >&2
  exit 1
}
printf '%s\n' "$output"

fail() {
  printf 'clpeak.sh: %s\n' "$1" >&2
  exit 1
}

grep -qE 'Platform: Quern' <<<"$output" || fail "not on this driver"
grep -iE 'error|fail|exception|clbuild|\(-[0-9]+\)' <<<"$output" && fail "an error line"
sections=(
  "Global memory bandwidth" "Single-precision compute" "Double-precision compute" "Integer compute"
  "Transfer bandwidth" "Kernel launch latency"
)
for section in "${sections[@]}"; do
  grep -q "$section" <<<"$output" || fail "no section: $section"
done
# Every vector width of the compute benchmarks and every transfer has a positive number. Mapping and unmapping copy
# nothing, and may take less time than clpeak counts: it then prints an infinite bandwidth.
grep -E '^ +[A-Za-z0-9() -]+ +: ' <<<"$output" | grep -vE 'Device|Driver|Compute units|Clock|version' |
  grep -vE 'enqueue(MapBuffer|Unmap)\(.*: inf$' |
  grep -vE ': *[0-9]*\.?[0-9]*[1-9][0-9.]* *(us)?$' && fail "a line without a positive number"
exit 0
