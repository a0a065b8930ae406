# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What the vectorizer makes of kernels, seen in LLVM IR, mostly for a machine with AVX-512. That results are right is
# for other tests. Sourced by the scripts here, whose argument is quernc.

set -euo pipefail

quernc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# The kernel's text is standard input.
compile() { # name [CPU [option of quernc ...]]
  cat >"$folder/$1.cl"
  QUERN_CPU=${2:-sapphirerapids} QUERN_VECTORIZE=1 QUERN_VECTORIZE_REMARKS=1 QUERN_CACHE=0 \
    "$quernc" --emit=final -o "$folder/$1.ll" "${@:3}" "$folder/$1.cl" 2>"$folder/$1.remarks"
}

expect() { # name, how many calls, of which intrinsic
  local count
  count=$(grep -c "call .*@llvm\.$3" "$folder/$1.ll" || true)
  [[ $count == "$2" ]] || fail "$1 has $count calls of $3, and should have $2"
}

expect_remark() { # name, how often, what
  local count
  count=$({ grep -o "$3" "$folder/$1.remarks" || true; } | wc -l)
  [[ $count == "$2" ]] || fail "$1 has $count times the remark '$3', and should have it $2 times"
}

expect_vectors() { # name, how many plain loads or stores, of which vectors
  local count
  count=$(grep -cE "(load $3,|store $3 )" "$folder/$1.ll" || true)
  [[ $count == "$2" ]] || fail "$1 has $count plain loads and stores of $3, and should have $2"
}
