/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Scales an image by reading it between its pixels, with linear interpolation. */
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void image_scale(read_only image2d_t in, global float4 *restrict out, uint width, uint height, float step) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  const float4 pixel = read_imagef(in, linear, (float2)(0.5f + column * step, 0.5f + row * step));
  if (row < height) out[row * width + column] = pixel;
}
