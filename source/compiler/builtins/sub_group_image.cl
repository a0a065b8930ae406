/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Blocks of two-dimensional images (cl_intel_subgroups and its kin): the bytes of a row as they are,
 * neighbouring work-items having neighbouring elements; each component of a vector is from the next row. */

#include "image.clh"
#include "sub_group.clh"

typedef uchar uchar_pixel;
typedef ushort ushort_pixel __attribute__((aligned(1)));
typedef ulong ulong_pixel __attribute__((aligned(1)));

/* Beyond an edge the last element before it is read, and nothing is written. Rows that are no whole elements go byte by
 * byte. */
#define DEFINE_ELEMENT(T)                                                                                              \
  HELPER T CAT2(read_element_, T)(image_t image, int x, int y)                                                         \
  {                                                                                                                    \
    const int bytes = (int)(image->width * image->pixel_size), size = sizeof(T);                                       \
    row_t row = image_row(image, clamp_index(y, 0, (int)image->height - 1), 0);                                        \
    if (bytes % size == 0)                                                                                             \
      return *(const global CAT2(T, _pixel) *)(row + clamp_index(x, 0, bytes - size));                                 \
    T result = 0;                                                                                                      \
    for (int i = 0; i < size; i++)                                                                                     \
      result |= (T)row[clamp_index(x + i, 0, bytes - 1)] << 8 * i;                                                     \
    return result;                                                                                                     \
  }                                                                                                                    \
  HELPER void CAT2(write_element_, T)(image_t image, int x, int y, T value)                                            \
  {                                                                                                                    \
    const int bytes = (int)(image->width * image->pixel_size), size = sizeof(T);                                       \
    if (y < 0 || y >= (int)image->height)                                                                              \
      return;                                                                                                          \
    row_t row = image_row(image, y, 0);                                                                                \
    if (bytes % size == 0) {                                                                                           \
      if (x >= 0 && x <= bytes - size)                                                                                 \
        *(global CAT2(T, _pixel) *)(row + x) = value;                                                                  \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int i = 0; i < size; i++)                                                                                     \
      if (x + i >= 0 && x + i < bytes)                                                                                 \
        row[x + i] = (uchar)(value >> 8 * i);                                                                          \
  }
DEFINE_ELEMENT(uchar)
DEFINE_ELEMENT(ushort)
DEFINE_ELEMENT(uint)
DEFINE_ELEMENT(ulong)

/* `count` is the number of components, `n` what the names say of it. */
#define DEFINE_READ(access, T, suffix, n, count)                                                                       \
  SUB_GROUP_OVER CAT2(T, n) CAT3(intel_sub_group_block_read, suffix, n)(access image2d_t image, int2 coordinate)       \
  {                                                                                                                    \
    union { CAT2(T, n) vector; T elements[count]; } block;                                                             \
    const int x = coordinate.x + (int)(__quern_sub_group_local_id() * sizeof(T));                                      \
    _Pragma("unroll") for (int i = 0; i < count; i++)                                                                  \
      block.elements[i] = CAT2(read_element_, T)(__quern_image(image), x, coordinate.y + i);                           \
    return block.vector;                                                                                               \
  }
#define DEFINE_WRITE(access, T, suffix, n, count)                                                                      \
  SUB_GROUP_OVER void CAT3(intel_sub_group_block_write, suffix, n)(access image2d_t image, int2 coordinate,            \
                                                                  CAT2(T, n) data)                                     \
  {                                                                                                                    \
    union { CAT2(T, n) vector; T elements[count]; } block = { data };                                                  \
    const int x = coordinate.x + (int)(__quern_sub_group_local_id() * sizeof(T));                                      \
    _Pragma("unroll") for (int i = 0; i < count; i++)                                                                  \
      CAT2(write_element_, T)(__quern_image(image), x, coordinate.y + i, block.elements[i]);                           \
  }
#define EACH_COUNT(DEFINE, access, T, suffix)                                                                          \
  DEFINE(access, T, suffix, , 1)                                                                                       \
  DEFINE(access, T, suffix, 2, 2)                                                                                      \
  DEFINE(access, T, suffix, 4, 4)                                                                                      \
  DEFINE(access, T, suffix, 8, 8)                                                                                      \
  DEFINE(access, T, suffix, 16, 16)
#define DEFINE_FOR(T, suffix)                                                                                          \
  EACH_COUNT(DEFINE_READ, read_only, T, suffix)                                                                        \
  EACH_COUNT(DEFINE_READ, read_write, T, suffix)                                                                       \
  EACH_COUNT(DEFINE_WRITE, write_only, T, suffix)                                                                      \
  EACH_COUNT(DEFINE_WRITE, read_write, T, suffix)
DEFINE_FOR(uchar, _uc)
DEFINE_FOR(ushort, _us)
DEFINE_FOR(uint, )
DEFINE_FOR(uint, _ui)
DEFINE_FOR(ulong, _ul)
