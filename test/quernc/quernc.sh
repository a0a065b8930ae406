#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# quernc makes a binary that runs with no compiler, shows each stage, and refuses what is wrong.
set -euo pipefail

quernc=$1
run_binary=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  printf 'quernc: %s\n' "$1" >&2
  exit 1
}

cat >"$folder/fill.cl" <<'CL'
kernel void fill(global int *out, int value) { out[get_global_id(0)] = value + OFFSET; }
CL

"$quernc" -DOFFSET=0 -o "$folder/fill.bin" "$folder/fill.cl"
QUERN_COMPILER_PATH=/nonexistent "$run_binary" "$folder/fill.bin" || fail 'the binary does not run without a compiler'

expect() { # stage, what its text holds
  "$quernc" --emit="$1" -D OFFSET=0 "$folder/fill.cl" | grep -- "$2" >/dev/null || fail "--emit=$1 does not show $2"
}
expect ir 'spir_kernel void @fill'
expect optimized 'define .*void @fill'
expect workgroup 'local_id\|phi i64'
expect plan "kernel 'fill':"
expect plan 'VF=[0-9]*, IC=[0-9]*, tail='
expect final '__quern_kernel_fill'
expect asm '__quern_kernel_fill:'
"$quernc" --emit=object -DOFFSET=0 -o "$folder/fill.o" "$folder/fill.cl"
[[ $(head -c 4 "$folder/fill.o" | tail -c 3) == ELF ]] || fail '--emit=object is no ELF file'

# A frame that is too large meets the guard page, that of a function which stays a call too.
cat >"$folder/call.cl" <<'CL'
__attribute__((noinline)) int twice(int x) { return 2 * x; }
kernel void call(global int *out) { *out = twice(*out); }
CL
QUERN_VECTORIZE=0 "$quernc" --emit=final "$folder/call.cl" >"$folder/call.ll"
group=$(sed -n 's/^define .*@twice[.a-z]*(.*\(#[0-9]*\) {/\1/p' "$folder/call.ll")
grep "^attributes $group = .*\"probe-stack\"" "$folder/call.ll" >/dev/null || fail 'a function does not probe its stack'

printf '%s\n' 'struct a { a(int x) { printf("made %d\n", x); } } object(1);' >"$folder/object.cl"
[[ -z $("$quernc" -cl-std=CLC++ -o "$folder/object.bin" "$folder/object.cl") ]] || fail 'it runs what it compiles'

if "$quernc" -o "$folder/bad.bin" "$folder/fill.cl" 2>"$folder/log"; then fail 'a broken program was compiled'; fi
grep -q "undeclared identifier 'OFFSET'" "$folder/log" || fail 'the build log was not shown'
[[ ! -e $folder/bad.bin ]] || fail 'a broken program left a binary'
# Passes alone.
"$quernc" --emit=optimized -DOFFSET=0 -o "$folder/fill.ll" "$folder/fill.cl"
"$quernc" --passes=work-groups "$folder/fill.ll" | grep quern.item-loop >/dev/null ||
  fail '--passes does not make loops'
"$quernc" --emit=ir -DOFFSET=0 "$folder/fill.cl" | "$quernc" --passes=prepare - >/dev/null || fail 'prepare fails alone'
for ir in 'define void @f( {' 'define i32 @f() { ret i64 0 }' 'no IR'; do
  if "$quernc" --passes=or-to-add - <<<"$ir" 2>"$folder/log"; then fail 'broken IR was accepted'; fi
  grep -q '^error: ' "$folder/log" || fail 'broken IR is not told from a crash'
done
if "$quernc" --passes=nothing "$folder/fill.ll" 2>"$folder/log"; then fail 'an unknown pass was accepted'; fi
grep -q "unknown pass name 'nothing'" "$folder/log" || fail 'an unknown pass is not named'
"$quernc" --passes='or-to-add,loop(limit-unroll),work-groups,loop-mssa(licm),loop-rotate,function(sroa,loop(indvars))' \
  "$folder/fill.ll" | grep quern.item-loop >/dev/null || fail 'passes of every kind do not run together'
for pipeline in 'function(or-to-add' 'or-to-add)' 'function<or-to-add)'; do
  if "$quernc" --passes="$pipeline" "$folder/fill.ll" 2>"$folder/log"; then fail "$pipeline was accepted"; fi
  grep -qF "invalid pipeline '$pipeline'" "$folder/log" || fail "$pipeline is not told"
done
for pipeline in 'loop(or-to-add)' 'function(work-groups)' 'or-to-add,' 'unroll-wide-loads<bytes=x>'; do
  if "$quernc" --passes="$pipeline" "$folder/fill.ll" 2>"$folder/log"; then fail "$pipeline was accepted"; fi
  grep -q "unknown pass name '" "$folder/log" || fail "no pass of $pipeline is named"
done

# Passes of a compilation.
compile() { "$quernc" --emit=final -DOFFSET=0 "$@" "$folder/fill.cl"; }
compile --print-after=work-groups 2>&1 >/dev/null | grep 'IR Dump After .*WorkGroupsPass' >/dev/null ||
  fail '--print-after prints nothing'
{
  echo 'kernel void long_one(global uint *data) { uint x = data[get_global_id(0)];'
  for ((i = 0; i < 100; i++)); do echo "x = x * ${i}u + (x >> $((i % 31))); data[get_global_id(0) + $i] = x;"; done
  echo '}'
} >"$folder/long.cl"
"$quernc" --emit=final --print-after-all -o "$folder/long.ll" "$folder/long.cl" 2>"$folder/long.passes" ||
  fail '--print-after-all ends a compilation'
(($(wc -c <"$folder/long.passes") > 1 << 20)) || fail '--print-after-all is cut'
if compile --disable-passes=vectorize-items | grep '"quern-vectorized"' >/dev/null; then
  fail '--disable-passes disables nothing'
fi
if compile --disable-passes=lower-ldexp >/dev/null 2>"$folder/log"; then fail 'a required pass was disabled'; fi
grep -q "correct code needs 'lower-ldexp'" "$folder/log" || fail 'a required pass is not named'
QUERN_VECTORIZE=8 compile --stats 2>&1 >/dev/null | grep -x '1 quern-vectorize - loops vectorized' >/dev/null ||
  fail '--stats counts nothing'
QUERN_VECTORIZE=8 compile --remarks="$folder/remarks" >/dev/null
grep -x 'Name:  *Vectorized' "$folder/remarks" >/dev/null || fail '--remarks tells nothing'
grep 'DebugLoc: .*program.cl' "$folder/remarks" >/dev/null || fail '--remarks does not tell where a loop is'
"$quernc" --print-passes | grep -x or-to-add >/dev/null || fail '--print-passes does not list passes'
if "$quernc" --emit=nothing "$folder/fill.cl" 2>/dev/null; then fail 'an unknown stage was accepted'; fi
if "$quernc" "$folder/absent.cl" 2>/dev/null; then fail 'a missing file was accepted'; fi
"$quernc" --help-environment | grep QUERN_DUMP >/dev/null || fail '--help-environment does not list QUERN_DUMP'
