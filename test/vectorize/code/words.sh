#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Loops over bytes: one load for several iterations.
#   words.sh QUERNC
# shellcheck source=test/vectorize/code/common.sh
source "$(dirname "$0")/common.sh"

# Words are read byte by byte: four iterations load one element of 32 bits, and up to three remaining ones another.
compile words <<'CL'
kernel void words(global const uint *restrict starts, global const uchar *restrict text, global uint *restrict out) {
  const size_t i = get_global_id(0);
  uint hash = 0;
  for (uint at = starts[i]; at < starts[i + 1]; at++) hash = (hash ^ text[at]) * 0x01000193;
  out[i] = hash;
}
CL
expect_remark words 1 'interleave count 4), inner loops unrolled with wide loads'
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
# Each iteration's mask comes of the number of groups that a lane has, and the loop ends with the highest of them.
[[ $loop != *'phi <64 x i1>'* && $loop != *'bitcast <64 x i1>'* ]] || fail "words carries its mask: $loop"

# Where the machine gathers no faster than it loads lane by lane, 16 bytes of each lane are one load, and so are the
# remaining ones.
compile words_in_slices znver4 <<'CL'
kernel void words_in_slices(global const uint *restrict starts, global const uchar *restrict text,
                             global uint *restrict out) {
  const size_t i = get_global_id(0);
  uint hash = 0;
  for (uint at = starts[i]; at < starts[i + 1]; at++) hash = (hash ^ text[at]) * 0x01000193;
  out[i] = hash;
}
CL
expect_remark words_in_slices 1 'interleave count 4), inner loops unrolled with wide loads'
expect words_in_slices 0 masked.gather
[[ $(grep -c 'load <4 x i32>, .*align 1' "$folder/words_in_slices.ll") == 128 ]] ||
  fail "words_in_slices does not load twice for each of 64 lanes"

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
expect_remark pieces 1 'inner loops unrolled with wide loads'
expect pieces 0 prefetch

# What is stored may be read in the next iteration.
compile stored <<'CL'
kernel void stored(global const uint *starts, global const uchar *text, global uint *out) {
  const size_t i = get_global_id(0);
  uint hash = 0;
  for (uint at = starts[i]; at < starts[i + 1]; at++) out[i] = hash = (hash ^ text[at]) * 0x01000193;
}
CL
expect_remark stored 0 'unrolled with wide loads'

# A row of a matrix for each work-item: where gathers are slow, lanes load four columns at once and transpose them.
compile row znver4 <<'CL'
kernel void row(global const float *restrict matrix, global const float *restrict vector, global float *restrict out,
                int columns) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < columns; k++) sum += matrix[i * columns + k] * vector[k];
  out[i] = sum;
}
CL
expect_remark row 1 'inner loops unrolled with wide loads'
slices=$(grep -c 'load <4 x i32>, ' "$folder/row.ll" || true)
((slices >= 16)) || fail "row loads $slices slices, and should load one for each lane"
# Where they are fast, each column is gathered.
compile row_gathered <"$folder/row.cl"
expect_remark row_gathered 0 'inner loops unrolled with wide loads'

# Each work-item reads a slice of its own (Boost.Compute's count for processors): loads lane by lane are as uncertain as
# gathers, so that there is a scalar variant too, for launches with few work-items.
compile count_in_slices znver3 <<'CL'
kernel void count_in_slices(ulong size, global ulong *counts, global const int *in) {
  const uint gid = get_global_id(0), block = size / get_global_size(0), start = block * gid;
  const uint end = gid == get_global_size(0) - 1 ? size : start + block;
  uint count = 0;
  for (uint i = start; i < end; i++)
    if (in[i] == 4) count++;
  counts[gid] = count;
}
CL
expect_remark count_in_slices 1 'inner loops unrolled with wide loads, or scalar, whichever is measured faster'
