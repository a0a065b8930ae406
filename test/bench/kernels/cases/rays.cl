/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Casts a ray through each pixel at spheres, with a shadow ray from where it hits. */
typedef struct sphere_t {
  float x, y, z, radius;
  float red, green, blue, shine;
} sphere_t;

typedef struct hit_t {
  float distance;
  int sphere;
} hit_t;

hit_t nearest_hit(global const sphere_t *spheres, uint count, float3 origin, float3 direction) {
  hit_t hit = {INFINITY, -1};
  for (uint i = 0; i < count; i++) {
    const float3 offset = (float3)(spheres[i].x, spheres[i].y, spheres[i].z) - origin;
    const float along = dot(offset, direction);
    const float inside = spheres[i].radius * spheres[i].radius - dot(offset, offset) + along * along;
    if (along <= 0.0f || inside <= 0.0f) continue;
    const float distance = along - sqrt(inside);
    if (distance > 1e-3f && distance < hit.distance) {
      hit.distance = distance;
      hit.sphere = i;
    }
  }
  return hit;
}

kernel void rays(global const sphere_t *restrict spheres, global float4 *restrict pixels, uint count, uint width,
                 uint height) {
  const uint column = get_global_id(0), row = get_global_id(1);
  const float3 origin = (float3)(0, 0, -4), sun = (float3)(0.57735f, 0.57735f, -0.57735f);
  const float3 direction =
      normalize((float3)(2.0f * column / width - 1.0f, 2.0f * row / height - 1.0f, 1.6f));
  const hit_t hit = nearest_hit(spheres, count, origin, direction);
  float4 pixel = (float4)(0.1f, 0.1f, 0.3f, 1);
  if (hit.sphere >= 0) {
    const sphere_t sphere = spheres[hit.sphere];
    const float3 place = origin + direction * hit.distance;
    const float3 normal = (place - (float3)(sphere.x, sphere.y, sphere.z)) / sphere.radius;
    float light = dot(normal, sun);
    if (light > 0.0f && nearest_hit(spheres, count, place, sun).sphere >= 0) light *= 0.25f;
    light = fmax(light, 0.05f);
    pixel = (float4)(sphere.red * light, sphere.green * light, sphere.blue * light, sphere.shine);
  }
  pixels[row * width + column] = pixel;
}
