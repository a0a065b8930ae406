/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Gravity between all pairs of bodies: the acceleration of each. */
kernel void nbody(global const float4 *restrict bodies, global float4 *restrict accelerations, uint count,
                  float softening) {
  const size_t i = get_global_id(0);
  const float4 me = bodies[i];
  float x = 0, y = 0, z = 0;
  for (uint j = 0; j < count; j++) {
    const float4 other = bodies[j];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inverse = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + softening);
    const float force = other.w * inverse * inverse * inverse;
    x += dx * force;
    y += dy * force;
    z += dz * force;
  }
  accelerations[i] = (float4)(x, y, z, 0);
}
