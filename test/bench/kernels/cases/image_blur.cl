/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A Gaussian blur of three by three over an image, with the nearest pixel and clamped at the edges. */
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant float weights[3] = {0.25f, 0.5f, 0.25f};

kernel void image_blur(read_only image2d_t in, global float4 *restrict out, uint width, uint height) {
  const int column = get_global_id(0), row = get_global_id(1);
  float4 sum = 0;
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) {
      sum += weights[y + 1] * weights[x + 1] * read_imagef(in, nearest, (int2)(column + x, row + y));
    }
  }
  if (row < (int)height) out[row * width + column] = sum;
}
