/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A bilateral filter of five by five over pixels of four bytes; the input has a border. */
#define RADIUS 2
#define TAPS (2 * RADIUS + 1)

kernel void bilateral(global const uchar4 *restrict in, global uchar4 *restrict out, uint width, uint height,
                      float nearness, float likeness) {
  const int column = get_global_id(0), row = get_global_id(1), pitch = width + 2 * RADIUS;
  const float4 me = convert_float4(in[(row + RADIUS) * pitch + column + RADIUS]);
  float4 sum = 0;
  float weights = 0;
  for (int y = 0; y < TAPS; y++) {
    for (int x = 0; x < TAPS; x++) {
      const float4 other = convert_float4(in[(row + y) * pitch + column + x]);
      const float3 d = other.xyz - me.xyz;
      const int dx = x - RADIUS, dy = y - RADIUS;
      const float weight = exp(-nearness * (dx * dx + dy * dy) - likeness * dot(d, d));
      sum += weight * other;
      weights += weight;
    }
  }
  if (row < (int)height) out[row * width + column] = convert_uchar4_sat_rte(sum / weights);
}
