/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Blocks of memory that a sub-group reads and writes together (cl_intel_subgroups and its kin): neighbouring work-items
 * have neighbouring elements, and a component of a vector is a full sub-group behind the one before. */

#include "sub_group.clh"

#define DEFINE_BLOCK(T, suffix, TN, n)                                                                                 \
  SUB_GROUP_OVER TN CAT3(intel_sub_group_block_read, suffix, n)(const global T *p)                                    \
  {                                                                                                                    \
    union { TN vector; T elements[sizeof(TN) / sizeof(T)]; } block;                                                    \
    _Pragma("unroll") for (uint i = 0; i < sizeof(TN) / sizeof(T); i++)                                                \
      block.elements[i] = p[i * largest_size() + __quern_sub_group_local_id()];                                        \
    return block.vector;                                                                                               \
  }                                                                                                                    \
  SUB_GROUP_OVER void CAT3(intel_sub_group_block_write, suffix, n)(global T *p, TN data)                              \
  {                                                                                                                    \
    union { TN vector; T elements[sizeof(TN) / sizeof(T)]; } block = { data };                                         \
    _Pragma("unroll") for (uint i = 0; i < sizeof(TN) / sizeof(T); i++)                                                \
      p[i * largest_size() + __quern_sub_group_local_id()] = block.elements[i];                                        \
  }

#define DEFINE_FOR(T, suffix)                                                                                          \
  DEFINE_BLOCK(T, suffix, T, )                                                                                         \
  DEFINE_BLOCK(T, suffix, CAT2(T, 2), 2)                                                                               \
  DEFINE_BLOCK(T, suffix, CAT2(T, 4), 4)                                                                               \
  DEFINE_BLOCK(T, suffix, CAT2(T, 8), 8)                                                                               \
  DEFINE_BLOCK(T, suffix, CAT2(T, 16), 16)

DEFINE_FOR(uchar, _uc)
DEFINE_FOR(ushort, _us)
DEFINE_FOR(uint, _ui)
DEFINE_FOR(uint, )
DEFINE_FOR(ulong, _ul)
