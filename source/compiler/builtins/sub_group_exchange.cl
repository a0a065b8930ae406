/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Values of other work-items of the sub-group. */

#include "sub_group.clh"

HELPER uint own(void) { return __quern_sub_group_local_id(); }

/* OpenCL C has vectors for broadcasts and for Intel's shuffles only, SPIR-V for all of these. */
#define DEFINE_TYPE(T)                                                                                               \
  SUB_GROUP_OVER T __quern_sub_group_broadcast(T value, uint index);                                                   \
  SUB_GROUP_OVER T __quern_sub_group_shuffle(T value, uint index);                                                     \
  SUB_GROUP_OVER T sub_group_broadcast(T value, uint index) { return __quern_sub_group_broadcast(value, index); }      \
  SUB_GROUP_OVER T sub_group_non_uniform_broadcast(T value, uint index)                                                \
  {                                                                                                                    \
    return __quern_sub_group_broadcast(value, index);                                                                  \
  }                                                                                                                    \
  SUB_GROUP_OVER T intel_sub_group_broadcast(T value, uint index)                                                      \
  {                                                                                                                    \
    return __quern_sub_group_broadcast(value, index);                                                                  \
  }                                                                                                                    \
  SUB_GROUP_OVER T intel_sub_group_shuffle(T value, uint index) { return __quern_sub_group_shuffle(value, index); }    \
  SUB_GROUP_OVER T intel_sub_group_shuffle_xor(T value, uint mask)                                                     \
  {                                                                                                                    \
    return __quern_sub_group_shuffle(value, own() ^ mask);                                                             \
  }                                                                                                                    \
  SUB_GROUP_OVER T intel_sub_group_shuffle_up(T previous, T current, uint delta)                                       \
  {                                                                                                                    \
    T from_previous = __quern_sub_group_shuffle(previous, own() + largest_size() - delta);                             \
    T from_current = __quern_sub_group_shuffle(current, own() - delta);                                                \
    return own() < delta ? from_previous : from_current;                                                               \
  }                                                                                                                    \
  SUB_GROUP_OVER T intel_sub_group_shuffle_down(T current, T next, uint delta)                                         \
  {                                                                                                                    \
    uint width = largest_size();                                                                                       \
    T from_current = __quern_sub_group_shuffle(current, own() + delta);                                                \
    T from_next = __quern_sub_group_shuffle(next, own() + delta - width);                                              \
    return own() + delta < width ? from_current : from_next;                                                           \
  }                                                                                                                    \
  SUB_GROUP_OVER T sub_group_broadcast_first(T value)                                                                  \
  {                                                                                                                    \
    return __quern_sub_group_broadcast(value, (uint)ctz(__quern_sub_group_ballot(1)));                                 \
  }                                                                                                                    \
  SUB_GROUP_OVER T sub_group_shuffle(T value, uint index) { return __quern_sub_group_shuffle(value, index); }          \
  SUB_GROUP_OVER T sub_group_shuffle_xor(T value, uint mask)                                                           \
  {                                                                                                                    \
    return __quern_sub_group_shuffle(value, own() ^ mask);                                                             \
  }                                                                                                                    \
  SUB_GROUP_OVER T sub_group_shuffle_up(T value, uint delta)                                                           \
  {                                                                                                                    \
    return __quern_sub_group_shuffle(value, own() - delta);                                                            \
  }                                                                                                                    \
  SUB_GROUP_OVER T sub_group_shuffle_down(T value, uint delta)                                                         \
  {                                                                                                                    \
    return __quern_sub_group_shuffle(value, own() + delta);                                                            \
  }                                                                                                                    \
  SUB_GROUP_OVER T sub_group_rotate(T value, int delta)                                                                \
  {                                                                                                                    \
    return __quern_sub_group_shuffle(value, (own() + (uint)delta) & (largest_size() - 1));                             \
  }                                                                                                                    \
  SUB_GROUP_OVER T sub_group_clustered_rotate(T value, int delta, uint size)                                           \
  {                                                                                                                    \
    return __quern_sub_group_shuffle(value, (own() & ~(size - 1)) | ((own() + (uint)delta) & (size - 1)));             \
  }

#define DEFINE_FOR(T)                                                                                                  \
  DEFINE_TYPE(T)                                                                                                     \
  DEFINE_TYPE(CAT2(T, 2))                                                                                            \
  DEFINE_TYPE(CAT2(T, 3))                                                                                            \
  DEFINE_TYPE(CAT2(T, 4))                                                                                            \
  DEFINE_TYPE(CAT2(T, 8))                                                                                            \
  DEFINE_TYPE(CAT2(T, 16))

DEFINE_FOR(char)
DEFINE_FOR(uchar)
DEFINE_FOR(short)
DEFINE_FOR(ushort)
DEFINE_FOR(int)
DEFINE_FOR(uint)
DEFINE_FOR(long)
DEFINE_FOR(ulong)
DEFINE_FOR(half)
DEFINE_FOR(float)
DEFINE_FOR(double)
