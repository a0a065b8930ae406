#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# The work of passes is close to linear in the size of a program: with twice as much of one thing they execute little
# more than twice as many instructions. Those are counted, by callgrind, so that other work on the machine changes
# nothing: counted_work.sh QUERNC PROGRAM LIBRARY, or with PASSES DIMENSION SIZE behind it for one check alone.
set -euo pipefail

quernc=$1
program=$2
library=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export QUERN_CACHE=0 QUERN_COMPILER=in-process QUERN_NUM_THREADS=1
# Code for other processors than this one's is of another size.
if [[ $(uname -m) == x86_64 ]]; then export QUERN_CPU=x86-64-v3; fi

if ! { command -v valgrind && command -v strip; } >/dev/null; then
  echo "skipped: valgrind, which counts instructions, or strip is not installed"
  exit 77
fi

# stage STAGE DIMENSION SIZE: IR of a program, and its name.
stage() {
  "$program" "$2" "$3" >"$folder/$2.cl"
  "$quernc" --emit="$1" -o "$folder/$2.$3.ll" "$folder/$2.cl"
  echo "$folder/$2.$3.ll"
}

# count PASSES FILE: instructions that quernc executes for these passes of a file with IR. valgrind does not read all
# debug information that there is.
count() {
  QUERN_COMPILER_PATH=$folder/library.so valgrind --tool=callgrind --callgrind-out-file=/dev/null \
    "$quernc" --verify-each=0 --passes="$1" -o /dev/null "$2" 2>"$folder/log" || {
    cat "$folder/log" >&2
    return 1
  }
  awk '/Collected/ { print $NF }' "$folder/log"
}

# check PASSES DIMENSION SIZE: the passes' instructions for twice that size, by those for the size.
check() {
  local passes=$1 dimension=$2 size=$3 from=optimized none once twice file
  case $passes in
    prepare) from=ir ;;
    optimize-final) from=workgroup ;;
  esac
  file=$(stage $from "$dimension" 1)
  none=$(count "$passes" "$file")
  file=$(stage $from "$dimension" "$size")
  once=$(count "$passes" "$file")
  file=$(stage $from "$dimension" $((2 * size)))
  twice=$(count "$passes" "$file")
  awk -v none="$none" -v once="$once" -v twice="$twice" -v what="$passes, $dimension, $size to $((2 * size))" 'BEGIN {
    ratio = (twice - none) / (once - none)
    printf "%s: %d and %d instructions, ratio %.2f\n", what, once - none, twice - none, ratio
    exit ratio > 2.5 }'
}

strip -o "$folder/library.so" "$library"
if (($#)); then
  check "$@"
  exit
fi

status=0
check prepare functions 40 || status=1
check work-groups barriers 40 || status=1
check work-groups barrier-loops 16 || status=1
check work-groups barrier-ifs 16 || status=1
check work-groups values-across-barriers 16 || status=1
check prepare arguments 30 || status=1
check prepare structs 50 || status=1
check work-groups private-arrays 20 || status=1
exit "$status"
