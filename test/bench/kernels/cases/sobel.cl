/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sobel's edge filter over pixels of four bytes; the input has a border. */
float luminance(uchar4 pixel) {
  return 0.299f * pixel.x + 0.587f * pixel.y + 0.114f * pixel.z;
}

kernel void sobel(global const uchar4 *restrict in, global uchar4 *restrict out, uint width, uint height) {
  const size_t column = get_global_id(0), row = get_global_id(1), pitch = width + 2;
  global const uchar4 *above = in + row * pitch + column, *here = above + pitch, *below = here + pitch;
  const float a = luminance(above[0]), b = luminance(above[1]), c = luminance(above[2]);
  const float d = luminance(here[0]), f = luminance(here[2]);
  const float g = luminance(below[0]), h = luminance(below[1]), i = luminance(below[2]);
  const float x = c + 2.0f * f + i - a - 2.0f * d - g, y = g + 2.0f * h + i - a - 2.0f * b - c;
  const uchar edge = convert_uchar_sat(sqrt(x * x + y * y));
  if (row < height) out[row * width + column] = (uchar4)(edge, edge, edge, here[1].w);
}
