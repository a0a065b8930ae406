/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-group collectives. Each work-item leaves its value in memory of the group, which the compiler provides; behind
 * a barrier the first one combines them, in a loop that the compiler can vectorize; behind another all take the answer.
 * No third barrier is needed between two of them. */

#include "collective_memory.clh"

#define NOT_INLINED static __attribute__((overloadable, noinline))

HELPER size_t group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#define VALUES(T) ((private T *)__quern_collective_memory())
#define ANSWERS(T) ((private T *)answer_memory())

#define ADD(a, b) ((a) + (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))
#define MUL(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

/* In which order floating-point values are added is the implementation's choice. A reduction has a start that changes
 * nothing, and goes over all values: from the second one on, vectors would be unaligned, and fifteen values of a group
 * of 256 would be left over. That of a sum is negative zero, as the sum of negative zeros is. Where a value may be
 * combined with itself it is the first one, which may be a NaN. */
#define DEFINE_COMBINATION(T, name, COMBINE, identity, start)                                                          \
  NOT_INLINED void CAT2(reduce_, name)(private const T *values, private T *answer, size_t count)                       \
  {                                                                                                                    \
    _Pragma("clang fp reassociate(on)") T all = start;                                                                 \
    for (size_t i = 0; i < count; i++)                                                                                 \
      all = COMBINE(all, values[i]);                                                                                   \
    *answer = all;                                                                                                     \
  }                                                                                                                    \
  NOT_INLINED void CAT2(scan_inclusive_, name)(private const T *values, private T *answers, size_t count)              \
  {                                                                                                                    \
    T all = values[0];                                                                                                 \
    answers[0] = all;                                                                                                  \
    for (size_t i = 1; i < count; i++)                                                                                 \
      answers[i] = all = COMBINE(all, values[i]);                                                                      \
  }                                                                                                                    \
  NOT_INLINED void CAT2(scan_exclusive_, name)(private const T *values, private T *answers, size_t count)              \
  {                                                                                                                    \
    T all = identity;                                                                                                  \
    for (size_t i = 0; i < count; i++) {                                                                               \
      answers[i] = all;                                                                                                \
      all = COMBINE(all, values[i]);                                                                                   \
    }                                                                                                                  \
  }                                                                                                                    \
  DEFINE_COLLECTIVE(T, CAT2(reduce_, name), 0)                                                                         \
  DEFINE_COLLECTIVE(T, CAT2(scan_inclusive_, name), own)                                                               \
  DEFINE_COLLECTIVE(T, CAT2(scan_exclusive_, name), own)

#define DEFINE_COLLECTIVE(T, combination, mine)                                                                        \
  OVER T CAT2(work_group_, combination)(T value)                                                                       \
  {                                                                                                                    \
    size_t own = get_local_linear_id();                                                                                \
    VALUES(T)[own] = value;                                                                                            \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (own == 0)                                                                                                      \
      combination(VALUES(T), ANSWERS(T), group_size());                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    return ANSWERS(T)[mine];                                                                                           \
  }

/* The work-item that has the value leaves it; the first one makes it the answer. */
#define DEFINE_BROADCAST_FROM(T, place, ...)                                                                           \
  OVER T work_group_broadcast(T value, __VA_ARGS__)                                                                    \
  {                                                                                                                    \
    size_t own = get_local_linear_id();                                                                                \
    if (own == (place))                                                                                                \
      *VALUES(T) = value;                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (own == 0)                                                                                                      \
      *ANSWERS(T) = *VALUES(T);                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    return *ANSWERS(T);                                                                                                \
  }
#define DEFINE_BROADCAST(T)                                                                                            \
  DEFINE_BROADCAST_FROM(T, x, size_t x)                                                                                \
  DEFINE_BROADCAST_FROM(T, y *get_local_size(0) + x, size_t x, size_t y)                                               \
  DEFINE_BROADCAST_FROM(T, (z * get_local_size(1) + y) * get_local_size(0) + x, size_t x, size_t y, size_t z)

#define DEFINE_FOR(T, least, greatest)                                                                                 \
  DEFINE_COMBINATION(T, add, ADD, 0, -(T)0)                                                                            \
  DEFINE_COMBINATION(T, min, MIN, greatest, values[0])                                                                 \
  DEFINE_COMBINATION(T, max, MAX, least, values[0])                                                                    \
  DEFINE_COMBINATION(T, mul, MUL, 1, 1)                                                                                \
  DEFINE_BROADCAST(T)

DEFINE_FOR(int, INT_MIN, INT_MAX)
DEFINE_FOR(uint, 0, UINT_MAX)
DEFINE_FOR(long, LONG_MIN, LONG_MAX)
DEFINE_FOR(ulong, 0, ULONG_MAX)
DEFINE_FOR(half, (half)-INFINITY, (half)INFINITY)
DEFINE_FOR(float, -INFINITY, INFINITY)
DEFINE_FOR(double, -INFINITY, INFINITY)

/* cl_khr_work_group_uniform_arithmetic, as mul is. */
#define DEFINE_BITS(T)                                                                                                 \
  DEFINE_COMBINATION(T, and, AND, (T)-1, values[0])                                                                    \
  DEFINE_COMBINATION(T, or, OR, 0, values[0])                                                                          \
  DEFINE_COMBINATION(T, xor, XOR, 0, 0)

DEFINE_BITS(int)
DEFINE_BITS(uint)
DEFINE_BITS(long)
DEFINE_BITS(ulong)

/* Of conditions, whatever their bits. */
#define DEFINE_LOGICAL(name)                                                                                           \
  OVER int CAT2(work_group_reduce_logical_, name)(int predicate)                                                       \
  {                                                                                                                    \
    return CAT2(work_group_reduce_, name)(predicate != 0 ? 1 : 0);                                                     \
  }                                                                                                                    \
  OVER int CAT2(work_group_scan_inclusive_logical_, name)(int predicate)                                               \
  {                                                                                                                    \
    return CAT2(work_group_scan_inclusive_, name)(predicate != 0 ? 1 : 0);                                             \
  }                                                                                                                    \
  OVER int CAT2(work_group_scan_exclusive_logical_, name)(int predicate)                                               \
  {                                                                                                                    \
    return CAT2(work_group_scan_exclusive_, name)(predicate != 0 ? 1 : 0) & 1;                                         \
  }

DEFINE_LOGICAL(and)
DEFINE_LOGICAL(or)
DEFINE_LOGICAL(xor)

OVER int work_group_all(int predicate) { return work_group_reduce_min(predicate != 0 ? 1 : 0); }
OVER int work_group_any(int predicate) { return work_group_reduce_max(predicate != 0 ? 1 : 0); }
