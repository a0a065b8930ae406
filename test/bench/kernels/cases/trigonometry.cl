/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A mix of trigonometry, exponentials and logarithms. */
kernel void trigonometry(global const float *restrict in, global float *restrict out, uint count) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  const float x = in[i];
  float sum = sin(x) * cos(x * 1.5f);
  sum += exp(-fabs(x)) * log(fabs(x) + 1.0f);
  sum += tan(x * 0.1f) + atan(x);
  out[i] = sum + pow(fabs(x) + 0.5f, 0.3f);
}
