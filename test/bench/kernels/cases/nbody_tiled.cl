/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Gravity between all pairs of bodies, which a work-group reads into local memory tile by tile. */
kernel void nbody_tiled(global const float4 *restrict bodies, global float4 *restrict accelerations,
                        local float4 *restrict tile, uint count, float softening) {
  const size_t i = get_global_id(0), lane = get_local_id(0), tile_size = get_local_size(0);
  const float4 me = bodies[i];
  float4 sum = 0;
  for (uint start = 0; start < count; start += tile_size) {
    tile[lane] = bodies[start + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < tile_size; j++) {
      const float4 other = tile[j];
      const float3 d = other.xyz - me.xyz;
      const float inverse = rsqrt(dot(d, d) + softening);
      sum.xyz += d * (other.w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  accelerations[i] = sum;
}
