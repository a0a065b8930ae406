#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Work-items that wait for each other, which must not do so within a vector.
#   waits.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

# Of lanes that exchange one value one succeeds in each turn: what is computed before would have to be much more to pay.
compile exchange <<'CL'
kernel void exchange(global const float *restrict in, volatile global uint *sum) {
  const size_t i = get_global_id(0);
  const float one = sin(in[i]) * exp(in[i]);
  uint before, now = *sum;
  do {
    before = now;
    now = atomic_cmpxchg(sum, before, as_uint(as_float(before) + one));
  } while (now != before);
}
CL
expect_remark exchange 1 'not vectorized'

# Lanes that wait for each other never end. What ends by its own turns does, as what waits for another work-group.
compile waits <<'CL'
#define WORK(X) for (int k = 0; k < 40; k++) X = X * sqrt(X * 0.75f + 0.125f) + fabs(sin(X))
kernel void takes_lock(global float *restrict inout, volatile global uint *lock, volatile global float *sum) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  while (atomic_cmpxchg(lock, 0, 1)) {}
  *sum += x;
  atomic_xchg(lock, 0);
}
kernel void waits_for_turn(global float *restrict inout, volatile global uint *turn, volatile global float *sum) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  while (*turn != i) {}
  *sum += x;
  *turn = i + 1;
}
kernel void waits_for_kept(global float *restrict inout, volatile global uint *turn, volatile global float *sum) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  volatile uint mine = i;
  while (*turn != mine) {}
  *sum += x;
  *turn = mine + 1;
}
uint counts(volatile global uint *place);
uint counts_twice(volatile global uint *place);
__attribute__((noinline)) uint counts(volatile global uint *place) { return atomic_inc(place); }
__attribute__((noinline)) uint counts_twice(volatile global uint *place) {
  const uint old = atomic_inc(place);
  counts(place);
  return old;
}
kernel void takes_every_other(global float *restrict inout, volatile global uint *next, uint n) {
  for (uint i = counts_twice(next); i < n; i = counts_twice(next)) {
    WORK(inout[i]);
    atomic_dec(next);
  }
}
kernel void adds(global float *restrict inout, volatile global uint *sum) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  uint before, now = *sum;
  do {
    before = now;
    now = atomic_cmpxchg(sum, before, as_uint(as_float(before) + x));
  } while (now != before);
}
kernel void inserts(global float *restrict inout, volatile global uint *table) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  for (uint place = as_uint(x) & 1023;; place = (place + 1) & 1023) {
    const uint found = atomic_cmpxchg(table + place, 0, as_uint(x));
    if (found == 0 || found == as_uint(x)) break;
  }
}
kernel void takes_work(global float *restrict inout, volatile global uint *next, uint n) {
  for (uint i = atomic_inc(next); i < n; i = atomic_inc(next)) WORK(inout[i]);
}
kernel void wraps(global float *restrict inout, volatile global uint *table, uint size) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  for (uint place = as_uint(x) % size; atomic_cmpxchg(table + place, 0, as_uint(x)) != 0;) {
    if (++place == size) place = 0;
  }
}
kernel void looks_first(global float *restrict inout, volatile global uint *table) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  uint place = as_uint(x) & 1023, found;
  while ((found = table[place]) != as_uint(x)) {
    if (found) {
      place = (place + 1) & 1023;
    } else if (atomic_cmpxchg(table + place, 0, as_uint(x)) == 0) {
      break;
    }
  }
}
kernel void allocates(global float *restrict inout, global uint *words, uint n) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  uint at = 0, bit = 0;
  while (at < n) {
    const uint word = words[at];
    if (word == ~0u) {
      at++;
      continue;
    }
    bit = ~word & -~word;
    if (!(atomic_or((volatile global uint *)words + at, bit) & bit)) break;
  }
  inout[i] = x + at * 32 + popcount(bit - 1);
}
kernel void drains(global float *restrict inout, volatile global uint *work) {
  for (uint todo; (todo = atomic_xchg(&work[get_global_id(0) & 7], 0)) != 0;) WORK(inout[todo]);
}
kernel void tries(global float *restrict inout, volatile global uint *lock) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  volatile uint left = 100;
  while (atomic_cmpxchg(lock, 0, 1) && left) left--;
  if (left) atomic_xchg(lock, 0);
  inout[i] = x;
}
kernel void joins(global float *restrict inout, global const uint2 *restrict edges, volatile global uint *parents) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  uint2 edge = edges[i];
  for (;;) {
    while (parents[edge.x] != edge.x) edge.x = parents[edge.x];
    while (parents[edge.y] != edge.y) edge.y = parents[edge.y];
    if (edge.x == edge.y) break;
    if (edge.x < edge.y) edge = edge.yx;
    if (atomic_cmpxchg(&parents[edge.x], edge.x, edge.y) == edge.x) break;
  }
  inout[i] = x;
}
kernel void unites(global float *restrict inout, global const uint2 *restrict edges, volatile global uint *parents) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  uint2 edge = edges[i];
  for (;;) {
    while (parents[edge.x] != edge.x) edge.x = parents[edge.x];
    while (parents[edge.y] != edge.y) edge.y = parents[edge.y];
    const uint high = max(edge.x, edge.y), low = min(edge.x, edge.y);
    if (high == low || atomic_cmpxchg(&parents[high], high, low) == high) break;
  }
  inout[i] = x;
}
kernel void settles(global float *restrict inout, volatile global uint *stop, global const float4 *restrict limits) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  const float4 limit = limits[i];
  for (bool goes_on = true; goes_on && !*stop;) {
    goes_on = false;
    if (x < limit.x) x += 1, goes_on = true;
    if (x < limit.y) x += 2, goes_on = true;
    if (x < limit.z) x += 3, goes_on = true;
  }
  inout[i] = x;
}
kernel void looks_back(global float *restrict inout, volatile global float *sums) {
  const size_t i = get_global_id(0);
  float x = inout[i];
  WORK(x);
  if (get_local_id(0) == 0) {
    float before;
    while ((before = sums[get_group_id(0)]) == 0) {}
    x += before;
  }
  inout[i] = x;
}
CL
for name in takes_lock waits_for_turn waits_for_kept; do
  expect_remark waits 1 "kernel '$name': not vectorized: a loop may spin until another work-item makes progress"
done
expect_remark waits 3 'until another work-item makes progress'
for name in inserts wraps looks_first allocates takes_work takes_every_other drains joins unites settles looks_back; do
  expect_remark waits 1 "kernel '$name': .*vectorization factor"
done

# There are as many ways round a loop as its choices combine to: only the first are looked at.
{
  echo 'kernel void choices(volatile global uint *end, global uint *restrict inout, uint n) {'
  echo '  const uint i = get_global_id(0);'
  for choice in {0..39}; do echo "  uint sum$choice = inout[i + $choice];"; done
  echo '  for (uint turn = 0; turn < n && end[turn] != i; turn++) {'
  for choice in {0..39}; do echo "    if (inout[turn * 64 + $choice] > i) sum$choice += i;"; done
  echo '  }'
  for choice in {0..39}; do echo "  inout[i + $choice] = sum$choice;"; done
  echo '}'
} >"$folder/choices.cl"
QUERN_CPU=sapphirerapids QUERN_VECTORIZE=1 QUERN_CACHE=0 \
  timeout 20 "$quernc" --emit=final -o "$folder/choices.ll" "$folder/choices.cl" ||
  fail "choices does not come to an end"

# Local memory is seen by others at barriers, volatile or not, also through generic pointers: each step of a scan by
# doubling is whole vectors.
compile doubling sapphirerapids -cl-std=CL3.0 <<'CL'
kernel void doubling(global uint *out, global const uint *in) {
  volatile local uint part[512];
  const uint i = get_local_id(0);
  part[i] = 0;
  part[i + 256] = in[get_global_id(0)];
  for (uint offset = 1; offset < 256; offset <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint sum = part[i + 256] + part[i + 256 - offset];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[i + 256] = sum;
  }
  out[get_global_id(0)] = part[i + 256];
}
static void add(volatile uint *sum, uint offset) {
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint added = sum[0] + sum[-(int)offset];
  barrier(CLK_LOCAL_MEM_FENCE);
  *sum = added;
}
kernel void doubling_generic(global uint *out, global const uint *in) {
  volatile local uint part[512];
  volatile uint *sum = part + 256 + get_local_id(0);
  sum[-256] = 0;
  *sum = in[get_global_id(0)];
  for (uint offset = 1; offset < 256; offset <<= 1) add(sum, offset);
  out[get_global_id(0)] = *sum;
}
CL
# The scalar loop, for an index that wraps, has the five accesses of the source; lanes one by one would have 16 times
# that.
(($(grep -cE '(load|store) volatile' "$folder/doubling.ll") <= 5)) || fail "local memory is volatile in doubling"
expect doubling 2 'masked.load.v16i32.p3'
expect doubling 2 'masked.load.v16i32.p4'
