/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * read_imageh of mipmapped images, which SPIR-V alone has: what read_imagef gives, as half. */

#include "builtins.clh"

#define TO_HALF(v) __builtin_convertvector(v, half4)

#define READ_LEVEL(type, F, G)                                                                                         \
  OVER float4 read_imagef(read_only type image, sampler_t sampler, F f, float lod);                                    \
  OVER float4 read_imagef(read_only type image, sampler_t sampler, F f, G dx, G dy);                                   \
  WRAPPER half4 read_imageh(read_only type image, sampler_t sampler, F f, float lod)                                   \
  {                                                                                                                    \
    return TO_HALF(read_imagef(image, sampler, f, lod));                                                               \
  }                                                                                                                    \
  WRAPPER half4 read_imageh(read_only type image, sampler_t sampler, F f, G dx, G dy)                                  \
  {                                                                                                                    \
    return TO_HALF(read_imagef(image, sampler, f, dx, dy));                                                            \
  }
READ_LEVEL(image1d_t, float, float)
READ_LEVEL(image1d_array_t, float2, float)
READ_LEVEL(image2d_t, float2, float2)
READ_LEVEL(image2d_array_t, float4, float2)
READ_LEVEL(image3d_t, float4, float4)

#define READ_PLAIN_AS(access, type, C)                                                                                 \
  OVER float4 read_imagef(access type image, C c, int lod);                                                            \
  WRAPPER half4 read_imageh(access type image, C c, int lod) { return TO_HALF(read_imagef(image, c, lod)); }
#define READ_PLAIN(type, C) READ_PLAIN_AS(read_only, type, C) READ_PLAIN_AS(read_write, type, C)
READ_PLAIN(image1d_t, int)
READ_PLAIN(image1d_array_t, int2)
READ_PLAIN(image2d_t, int2)
READ_PLAIN(image2d_array_t, int4)
READ_PLAIN(image3d_t, int4)
