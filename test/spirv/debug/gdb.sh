#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# A breakpoint at a line of a kernel that came as SPIR-V: gdb.sh GDB SPIRV-CASES QUERNC SPIRV-AS MODULE.
# gdb learns of the object from quernc, and where it is loaded from the driver's log. gdb runs a program at the same
# addresses each time, so that the first run tells what the second one needs.
set -euo pipefail

gdb=$1
cases=$2
quernc=$3
assembler=$4
module=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run COMMAND...: gdb's commands over the program that runs the module's kernel.
run() {
  local command arguments=()
  for command; do arguments+=(-ex "$command"); done
  QUERN_CACHE=0 QUERN_DEBUG=loader "$gdb" -batch -nx "${arguments[@]}" --args "$cases" "$work/module.cases" 2>&1
}

"$assembler" --target-env spv1.6 -o "$work/module.spv" "$module"
"$quernc" --emit=object -o "$work/module.o" "$work/module.spv"
cp "$(dirname "$module")/../prelude.spvasm" "$work"
{
  printf '== kernel\nin uint 5 6 7 8\nmodule\n'
  grep -v '^;' "$module"
} >"$work/module.cases"

first=$(run run)
address=$(sed -n 's/.*object with 1 kernels at \(0x[0-9a-f]*\),.*/\1/p' <<<"$first")
if [[ -z $address ]]; then
  if grep -Eq 'ptrace|Could not trace|Operation not permitted' <<<"$first"; then
    echo "skipped: gdb may not trace processes here"
    exit 77
  fi
  printf 'the driver does not tell where it loads the kernel:\n%s\n' "$first" >&2
  exit 1
fi

# .text is what an image begins with.
second=$(run 'set breakpoint pending on' 'break clEnqueueNDRangeKernel' run \
  "add-symbol-file $work/module.o -s .text $address" 'delete 1' 'break opencl.cl:11' continue 'backtrace 1')
if ! grep -Eq '^#0 +k \(.*\) at opencl\.cl:11$' <<<"$second"; then
  printf 'gdb does not stop at line 11 of opencl.cl:\n%s\n' "$second" >&2
  exit 1
fi
