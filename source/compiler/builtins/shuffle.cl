/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * shuffle and shuffle2. */

#include "builtins.clh"

/* Only the low bits of an index count. Indices are almost always constants: then the loop becomes one shuffle. */
#define DEFINE_SHUFFLE(T, M, N, K)                                                                                     \
  BUILTIN T##K shuffle(T##N x, M##K mask)                                                                              \
  {                                                                                                                    \
    T##K result;                                                                                                       \
    _Pragma("unroll") for (int i = 0; i < K; ++i) result[i] = x[mask[i] & (N - 1)];                                    \
    return result;                                                                                                     \
  }                                                                                                                    \
  BUILTIN T##K shuffle2(T##N x, T##N y, M##K mask)                                                                     \
  {                                                                                                                    \
    T##K result;                                                                                                       \
    _Pragma("unroll") for (int i = 0; i < K; ++i)                                                                      \
    {                                                                                                                  \
      M j = mask[i] & (2 * N - 1);                                                                                     \
      result[i] = j < N ? x[j & (N - 1)] : y[j & (N - 1)];                                                             \
    }                                                                                                                  \
    return result;                                                                                                     \
  }

#define DEFINE_TO(T, M, K)                                                                                             \
  DEFINE_SHUFFLE(T, M, 2, K) DEFINE_SHUFFLE(T, M, 4, K) DEFINE_SHUFFLE(T, M, 8, K) DEFINE_SHUFFLE(T, M, 16, K)
#define DEFINE_ALL(T, M) DEFINE_TO(T, M, 2) DEFINE_TO(T, M, 4) DEFINE_TO(T, M, 8) DEFINE_TO(T, M, 16)

DEFINE_ALL(char, uchar)
DEFINE_ALL(uchar, uchar)
DEFINE_ALL(short, ushort)
DEFINE_ALL(ushort, ushort)
DEFINE_ALL(half, ushort)
DEFINE_ALL(int, uint)
DEFINE_ALL(uint, uint)
DEFINE_ALL(float, uint)
DEFINE_ALL(long, ulong)
DEFINE_ALL(ulong, ulong)
DEFINE_ALL(double, ulong)
