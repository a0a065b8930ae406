#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# The clFFT-client program runs in 1, 2 and 3 dimensions, single and double, in and out of place, and passes the check
# it makes of its own results (of a constant signal; clfft_dft.c checks the library with others).
set -euo pipefail

client=$(command -v clFFT-client)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

run() {
  local output status=0
  output=$("$client" "$@" 2>&1) || status=$?
  if [[ $status != 0 ]] || grep -qiE 'error|fail|exception' <<<"$output" || ! grep -q 'PASS' <<<"$output"; then
    printf '%s\nclfft_client.sh: clFFT-client %s: exit status %s\n' "$output" "$*" "$status" >&2
    exit 1
  fi
}

for size in "-x 1024" "-x 4096 -b 4" "-x 625" "-x 64 -y 64" "-x 48 -y 20" "-x 16 -y 16 -z 16" "-x 12 -y 10 -z 8"; do
  for precision in "" --double; do
    for place in "" --outPlace; do
      for direction in "" --inv; do
        # Words of these variables are separate arguments.
        # shellcheck disable=SC2086
        run $size $precision $place $direction
      done
    done
  done
done
