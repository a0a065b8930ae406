/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imageh to a level of mipmapped images, which SPIR-V alone has: as write_imagef. */

#include "builtins.clh"

#define WRITE_AS(access, type, C)                                                                                      \
  OVER void write_imagef(access type image, C c, int lod, float4 v);                                                   \
  WRAPPER void write_imageh(access type image, C c, int lod, half4 v)                                                  \
  {                                                                                                                    \
    write_imagef(image, c, lod, __builtin_convertvector(v, float4));                                                   \
  }
#define WRITE(type, C) WRITE_AS(write_only, type, C) WRITE_AS(read_write, type, C)
WRITE(image1d_t, int)
WRITE(image1d_array_t, int2)
WRITE(image2d_t, int2)
WRITE(image2d_array_t, int4)
WRITE(image3d_t, int4)
