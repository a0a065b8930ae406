/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * write_imageh: as write_imagef. */

#include "builtins.clh"

#define WRITE_AS(access, type, C)                                                                                      \
  __attribute__((overloadable, always_inline)) void write_imageh(access type image, C c, half4 v)                      \
  {                                                                                                                    \
    write_imagef(image, c, __builtin_convertvector(v, float4));                                                        \
  }
#define WRITE(type, C) WRITE_AS(write_only, type, C) WRITE_AS(read_write, type, C)
WRITE(image1d_t, int)
WRITE(image1d_buffer_t, int)
WRITE(image1d_array_t, int2)
WRITE(image2d_t, int2)
WRITE(image2d_array_t, int4)
WRITE(image3d_t, int4)
