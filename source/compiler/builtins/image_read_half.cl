/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imageh: what read_imagef gives, as half. */

#include "builtins.clh"

#define INLINED __attribute__((overloadable, always_inline))
#define TO_HALF(v) __builtin_convertvector(v, half4)

#define READ_SAMPLED(type, C, F)                                                                                       \
  INLINED half4 read_imageh(read_only type image, sampler_t sampler, C c)                                              \
  {                                                                                                                    \
    return TO_HALF(read_imagef(image, sampler, c));                                                                    \
  }                                                                                                                    \
  INLINED half4 read_imageh(read_only type image, sampler_t sampler, F f)                                              \
  {                                                                                                                    \
    return TO_HALF(read_imagef(image, sampler, f));                                                                    \
  }
READ_SAMPLED(image1d_t, int, float)
READ_SAMPLED(image1d_array_t, int2, float2)
READ_SAMPLED(image2d_t, int2, float2)
READ_SAMPLED(image2d_array_t, int4, float4)
READ_SAMPLED(image3d_t, int4, float4)

#define READ_PLAIN_AS(access, type, C)                                                                                 \
  INLINED half4 read_imageh(access type image, C c) { return TO_HALF(read_imagef(image, c)); }
#define READ_PLAIN(type, C) READ_PLAIN_AS(read_only, type, C) READ_PLAIN_AS(read_write, type, C)
READ_PLAIN(image1d_t, int)
READ_PLAIN(image1d_buffer_t, int)
READ_PLAIN(image1d_array_t, int2)
READ_PLAIN(image2d_t, int2)
READ_PLAIN(image2d_array_t, int4)
READ_PLAIN(image3d_t, int4)
