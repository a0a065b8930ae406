#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Fills and copies of private memory that a function gets: whole registers, or a call of the C library.
#   fills.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

compile fills sapphirerapids --emit=asm <<'CL'
typedef struct { int values[80]; } block;
__attribute__((noinline)) void mix(int *a, int n) { for (int i = 0; i < n; i++) a[i & 31] += a[i * 7 & 31] + i; }
kernel void fill(global int *data, int n) {
  int a[64] = {0};
  mix(a, n);
  for (int i = 0; i < 64; i++) data[i] = a[i];
}
kernel void fill_much(global int *data, int n) {
  int a[4096] = {0};
  mix(a, n);
  for (int i = 0; i < n; i++) data[i] = a[i];
}
kernel void copy(global block *data, int n) {
  block a = data[get_global_id(0)];
  mix(a.values, n);
  data[get_global_id(0)] = a;
}
CL
# A store of a single byte, in a loop over all of them.
if grep -q 'movb.*\$0, .*(' "$folder/fills.ll"; then fail 'fills has a loop over bytes'; fi
grep -q 'call.*memset' "$folder/fills.ll" || fail 'fill_much does not call memset'
