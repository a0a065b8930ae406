/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reductions and scans over a sub-group, or over those of its work-items that are there. */

#include "sub_group.clh"

/* `kind` is the operation as the compiler knows it. In which order floating-point values are combined is open. */
#define DECLARE_OPERATION(T, kind)                                                                                     \
  SUB_GROUP_OVER T CAT2(__quern_sub_group_reduce_, kind)(T value);                                                     \
  SUB_GROUP_OVER T CAT2(__quern_sub_group_scan_inclusive_, kind)(T value);                                             \
  SUB_GROUP_OVER T CAT2(__quern_sub_group_scan_exclusive_, kind)(T value);                                             \
  SUB_GROUP_OVER T CAT2(__quern_sub_group_clustered_, kind)(T value, uint size);

#define DEFINE_UNIFORM(T, name, kind)                                                                                  \
  SUB_GROUP_OVER T CAT2(sub_group_reduce_, name)(T x) { return CAT2(__quern_sub_group_reduce_, kind)(x); }             \
  SUB_GROUP_OVER T CAT2(sub_group_scan_inclusive_, name)(T x)                                                          \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_scan_inclusive_, kind)(x);                                                           \
  }                                                                                                                    \
  SUB_GROUP_OVER T CAT2(sub_group_scan_exclusive_, name)(T x)                                                          \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_scan_exclusive_, kind)(x);                                                           \
  }

#define DEFINE_NON_UNIFORM(T, name, kind)                                                                              \
  SUB_GROUP_OVER T CAT2(sub_group_non_uniform_reduce_, name)(T x)                                                      \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_reduce_, kind)(x);                                                                   \
  }                                                                                                                    \
  SUB_GROUP_OVER T CAT2(sub_group_non_uniform_scan_inclusive_, name)(T x)                                              \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_scan_inclusive_, kind)(x);                                                           \
  }                                                                                                                    \
  SUB_GROUP_OVER T CAT2(sub_group_non_uniform_scan_exclusive_, name)(T x)                                              \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_scan_exclusive_, kind)(x);                                                           \
  }                                                                                                                    \
  SUB_GROUP_OVER T CAT2(sub_group_clustered_reduce_, name)(T x, uint size)                                             \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_clustered_, kind)(x, size);                                                          \
  }

#define DEFINE_NUMBERS(T, least, greatest)                                                                             \
  DECLARE_OPERATION(T, add)                                                                                            \
  DECLARE_OPERATION(T, mul)                                                                                            \
  DECLARE_OPERATION(T, least)                                                                                          \
  DECLARE_OPERATION(T, greatest)                                                                                       \
  DEFINE_UNIFORM(T, add, add)                                                                                          \
  DEFINE_UNIFORM(T, mul, mul)                                                                                          \
  DEFINE_UNIFORM(T, min, least)                                                                                        \
  DEFINE_UNIFORM(T, max, greatest)                                                                                     \
  DEFINE_NON_UNIFORM(T, add, add)                                                                                      \
  DEFINE_NON_UNIFORM(T, mul, mul)                                                                                      \
  DEFINE_NON_UNIFORM(T, min, least)                                                                                    \
  DEFINE_NON_UNIFORM(T, max, greatest)

#define DEFINE_BITS(T)                                                                                                 \
  DECLARE_OPERATION(T, and)                                                                                            \
  DECLARE_OPERATION(T, or)                                                                                             \
  DECLARE_OPERATION(T, xor)                                                                                            \
  DEFINE_UNIFORM(T, and, and)                                                                                          \
  DEFINE_UNIFORM(T, or, or)                                                                                            \
  DEFINE_UNIFORM(T, xor, xor)                                                                                          \
  DEFINE_NON_UNIFORM(T, and, and)                                                                                      \
  DEFINE_NON_UNIFORM(T, or, or)                                                                                        \
  DEFINE_NON_UNIFORM(T, xor, xor)

#define DEFINE_SIGNED(T) DEFINE_NUMBERS(T, smin, smax) DEFINE_BITS(T)
#define DEFINE_UNSIGNED(T) DEFINE_NUMBERS(T, umin, umax) DEFINE_BITS(T)

DEFINE_SIGNED(char)
DEFINE_UNSIGNED(uchar)
DEFINE_SIGNED(short)
DEFINE_UNSIGNED(ushort)
DEFINE_SIGNED(int)
DEFINE_UNSIGNED(uint)
DEFINE_SIGNED(long)
DEFINE_UNSIGNED(ulong)
DEFINE_NUMBERS(half, fmin, fmax)
DEFINE_NUMBERS(float, fmin, fmax)
DEFINE_NUMBERS(double, fmin, fmax)

/* cl_intel_subgroups_short, cl_intel_subgroups_char: names of their own. */
#define DEFINE_INTEL(T)                                                                                                \
  SUB_GROUP_OVER T intel_sub_group_reduce_add(T x) { return sub_group_reduce_add(x); }                                 \
  SUB_GROUP_OVER T intel_sub_group_reduce_min(T x) { return sub_group_reduce_min(x); }                                 \
  SUB_GROUP_OVER T intel_sub_group_reduce_max(T x) { return sub_group_reduce_max(x); }                                 \
  SUB_GROUP_OVER T intel_sub_group_scan_inclusive_add(T x) { return sub_group_scan_inclusive_add(x); }                 \
  SUB_GROUP_OVER T intel_sub_group_scan_inclusive_min(T x) { return sub_group_scan_inclusive_min(x); }                 \
  SUB_GROUP_OVER T intel_sub_group_scan_inclusive_max(T x) { return sub_group_scan_inclusive_max(x); }                 \
  SUB_GROUP_OVER T intel_sub_group_scan_exclusive_add(T x) { return sub_group_scan_exclusive_add(x); }                 \
  SUB_GROUP_OVER T intel_sub_group_scan_exclusive_min(T x) { return sub_group_scan_exclusive_min(x); }                 \
  SUB_GROUP_OVER T intel_sub_group_scan_exclusive_max(T x) { return sub_group_scan_exclusive_max(x); }

DEFINE_INTEL(char)
DEFINE_INTEL(uchar)
DEFINE_INTEL(short)
DEFINE_INTEL(ushort)

/* Of conditions, whatever their bits. */
#define DEFINE_LOGICAL(name, kind)                                                                                     \
  SUB_GROUP_OVER int CAT2(sub_group_reduce_logical_, name)(int x)                                                      \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_reduce_, kind)(x ? 1 : 0) & 1;                                                       \
  }                                                                                                                    \
  SUB_GROUP_OVER int CAT2(sub_group_scan_inclusive_logical_, name)(int x)                                              \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_scan_inclusive_, kind)(x ? 1 : 0);                                                   \
  }                                                                                                                    \
  SUB_GROUP_OVER int CAT2(sub_group_scan_exclusive_logical_, name)(int x)                                              \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_scan_exclusive_, kind)(x ? 1 : 0) & 1;                                               \
  }                                                                                                                    \
  SUB_GROUP_OVER int CAT2(sub_group_non_uniform_reduce_logical_, name)(int x)                                          \
  {                                                                                                                    \
    return CAT2(sub_group_reduce_logical_, name)(x);                                                                   \
  }                                                                                                                    \
  SUB_GROUP_OVER int CAT2(sub_group_non_uniform_scan_inclusive_logical_, name)(int x)                                  \
  {                                                                                                                    \
    return CAT2(sub_group_scan_inclusive_logical_, name)(x);                                                           \
  }                                                                                                                    \
  SUB_GROUP_OVER int CAT2(sub_group_non_uniform_scan_exclusive_logical_, name)(int x)                                  \
  {                                                                                                                    \
    return CAT2(sub_group_scan_exclusive_logical_, name)(x);                                                           \
  }                                                                                                                    \
  SUB_GROUP_OVER int CAT2(sub_group_clustered_reduce_logical_, name)(int x, uint size)                                 \
  {                                                                                                                    \
    return CAT2(__quern_sub_group_clustered_, kind)(x ? 1 : 0, size) & 1;                                              \
  }

DEFINE_LOGICAL(and, and)
DEFINE_LOGICAL(or, or)
DEFINE_LOGICAL(xor, xor)
