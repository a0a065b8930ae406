/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The nearest of several centres for each point of eight dimensions: the costly step of k-means. */
#define DIMENSIONS 8

kernel void clustering(global const float *restrict points, constant float *centres, global int *restrict nearest,
                       uint count, uint centre_count) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  float best = INFINITY;
  int best_centre = 0;
  for (uint c = 0; c < centre_count; c++) {
    float distance = 0;
    for (uint d = 0; d < DIMENSIONS; d++) {
      const float difference = points[d * count + i] - centres[c * DIMENSIONS + d];
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      best_centre = c;
    }
  }
  nearest[i] = best_centre;
}
