#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# clinfo lists the platform and its device, exits with 0, and prints no error line.
set -euo pipefail

output=$(clinfo 2>&1)

fail() {
  printf '%s\n' "$output"
  printf 'clinfo.sh: %s\n' "$1" >&2
  exit 1
}

# What clinfo prints for a query that failed: `<name: get CL_X : error -30>`; other failures name the call.
grep -qiE 'error -?[0-9]|<[^>]*error|^error|exceeds|invalid' <<<"$output" && fail "an error line"
grep -qE '^Number of platforms +1$' <<<"$output" || fail "not exactly one platform"
grep -qE '^ +Platform Name +Quern$' <<<"$output" || fail "no platform named Quern"
grep -qE '^Number of devices +1$' <<<"$output" || fail "not exactly one device"
grep -qE '^ +Device Name +[^ ]' <<<"$output" || fail "the device has no name"
grep -qE '^ +Device Version +OpenCL 3\.0 ' <<<"$output" || fail "the device is not of version 3.0"
grep -qE '^ +Device Type +CPU' <<<"$output" || fail "the device is no CPU"
grep -qE '^ +Compiler Available +Yes$' <<<"$output" || fail "no compiler"

# The short and the machine-readable forms ask in other ways.
[[ $(clinfo --list) == *Quern* ]] || fail "--list does not name the platform"
raw=$(clinfo --raw 2>&1)
if grep -qiE 'error -?[0-9]|<[^>]*error' <<<"$raw"; then
  printf '%s\n' "$raw"
  fail "an error line in the raw form"
fi
