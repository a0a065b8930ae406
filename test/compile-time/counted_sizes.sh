#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Sizes of what LLVM takes more than linear time for, counted in its IR and assembly: counted_sizes.sh QUERNC PROGRAM.
set -euo pipefail

quernc=$1
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export QUERN_CACHE=0 QUERN_COMPILER=in-process
if [[ $(uname -m) == x86_64 ]]; then export QUERN_CPU=x86-64-v3; fi

# emit STAGE DIMENSION SIZE: a program's IR or assembly.
emit() {
  "$program" "$2" "$3" >"$folder/program.cl"
  "$quernc" --emit="$1" -o "$folder/out" "$folder/program.cl"
  cat "$folder/out"
}

lines() { emit "$@" | wc -l; }

# largest END COUNTED ARGUMENTS: the most lines that match the regular expression COUNTED between two that match END.
largest() {
  local end=$1 counted=$2
  shift 2
  emit "$@" | awk -v end="$end" -v counted="$counted" '
    $0 ~ end { count = 0 }
    $0 ~ counted && ++count > most { most = count }
    END { print most + 0 }'
}

largest_function() { largest '^}' '^  (br|switch) ' "$@"; }
largest_block() { largest '^}|^[^ ]*:' '^  ' "$@"; }
largest_table() { largest '^[.]LJTI' '^\t[.](long|quad)\t[.]LBB' "$@"; }

# How often the value is added to that most is added to.
most_additions() {
  emit "$@" | grep -oE ' add [a-z ]*i32 %[^ ,]+' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }'
}

# expect WHAT NUMBER MOST
status=0
expect() {
  echo "$1: $2, at most $3"
  (($2 <= $3)) || status=1
}

once=$(lines workgroup barrier-ifs 40)
expect "lines for 80 branches with barriers, $once for 40" "$(lines workgroup barrier-ifs 80)" $((once * 21 / 10))
expect "blocks of a function, 200 pairs of barriers" "$(largest_function final barriers 200)" 2048
expect "instructions of a block, 1250 conditional expressions" "$(largest_block final ternaries 1250)" 256
expect "entries of a jump table, 1000 cases" "$(largest_table asm switch 1000)" 512
expect "additions to one value, 1250 conditional expressions" "$(most_additions final ternaries 1250)" 512
exit "$status"
