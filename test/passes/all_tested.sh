#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Every pass that is registered has a folder of tests, and every folder tests a pass: at least three tests for each,
# five for each transformation of the vectorizer.
set -euo pipefail

quernc=$1
folder=$(dirname "$0")

# NAME<PARAMETER=N> is tested in NAME, print<ANALYSIS> in print-ANALYSIS.
names() { "$quernc" --print-passes | sed -E 's/^print<(.*)>$/print-\1/; s/<.*//' | sort -u; }
folders() { find "$folder" -mindepth 2 -name '*.ll' -printf '%P\n' | sed 's|/.*||' | sort -u; }

if ! diff <(names) <(folders); then
  echo "passes (<) and folders of tests (>) differ" >&2
  exit 1
fi

# The vectorizer's transformations: passes of their own, or a folder of vectorize-items, whose parameters leave the
# others out.
transformations=(
  canonicalize-items unroll-and-jam-items reduce-strength print-linearization keep-masked-loads unroll-wide-loads
  remove-redundant-selects trip-count-masks remove-unreachable-edges split-guards unswitch-items
  vectorize-items/{stride-versions,uniform-bounds,mask-free,nontemporal-stores,prefetch,interleave-scalar}
  vectorize-items/{runtime-checks,tail}
  vectorize-items/{item-bound,interleaved-groups,per-lane-groups,vector-layout,memory,control,calls,sub-groups}
)
failed=0
expect() { # folder, how many tests
  local count
  count=$(find "$folder/$1" -name '*.ll' | wc -l)
  ((count >= $2)) && return
  echo "$1 has $count tests, and should have $2" >&2
  failed=1
}
for name in "${transformations[@]}"; do expect "$name" 5; done
while read -r name; do expect "$name" 3; done < <(names)
exit "$failed"
