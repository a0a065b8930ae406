#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Debug information of SPIR-V becomes DWARF: debug.sh QUERNC SPIRV-AS FOLDER. Unoptimised: variables are there then.
set -euo pipefail

quernc=$1
assembler=$2
folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check NAME SECTION PATTERN...: each pattern is in what readelf shows of the section.
check() {
  local name=$1 section=$2 shown
  shift 2
  shown=$(readelf --wide --debug-dump="$section" "$work/$name.o")
  for pattern in "$@"; do
    if ! grep -Eq "$pattern" <<<"$shown"; then
      printf '%s: "%s" is not in %s:\n%s\n' "$name" "$pattern" "$section" "$shown" >&2
      exit 1
    fi
  done
}

for name in lines opencl shader; do
  "$assembler" --target-env spv1.6 -o "$work/$name.spv" "$folder/$name.spvasm"
  "$quernc" -cl-opt-disable --emit=object -o "$work/$name.o" "$work/$name.spv" 2>"$work/log"
  if [[ -s $work/log ]]; then
    cat "$work/log" >&2
    exit 1
  fi
done

check lines decodedline 'lines\.cl +42' 'lines\.cl +43'
check opencl decodedline 'opencl\.cl +11' 'opencl\.cl +4' 'opencl\.cl +13'
check opencl info 'DW_TAG_inlined_subroutine' 'DW_AT_name.*helper' 'DW_TAG_lexical_block' 'DW_AT_name.*total' \
  'DW_AT_name.*int'
check shader decodedline 'shader\.cl +22'
check shader info 'DW_AT_name.*node' 'DW_AT_name.*item' 'DW_TAG_structure_type'
