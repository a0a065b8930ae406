#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What the vectorizer makes of kernels, seen in LLVM IR, mostly for a machine with AVX-512. That results are right is
# for other tests.
#   code.sh QUERNC
set -euo pipefail

quernc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  printf 'code: %s\n' "$1" >&2
  exit 1
}

# The kernel's text is standard input.
compile() { # name [CPU]
  cat >"$folder/$1.cl"
  QUERN_CPU=${2:-sapphirerapids} QUERN_VECTORIZE=1 QUERN_VECTORIZE_REMARKS=1 QUERN_CACHE=0 \
    "$quernc" --emit=final -o "$folder/$1.ll" "$folder/$1.cl" 2>"$folder/$1.remarks"
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

# Behind a barrier an index is what it was before: made again, and not read from where each work-item would have it.
compile index <<'CL'
kernel void index(global const uint *in, global uint *out, local uint *tile, uint n) {
  const uint lane = get_local_id(0), lanes = get_local_size(0);
  size_t start = get_group_id(0) * n;
  for (uint turn = 0; turn < n; turn++) {
    const size_t place = start + lane;
    tile[lane] = in[place];
    start += lanes + in[start];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[place] = tile[lanes - 1 - lane];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
CL
expect index 0 masked.scatter

expect_vectors() { # name, how many plain loads or stores, of which vectors
  local count
  count=$(grep -cE "(load $3,|store $3 )" "$folder/$1.ll" || true)
  [[ $count == "$2" ]] || fail "$1 has $count plain loads and stores of $3, and should have $2"
}

# A pointer that is moved on, and a count that goes down, are one index.
compile pointer <<'CL'
kernel void pointer(global const float *in, global float *out, uint n) {
  const size_t i = get_global_id(0), width = get_global_size(0);
  global const float *at = in + i;
  float sum = 0;
  for (uint left = n; left > 0; left--, at += width) sum = sum * 0.5f + *at;
  out[i] = sum;
}
CL
"$quernc" --emit=optimized -o "$folder/pointer.scalar.ll" "$folder/pointer.cl"
phis=$(grep -cE ' phi (ptr|i[0-9]+)' "$folder/pointer.scalar.ll" || true)
[[ $phis == 1 ]] || fail "pointer counts in $phis numbers"

# Work-items that are not in the loop, or left it, keep what they had: nothing puts it back behind the loop.
compile kept <<'CL'
kernel void kept(global const uint *in, global uint *out) {
  const size_t i = get_global_id(0);
  uint sum = 7, left = in[i];
  if (left > 3) {
    while (left % 5 != 0) left = left * 3 + ++sum;
  }
  out[i] = sum;
}
CL
blends=$(grep -c 'select .*> splat (i32 7)' "$folder/kept.ll" || true)
[[ $blends == 0 ]] || fail "kept puts $blends values back"

# Neighbours in a tree are 1, 2, 4... apart: for the first of these all that lies between them is loaded and stored, at
# once and in whole vectors. The gathers and the scatter are for the others.
compile tree <<'CL'
kernel void tree(global uint *out, local uint *tile) {
  const uint lane = get_local_id(0), lanes = get_local_size(0);
  tile[2 * lane] = tile[2 * lane + 1] = lane;
  uint stride = 1;
  for (uint active = lanes; active > 0; active /= 2, stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < active) tile[stride * (2 * lane + 2) - 1] += tile[stride * (2 * lane + 1) - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) out[get_group_id(0)] = tile[2 * lanes - 1];
}
CL
expect_remark tree 1 '3 versions for indices in rows'
expect tree 2 masked.gather
expect tree 1 masked.scatter
expect_vectors tree 2 '<32 x i32>'
# Without gathers and scatters the versions are all that vectors pay for.
compile tree_apart haswell <"$folder/tree.cl"
expect_remark tree_apart 1 '3 versions for indices in rows; not vectorized'
expect tree_apart 0 masked.gather

# Even and odd elements are one access, which no shuffle is needed for where they are only moved. What lies between
# elements of global memory may be another thread's, and is not stored.
compile even_and_odd <<'CL'
kernel void even_and_odd(global const uint *restrict in, global uint *restrict out) {
  const size_t i = get_global_id(0);
  const uint even = in[2 * i], odd = in[2 * i + 1];
  out[4 * i] = even;
  out[4 * i + 2] = odd;
}
CL
expect even_and_odd 1 masked.load
expect even_and_odd 1 masked.store

# A test for the first work-item is not made by all.
compile first <<'CL'
kernel void first(global uint *out, local uint *tile) {
  tile[get_local_id(0)] = out[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = tile[get_local_size(0) - 1];
}
CL
! grep -q 'icmp eq <' "$folder/first.ll" || fail 'first asks all lanes whether they are the first'

# The pitch of a matrix is what it is in all turns: no version for small ones.
compile pitch <<'CL'
kernel void pitch(global const uint *in, global uint *out, uint n) {
  const uint i = get_global_id(0);
  uint sum = 0;
  for (uint k = 0; k < n; k++) sum += in[i * n + k];
  out[i] = sum;
}
CL
expect_remark pitch 0 versions

# Short rows that are whole vectors, of which there are many: nothing in them is asked for again.
compile tiles <<'CL'
kernel void tiles(global const uint *restrict in, global uint *restrict out, uint n) {
  local uint tile[16][16];
  const uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  tile[y][x] = in[row * n + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[row * n + column] = tile[get_local_size(1) - 1 - y][x];
}
CL
expect_remark tiles 2 'whole rows without masks'
# Whole vectors in a row are what is stored without a mask: their addresses grow by a constant from row to row.
multiplies=$(awk -v RS= '/store <16 x i32>/ && / mul /' "$folder/tiles.ll")
[[ -z $multiplies ]] || fail "tiles computes an address in each row: $multiplies"

# The same where rows are merged, and where all rows go the same way at a branch.
compile product <<'CL'
kernel void product(global const uint *restrict a, global const uint *restrict b, global uint *restrict out, uint n) {
  local uint tile[16][16], other[16][16];
  const uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  uint sum = 0;
  for (uint start = 0; start < n; start += 16) {
    tile[y][x] = a[row * n + start + x];
    other[y][x] = b[(start + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; k++) sum += tile[y][k] * other[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * n + column] = sum;
}
CL
expect_remark product 3 'whole rows without masks'
expect_remark product 1 '4 rows of 16 work-items at once, whole rows without masks'
both=$(awk -v RS= '/store <16 x i32>/ && / mul i/' "$folder/product.ll")
[[ -z $both ]] || fail "product computes an address in each row: $both"
# Sums of eight rows side by side, where the machine has the registers, and of four under masks.
sums=$(awk -v RS= '/store <16 x i32>/ { print gsub(/ mul <16 x i32>/, "") }' "$folder/product.ll" | sort -n | tail -1)
[[ $sums == 128 ]] || fail "product has $sums products of whole rows, and should have 8 times 16"
# A sum of indices that is added to one pointer alone is an address itself, which multiplications can load from.
scalars=$(awk -v RS= '/store <16 x i32>/ && / mul <16 x i32>/' "$folder/product.ll" | grep -c ' phi ptr addrspace(3) ')
[[ $scalars == 2 ]] || fail "product has $scalars addresses of tiles that grow, and should have one for four rows"
# A sum is kept in one place around both barriers: where tiles are loaded, nothing else is.
loads=$(awk -v RS= '/call void @llvm.prefetch.*, i32 0, / { print gsub(/ load <16 x i32>/, "") }' "$folder/product.ll" |
  sort -u)
[[ $loads == 2 ]] || fail "product loads $loads vectors where it loads two tiles"

# The tile of b in the next turn lies rows of the matrix away, that of a just beside. There is a first turn apart, and
# rows of zeros where there is none.
expect product 3 prefetch

# Rows of the next work-group are fetched ahead, those that are stored to as well: each is in a page of its own. So is
# the row that is left over. Not so what each lane loads by itself, nor lines that rows share.
expect tiles 1 prefetch
compile turned_tiles <<'CL'
kernel void turned_tiles(global const uint *restrict in, global uint *restrict out, uint n) {
  local uint tile[16][17];
  const size_t x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 16, row = get_group_id(1) * 16;
  tile[y][x] = in[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * n + row + x] = tile[x][y];
}
CL
expect turned_tiles 6 prefetch
expect turned_tiles 5 'prefetch.p1(ptr addrspace(1) %[0-9]*, i32 1,'
compile turned <<'CL'
kernel void turned(global const uint *restrict in, global uint *restrict out, uint n) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}
CL
expect turned 4 prefetch
compile box <<'CL'
kernel void box(global const float *restrict in, global float *restrict out, uint n) {
  const uint column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint j = 0; j < 3; j++) {
    for (uint i = 0; i < 3; i++) sum += in[(row + j) * n + column + i];
  }
  out[row * n + column] += sum;
}
CL
expect box 2 prefetch
expect box 1 'prefetch.p1(ptr addrspace(1) %[0-9]*, i32 1,'
# What a kernel with barriers loads at its begin and stores at its end is fetched ahead, 64 bytes at a time; not what it
# loads in turns.
compile blocks <<'CL'
kernel void blocks(global const uint2 *restrict in, global uint *restrict out, local uint2 *block, uint n) {
  const size_t i = get_global_id(0), lane = get_local_id(0);
  block[lane] = in[i];
  for (uint turn = 0; turn < n; turn++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    block[lane].x += block[turn].y + in[turn * n + i].x;
  }
  out[i] = block[lane].x;
}
CL
expect blocks 3 prefetch
expect blocks 1 'prefetch.p1(ptr addrspace(1) %[0-9]*, i32 1,'
# What a group strides through is fetched four KiB ahead, or a turn, four lines at a time, and one under a mask.
compile strides <<'CL'
kernel void strides(global const uint *restrict in, global uint *restrict out, local uint *sums, uint n) {
  uint sum = 0;
  for (uint i = get_local_id(0); i < n; i += get_local_size(0)) sum += in[get_group_id(0) * n + i];
  out[get_global_id(0)] = sum;
}
CL
expect strides 6 prefetch
expect strides 1 'prefetch.p1(ptr addrspace(1) %[0-9]*, i32 1,'
expect strides 2 'umax.i64(i64 %[0-9]*, i64 4096)'
# A border is no bound: the number of the first work-item in a row wraps, and all of its group would go one by one.
compile border <<'CL'
kernel void border(global const float *restrict in, global float *restrict out, uint n) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x - 1 < n - 2) out[y * 1024 + x] = in[y * 1024 + x - 1] + in[y * 1024 + x + 1];
}
CL
expect border 0 umin

# What is stored past the caches is made of lines that are fetched ahead, and is so for multiples of the number, too.
compile stream <<'CL'
kernel void stream(global const float *restrict in, global float *restrict out, uint n) {
  const size_t i = get_global_id(0);
  if (i * 4 < n) vstore4(vload4(i, in) * 2, i, out);
}
CL
expect stream 4 prefetch
stores=$(grep -c 'store <64 x float>.*!nontemporal' "$folder/stream.ll" || true)
[[ $stores == 1 ]] || fail "stream has $stores stores past the caches, and should have one"

# Words are walked over byte by byte: four turns read one element of 32 bits, and up to three odd ones another.
compile words <<'CL'
kernel void words(global const uint *restrict starts, global const uchar *restrict text, global uint *restrict out) {
  const size_t i = get_global_id(0);
  uint hash = 0;
  for (uint at = starts[i]; at < starts[i + 1]; at++) hash = (hash ^ text[at]) * 0x01000193;
  out[i] = hash;
}
CL
expect_remark words 1 '4 times a turn, turns of inner loops joined'
expect words 2 masked.gather.v64i32
expect words 0 masked.gather.v16i32
# That is one form under masks, and one for few work-items; a line of a plane, which may be short, has one for vectors.
[[ $(grep -c 'icmp ult i64 .*, 8$' "$folder/words.ll") == 1 ]] || fail "words has no form for few work-items"
compile words_in_planes <<'CL'
kernel void words_in_planes(global const uint *restrict starts, global const uchar *restrict text,
                            global uint *restrict out) {
  const size_t i = get_global_id(1) * 640 + get_global_id(0);
  uint hash = 0;
  for (uint at = starts[i]; at < starts[i + 1]; at++) hash = (hash ^ text[at]) * 0x01000193;
  out[i] = hash;
}
CL
expect words_in_planes 2 masked.gather.v64i32
expect words_in_planes 2 masked.gather.v16i32
# In the loop over groups addresses have a base that grows, and 32 bits of their own. What a work-item has stays in one
# place when it is done.
loop=$(awk -v RS= '/ phi ptr / && /masked.gather.v64i32/' "$folder/words.ll")
[[ $loop == *'getelementptr i8, '*', <64 x i32> '* && $loop != *'<64 x i64>'* ]] ||
  fail "words gathers by wide indices in its loop: $loop"
[[ $(grep -c 'select .*<64 x i32>' <<<"$loop") == 1 ]] || fail "words keeps one value, and should select one: $loop"
# Each turn's mask comes of the number of groups that a lane has, and the loop ends with the highest of them.
[[ $loop != *'phi <64 x i1>'* && $loop != *'bitcast <64 x i1>'* ]] || fail "words carries its mask: $loop"

# Where the machine gathers no faster than it loads lane by lane, 16 bytes of each lane are one load, and its turns are
# selected one by one.
compile words_in_windows znver4 <<'CL'
kernel void words_in_windows(global const uint *restrict starts, global const uchar *restrict text,
                             global uint *restrict out) {
  const size_t i = get_global_id(0);
  uint hash = 0;
  for (uint at = starts[i]; at < starts[i + 1]; at++) hash = (hash ^ text[at]) * 0x01000193;
  out[i] = hash;
}
CL
expect_remark words_in_windows 1 '2 times a turn, turns of inner loops joined'
expect words_in_windows 0 masked.gather
[[ $(grep -c 'load <4 x i32>, .*align 1' "$folder/words_in_windows.ll") == 32 ]] ||
  fail "words_in_windows does not load once for each lane"

# A guest may be shown the model of a CPU that gathers slowly, and have the features of one that does not.
QUERN_CPU_FEATURES=+avx512fp16 compile words_of_guest rocketlake <"$folder/words.cl"
expect words_of_guest 2 masked.gather.v64i32
compile words_of_leaking rocketlake <"$folder/words.cl"
expect words_of_leaking 0 masked.gather

# Each word ends where the next one begins: what is behind the last one is fetched ahead. Not where that is not known.
expect words 2 prefetch
compile pieces <<'CL'
kernel void pieces(global const uint *restrict starts, global const uint *restrict lengths,
                   global const uchar *restrict text, global uint *restrict out) {
  const size_t i = get_global_id(0);
  uint hash = 0;
  for (uint at = starts[i]; at < starts[i] + lengths[i]; at++) hash = (hash ^ text[at]) * 0x01000193;
  out[i] = hash;
}
CL
expect_remark pieces 1 'turns of inner loops joined'
expect pieces 0 prefetch

# Neighbours read what lies side by side in each turn: that is a row.
compile filter <<'CL'
kernel void filter(global const uchar *restrict in, global uint *restrict out, uint n) {
  const size_t i = get_global_id(0);
  uint sum = 0;
  for (size_t k = 0; k < n; k++) sum = sum * 3 + in[i + k];
  out[i] = sum;
}
CL
expect_remark filter 0 joined
expect filter 0 masked.gather

# What is stored may be read in the turn behind.
compile stored <<'CL'
kernel void stored(global const uint *starts, global const uchar *text, global uint *out) {
  const size_t i = get_global_id(0);
  uint hash = 0;
  for (uint at = starts[i]; at < starts[i + 1]; at++) out[i] = hash = (hash ^ text[at]) * 0x01000193;
}
CL
expect_remark stored 0 joined

# A turn waits for what the one before computed, and the processor for both: two vectors of work-items take turns. Not
# so where there is enough to do.
compile escape <<'CL'
kernel void escape(global int *restrict steps, float cy, int limit) {
  const uint i = get_global_id(0);
  float x = 0, y = 0;
  int step = 0;
  while (step < limit && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + 0.01f * i;
    y = 2.0f * x * y + cy;
    x = next;
    step++;
  }
  steps[i] = step;
}
CL
expect_remark escape 1 '2 times a turn'
compile busy <<'CL'
kernel void busy(global int *restrict out, uint limit) {
  const uint i = get_global_id(0);
  uint state = i | 1;
  int x = 0, y = 0;
  while (x * x + y * y < (int)limit) {
    state ^= state << 13;
    state ^= state >> 17;
    x += state & 3;
    y += (state >> 5 & 3) - (state >> 9 & 1);
    if (state >> 31) x ^= y;
  }
  out[i] = x;
}
CL
expect_remark busy 0 'times a turn'

# Divisions and roots wait for each other where there is no loop: two vectors a turn wait less.
compile divisions <<'CL'
kernel void divisions(global const float *restrict in, global float *restrict out, uint n) {
  const uint i = get_global_id(0);
  if (i < n) out[i] = 3 / (1 + sqrt(in[i]) / (2 + in[i]));
}
CL
expect_remark divisions 1 '2 times a turn'

# An inverse root may be off by as much as the CPU's estimate is after a step. Not where it might be taken for a
# division of the kernel that may not.
for options in '' -cl-fp32-correctly-rounded-divide-sqrt; do
  cat >"$folder/roots.cl" <<'CL'
kernel void roots(global const float *restrict in, global float *restrict out) {
  out[get_global_id(0)] = rsqrt(in[get_global_id(0)]);
}
CL
  QUERN_CPU=sapphirerapids QUERN_VECTORIZE=1 QUERN_CACHE=0 \
    "$quernc" --emit=final -o "$folder/roots.ll" ${options:+"$options"} "$folder/roots.cl"
  grep -q 'call .*rsqrt14\.ps\.512' "$folder/roots.ll" || fail "roots has no estimate with '$options'"
done
cat >"$folder/both.cl" <<'CL'
kernel void both(global const float *restrict in, global float *restrict out, global float *restrict exact) {
  const size_t i = get_global_id(0);
  out[i] = rsqrt(in[i]) + half_rsqrt(in[i] + 1);
  exact[i] = 1 / sqrt(in[i]);
}
CL
QUERN_CPU=sapphirerapids QUERN_VECTORIZE=1 QUERN_CACHE=0 "$quernc" --emit=final -o "$folder/both.ll" \
  -cl-fp32-correctly-rounded-divide-sqrt "$folder/both.cl"
! grep -q rsqrt14 "$folder/both.ll" || fail "both divides by an estimate"
grep -q 'fdiv <' "$folder/both.ll" || fail "both does not divide"

# A division that may be approximate is made from the estimate of 14 bits, which 16 floats have, and from no other.
cat >"$folder/relaxed.cl" <<'CL'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void relaxed(global const T *restrict in, global const T *restrict by, global T *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = in[i] / by[i];
}
CL
for target in 'sapphirerapids 16 float' 'sapphirerapids 16 float4' 'sapphirerapids 8 float2' 'sapphirerapids 8 float' \
  'sapphirerapids 0 float3' 'sapphirerapids 32 half' 'sapphirerapids 0 half' 'haswell 8 float' 'nehalem 4 float'; do
  read -r cpu width type <<<"$target"
  QUERN_CPU=$cpu QUERN_VECTORIZE=$width QUERN_CACHE=0 "$quernc" --emit=asm -cl-fast-relaxed-math -DT="$type" \
    -o "$folder/relaxed.s" "$folder/relaxed.cl"
  estimates=$(grep -oE '\bv?rcp[a-z0-9]*' "$folder/relaxed.s" | sort -u || true)
  if [[ $target == *'16 float'* || $target == *float2 ]]; then expected=vrcp14ps; else expected=''; fi
  [[ $estimates == "$expected" ]] || fail "a relaxed division is made from '$estimates' for $target"
done

# The power of two in an exponential is one instruction for each vector of 16, and no call anywhere.
cat >"$folder/power.cl" <<'CL'
kernel void power(global const float *restrict in, global float *restrict out) {
  out[get_global_id(0)] = exp(in[get_global_id(0)]);
}
CL
for cpu in sapphirerapids haswell; do
  QUERN_CPU=$cpu QUERN_VECTORIZE=1 QUERN_CACHE=0 "$quernc" --emit=final -o "$folder/power-$cpu.ll" "$folder/power.cl"
  ! grep -q 'llvm\.ldexp' "$folder/power-$cpu.ll" || fail "power is left to the C library on $cpu"
done
grep -q 'call .*mask\.scalef\.ps\.512' "$folder/power-sapphirerapids.ll" || fail 'power has no instruction'
! grep -q scalef "$folder/power-haswell.ll" || fail 'power is scaled by an instruction that there is not'

# Where lanes are loaded and stored one by one, those that are off do it where it does not matter: they are not jumped
# over.
compile apart haswell <<'CL'
kernel void apart(global const int *restrict in, global const int *restrict at, global float *restrict out) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (int k = at[i]; k > 0; k = in[k]) sum = sqrt(sum * k + sum / k);
  if (sum > 1) out[at[i]] = sum;
}
CL
expect apart 2 masked.gather
expect apart 2 masked.scatter
[[ $(grep -c 'masked.\(gather\|scatter\).*i1> splat (i1 true)' "$folder/apart.ll") == 4 ]] ||
  fail "apart jumps over lanes that are off"

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
for name in takes_lock waits_for_turn; do
  expect_remark waits 1 "kernel '$name': not vectorized: work-items may wait for each other in a loop"
done
expect_remark waits 2 'wait for each other'
for name in inserts wraps looks_first allocates takes_work drains joins unites settles looks_back; do
  expect_remark waits 1 "kernel '$name': .* work-items at once"
done

# Elements lie in a row where a test keeps them there, and mostly where rows are rings.
compile grid <<'CL'
kernel void grid(global const float *restrict in, global float *restrict out) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x < 1024 && y < 1024) out[y * 1024 + x] = in[y * 1024 + x] * 2;
}
kernel void inner(global const float *restrict in, global float *restrict out) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < 1023 && y < 1023) out[y * 1024 + x] = in[(y - 1) * 1024 + x] + in[(y + 1) * 1024 + x];
}
CL
expect grid 0 masked.gather
expect grid 0 masked.scatter
compile rings <<'CL'
kernel void rings(global const float *restrict in, global float *restrict out) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[y * 1000 + x] = in[y * 1024 + ((x - 1) & 1023)] + in[y * 1024 + ((x + 1) & 1023)];
}
CL
grep -qE 'load <16 x float>|masked\.load\.v16f32' "$folder/rings.ll" || fail "rings has no rows"
! grep -q 'select i1 .*, i64 16, i64 1$' "$folder/rings.ll" || fail "rings goes one by one"
# Where a row does not hold what it should, work-items go one by one: not because of one that is off.
compile bordered <<'CL'
kernel void bordered(global const float *restrict in, global float *restrict out) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      const int column = x + i, row = y + j;
      if (column >= 0 && row >= 0 && column < 1024 && row < 1024) sum += in[row * 1024 + column];
    }
  }
  out[y * 1000 + x] = sum;
}
CL
! grep -q ' or .*i32 ' "$folder/bordered.ll" || fail "bordered asks for bits of work-items that are off"

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

# LLVM takes bytes with nothing between them for extended ones, and went round for ever.
cat >"$folder/spread.cl" <<'CL'
kernel void spread(global const uchar *in, global uchar *out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  out[2 * i] = in[3 * i] + in[3 * i + 2];
  if (i + 1 < n) out[2 * i + 1] = in[3 * i + 4];
}
kernel void spread_vectors(global const uchar *in, global uchar2 *out) {
  const size_t i = get_global_id(0);
  uchar2 pair;
  pair.x = in[3 * i] + in[3 * i + 2];
  out[i] = pair;
}
CL
QUERN_CPU=sapphirerapids QUERN_VECTORIZE=64 QUERN_CACHE=0 \
  timeout 20 "$quernc" --emit=asm -o "$folder/spread.s" "$folder/spread.cl" 2>"$folder/spread.remarks" ||
  fail "spread does not come to an end"

# In a network whose blocks have the length of a vector, or more, elements lie in rows. Where gathers take as long as
# loads one by one, all other turns go without.
for cpu in sapphirerapids skylake-avx512 znver4; do
  compile "network-$cpu" "$cpu" <<'CL'
kernel void network(global float2 *restrict inout, local float2 *block, uint stages) {
  const uint lane = get_local_id(0), lanes = get_local_size(0);
  for (uint stage = 0; stage < stages; stage++) {
    const uint stride = 1u << stage, low = 2 * lane - (lane & (stride - 1)), high = low + stride;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float2 a = block[low], b = block[high];
    block[low] = a + b;
    block[high] = a - b;
  }
  inout[lane] = block[lane];
}
CL
  expect_remark "network-$cpu" 1 '1 version for indices in rows'
done
expect_remark network-sapphirerapids 0 'not vectorized'
expect_remark network-skylake-avx512 1 'not vectorized'
expect_remark network-znver4 1 'not vectorized'

# Work-items that have nothing to do get no turn where they go one by one, too.
compile shrinking znver4 <<'CL'
kernel void shrinking(local double *values, global const uint *restrict next, uint lanes) {
  const uint lane = get_local_id(0);
  for (uint active = lanes; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < active) values[next[next[lane]]] += values[next[lane]];
  }
}
CL
expect_remark shrinking 1 'not vectorized'
grep -q '@llvm.umin' "$folder/shrinking.ll" || fail 'shrinking has turns for all work-items'

# What rows and columns exchange is stored by rows: four at once, 16 bytes for each work-item.
compile columns <<'CL'
kernel void columns(global const float *restrict in, global float *restrict out, uint n) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  out[column * n + row] = in[row * n + column];
}
CL
expect_remark columns 1 '4 rows of 16 work-items at once, whole rows without masks'
[[ $(grep -c 'store <4 x float>' "$folder/columns.ll") -ge 8 ]] ||
  fail 'columns are stored one element at a time'

# A group whose work-items stride through memory does so together: sums are kept from turn to turn. Sub-groups, and
# loops that not all come to, are left alone.
compile strided <<'CL'
kernel void strided(global const float *in, global float *out, uint count) {
  float sum = 0;
  for (uint i = get_local_id(0); i < count; i += get_local_size(0)) sum += in[i];
  out[get_global_id(0)] = sum;
}
CL
expect_remark strided 3 '16 work-items at once'
compile parted <<'CL'
kernel void parted(global const float *in, global float *out, uint count) {
  float sum = 0;
  if (get_local_id(0) % 3 == 0) return;
  for (uint i = get_local_id(0); i < count; i += get_local_size(0)) sum += in[i];
  out[get_global_id(0)] = sum;
}
CL
expect_remark parted 1 '16 work-items at once'

# So is a loop behind which much is used that was there before: it would be stored and loaded again.
compile living <<'CL'
kernel void living(global const float *in, global float *out, uint count) {
  const float16 a = vload16(0, in + get_global_id(0)), b = a * in[get_global_id(0) + 16];
  float sum = 0;
  for (uint i = get_local_id(0); i < count; i += get_local_size(0)) sum += in[i];
  out[get_global_id(0)] = sum + dot(a.s0123, b.s4567) + dot(a.s89ab, b.scdef) + dot(a.s4567, b.s0123);
}
CL
expect_remark living 1 '16 work-items at once'

# So is what is ordered in a turn, and what would be cut in each turn of another loop.
alone() { # name, what the loop stands in, what it does
  compile "$1" <<CL
kernel void $1(global const volatile uint *shown, global const uint *in, global uint *out, ulong n) {
  uint sum = 0;
  $2 for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) { $3 }
  out[get_global_id(0)] = sum;
}
CL
  expect_remark "$1" 1 '16 work-items at once'
}
alone ordered '' 'sum += shown[i];'
alone fenced '' 'sum += in[i]; mem_fence(CLK_GLOBAL_MEM_FENCE);'
alone nested 'for (uint row = 0; row < in[5]; row++)' 'sum = sum * row + in[i];'
alone divergent 'if (in[get_global_id(0)] & 1)' 'sum += in[i];'
alone few '' 'sum += in[i]; i += 100 - get_local_size(0);'

# What is fetched once for all turns, in a program that has something for debuggers.
cat >"$folder/described.cl" <<'CL'
kernel void described(global const float *in, global float *out, uint n, global const float *scale) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] * scale[3];
}
CL
QUERN_CACHE=0 "$quernc" -g -o "$folder/described.bin" "$folder/described.cl" || fail 'described does not build with -g'
