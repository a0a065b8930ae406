/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Casts a ray through each pixel at spheres, with a shadow ray from where it hits. */
#include <math.h>

#include "case.h"

typedef struct sphere_t {
  float x, y, z, radius;
  float red, green, blue, shine;
} sphere_t;

typedef struct vector_t {
  float x, y, z;
} vector_t;

typedef struct hit_t {
  float distance;
  int sphere;
} hit_t;

static inline float dot(vector_t a, vector_t b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vector_t sum(vector_t a, vector_t b, float factor) {
  return (vector_t){a.x + b.x * factor, a.y + b.y * factor, a.z + b.z * factor};
}

static inline hit_t nearest_hit(const sphere_t *spheres, size_t count, vector_t origin, vector_t direction) {
  hit_t hit = {INFINITY, -1};
  for (size_t i = 0; i < count; i++) {
    const vector_t offset = {spheres[i].x - origin.x, spheres[i].y - origin.y, spheres[i].z - origin.z};
    const float along = dot(offset, direction);
    const float inside = spheres[i].radius * spheres[i].radius - dot(offset, offset) + along * along;
    if (along <= 0.0f || inside <= 0.0f) continue;
    const float distance = along - sqrtf(inside);
    if (distance > 1e-3f && distance < hit.distance) hit = (hit_t){distance, (int)i};
  }
  return hit;
}

static inline void pixel_draw(const sphere_t *spheres, size_t count, vector_t aim, float *pixel) {
  const vector_t origin = {0, 0, -4}, sun = {0.57735f, 0.57735f, -0.57735f};
  const vector_t direction = sum((vector_t){0, 0, 0}, aim, 1.0f / sqrtf(dot(aim, aim)));
  const hit_t hit = nearest_hit(spheres, count, origin, direction);
  pixel[0] = pixel[1] = 0.1f;
  pixel[2] = 0.3f;
  pixel[3] = 1;
  if (hit.sphere < 0) return;
  const sphere_t *sphere = &spheres[hit.sphere];
  const vector_t place = sum(origin, direction, hit.distance), centre = {sphere->x, sphere->y, sphere->z};
  float light = dot(sum(place, centre, -1), sun) / sphere->radius;
  if (light > 0 && nearest_hit(spheres, count, place, sun).sphere >= 0) light *= 0.25f;
  light = light > 0.05f ? light : 0.05f;
  pixel[0] = sphere->red * light;
  pixel[1] = sphere->green * light;
  pixel[2] = sphere->blue * light;
  pixel[3] = sphere->shine;
}

BENCH_WORK(rays) {
  const sphere_t *restrict spheres = arguments[0];
  float *restrict pixels = arguments[1];
  const size_t count = BENCH_UINT(2), width = BENCH_UINT(3), height = BENCH_UINT(4);
  BENCH_PARALLEL(schedule(dynamic, 4))
  for (size_t row = 0; row < height; row++) {
    BENCH_SIMD()
    for (size_t column = 0; column < width; column++) {
      const vector_t aim = {2.0f * (float)column / (float)width - 1.0f, 2.0f * (float)row / (float)height - 1.0f, 1.6f};
      pixel_draw(spheres, count, aim, pixels + 4 * (row * width + column));
    }
  }
}

#ifdef BENCH_DEFINES_CASE
enum { SPHERES = 48, MEMBERS = sizeof(sphere_t) / sizeof(float) };

static void set_up(bench_data_t *data, size_t size) {
  const size_t range[2] = {size, size}, local[2] = {0};
  sphere_t *spheres = bench_add_input(data, BENCH_F32, SPHERES * MEMBERS);
  bench_fill_floats((float *)spheres, SPHERES * MEMBERS, 0, 1);
  for (size_t i = 0; i < SPHERES; i++) {
    spheres[i].x = 4 * spheres[i].x - 2;
    spheres[i].y = 4 * spheres[i].y - 2;
    spheres[i].z = 2 * spheres[i].z;
    spheres[i].radius = 0.1f + 0.3f * spheres[i].radius;
  }
  bench_add_output(data, BENCH_F32, 4 * size * size);
  bench_add_uint(data, SPHERES);
  bench_add_uint(data, size);
  bench_add_uint(data, size);
  bench_set_range_2d(data, range, local);
}

/* Rounding decides at the edges of spheres and shadows. */
BENCH_CASE(rays, .class = CLASS_RAYS, .size = 320, .check_size = 64, .relative = 1e-3, .absolute = 1e-3,
           .may_differ = 0.01);
#endif
