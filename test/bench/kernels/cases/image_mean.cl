/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The mean of the four neighbours of each pixel, read with a constant nearest sampler. */
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image_mean(read_only image2d_t in, global float4 *restrict out, uint width, uint height) {
  const int column = get_global_id(0), row = get_global_id(1);
  const float4 sum = read_imagef(in, nearest, (int2)(column - 1, row)) +
                     read_imagef(in, nearest, (int2)(column + 1, row)) +
                     read_imagef(in, nearest, (int2)(column, row - 1)) +
                     read_imagef(in, nearest, (int2)(column, row + 1));
  if (row < (int)height) out[row * width + column] = 0.25f * sum;
}
