/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Integer dot products (cl_khr_integer_dot_product), of vectors of four and of four packed bytes. */

#include "builtins.clh"

/* Four products of bytes always fit 32 bits; only the accumulator can make the sum saturate. */
#define DEFINE_DOT(A, B, R)                                                                                            \
  BUILTIN R dot(A##4 a, B##4 b)                                                                                        \
  {                                                                                                                    \
    R##4 p = __builtin_convertvector(a, R##4) * __builtin_convertvector(b, R##4);                                      \
    return (p.s0 + p.s1) + (p.s2 + p.s3);                                                                              \
  }                                                                                                                    \
  BUILTIN R dot_acc_sat(A##4 a, B##4 b, R acc) { return __builtin_elementwise_add_sat(dot(a, b), acc); }

DEFINE_DOT(char, char, int)
DEFINE_DOT(uchar, uchar, uint)
DEFINE_DOT(char, uchar, int)
DEFINE_DOT(uchar, char, int)

#define DEFINE_PACKED(name, A, B, R)                                                                                   \
  BUILTIN R dot_4x8packed_##name(uint a, uint b) { return dot(AS(A##4, a), AS(B##4, b)); }                             \
  BUILTIN R dot_acc_sat_4x8packed_##name(uint a, uint b, R acc)                                                        \
  {                                                                                                                    \
    return __builtin_elementwise_add_sat(dot(AS(A##4, a), AS(B##4, b)), acc);                                          \
  }

DEFINE_PACKED(uu_uint, uchar, uchar, uint)
DEFINE_PACKED(ss_int, char, char, int)
DEFINE_PACKED(us_int, uchar, char, int)
DEFINE_PACKED(su_int, char, uchar, int)
