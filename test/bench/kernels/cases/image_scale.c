/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Scales an image of bytes by reading it between its pixels, with linear interpolation. */
#include "case.h"

static inline float mixed(float a, float b, float share) { return a + (b - a) * share; }

/** The input is larger than what is read by a row and a column. */
BENCH_WORK(image_scale) {
  const unsigned char *restrict in = arguments[0];
  float *restrict out = arguments[1];
  const int width = (int)BENCH_UINT(2), height = (int)BENCH_UINT(3), pitch = 4 * (width / 2 + 1);
  const float step = BENCH_FLOAT(4);
  BENCH_PARALLEL()
  for (int row = 0; row < height; row++) {
    const float y = (float)row * step;
    const unsigned char *upper = in + (int)y * pitch, *lower = upper + pitch;
    const float low = y - (float)(int)y;
    BENCH_SIMD()
    for (int column = 0; column < width; column++) {
      const float x = (float)column * step;
      const int left = 4 * (int)x;
      const float right = x - (float)(int)x;
      for (int i = 0; i < 4; i++) {
        const float top = mixed((float)upper[left + i], (float)upper[left + 4 + i], right);
        const float bottom = mixed((float)lower[left + i], (float)lower[left + 4 + i], right);
        out[4 * ((size_t)row * (size_t)width + (size_t)column) + (size_t)i] = mixed(top, bottom, low) * (1.0f / 255.0f);
      }
    }
  }
}

#ifdef BENCH_DEFINES_CASE
static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0}, side = size / 2 + 1;
  bench_fill_bytes(bench_add_image(data, side, side), 4 * side * side, 256);
  bench_add_output(data, BENCH_F32, 4 * size * size);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_add_float(data, 0.5f * (float)(size - 1) / (float)size);
  bench_set_range_2d(data, range, local);
}

/* A device may round the place between pixels to 8 bits. */
BENCH_CASE(image_scale, .class = CLASS_FILTER, .size = 1024, .check_size = 48, .absolute = 1.0 / 128);
#endif
