/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL 1.x atomics: atomic_* on 32 bits, atom_* on 32 and 64, in global and local memory; relaxed. */

#include "builtins.clh"

/* Qualifier volatile is part of the prototype only: it would keep the optimiser from improving an atomic operation. */
#define ATOMIC(space, T, p) ((space atomic_##T *)(p))
#define SCOPE_global memory_scope_device
#define SCOPE_local memory_scope_work_group

#define DEFINE_BINARY(space, T, name, operation)                                                                       \
  OVER T name(volatile space T *p, T value)                                                                            \
  {                                                                                                                    \
    return __opencl_atomic_##operation(ATOMIC(space, T, p), value, memory_order_relaxed, SCOPE_##space);               \
  }
#define DEFINE_UNARY(space, T, name, operation)                                                                        \
  OVER T name(volatile space T *p)                                                                                     \
  {                                                                                                                    \
    return __opencl_atomic_##operation(ATOMIC(space, T, p), (T)1, memory_order_relaxed, SCOPE_##space);                \
  }
#define DEFINE_EXCHANGE_IF_EQUAL(space, T, name)                                                                       \
  OVER T name(volatile space T *p, T expected, T value)                                                                \
  {                                                                                                                    \
    __opencl_atomic_compare_exchange_strong(ATOMIC(space, T, p), &expected, value, memory_order_relaxed,               \
                                            memory_order_relaxed, SCOPE_##space);                                      \
    return expected;                                                                                                   \
  }

#define DEFINE_ALL(space, T, prefix)                                                                                   \
  DEFINE_BINARY(space, T, prefix##_add, fetch_add)                                                                     \
  DEFINE_BINARY(space, T, prefix##_sub, fetch_sub)                                                                     \
  DEFINE_BINARY(space, T, prefix##_xchg, exchange)                                                                     \
  DEFINE_BINARY(space, T, prefix##_min, fetch_min)                                                                     \
  DEFINE_BINARY(space, T, prefix##_max, fetch_max)                                                                     \
  DEFINE_BINARY(space, T, prefix##_and, fetch_and)                                                                     \
  DEFINE_BINARY(space, T, prefix##_or, fetch_or)                                                                       \
  DEFINE_BINARY(space, T, prefix##_xor, fetch_xor)                                                                     \
  DEFINE_UNARY(space, T, prefix##_inc, fetch_add)                                                                      \
  DEFINE_UNARY(space, T, prefix##_dec, fetch_sub)                                                                      \
  DEFINE_EXCHANGE_IF_EQUAL(space, T, prefix##_cmpxchg)

#define DEFINE_SPACE(space)                                                                                            \
  DEFINE_ALL(space, int, atomic)                                                                                       \
  DEFINE_ALL(space, uint, atomic)                                                                                      \
  DEFINE_ALL(space, int, atom)                                                                                         \
  DEFINE_ALL(space, uint, atom)                                                                                        \
  DEFINE_ALL(space, long, atom)                                                                                        \
  DEFINE_ALL(space, ulong, atom)                                                                                       \
  DEFINE_BINARY(space, float, atomic_xchg, exchange)

DEFINE_SPACE(global)
DEFINE_SPACE(local)
