/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The Mandelbrot set: after how many steps each point escapes. */
kernel void mandelbrot(global int *restrict steps, uint width, uint height, uint limit) {
  const uint column = get_global_id(0), row = get_global_id(1);
  const float cx = -2.0f + 3.0f * column / width, cy = -1.25f + 2.5f * row / height;
  float x = 0, y = 0;
  int step = 0;
  while (step < (int)limit && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    step++;
  }
  steps[row * width + column] = step;
}
