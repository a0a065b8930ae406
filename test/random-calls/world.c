/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Objects and arguments of random calls. */
#include "world.h"

uint64_t world_random(world_t *world, uint64_t limit) {
  /* splitmix64 */
  uint64_t z = world->random += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z ^ (z >> 31)) % limit;
}

void *world_any(world_t *world, kind_t kind) {
  const pool_t *pool = &world->pools[kind];
  return pool->count ? pool->objects[world_random(world, pool->count)] : NULL;
}

void *world_pick(world_t *world, kind_t kind) {
  if (world_chance(world, 92)) return world_any(world, kind);
  if (world_chance(world, 50)) return NULL;
  kind_t other = (kind_t)world_random(world, KINDS);
  if (other == SVM) return world->context; /* Not an object: its bytes are random. */
  return world_any(world, other);
}

void world_remove(world_t *world, kind_t kind, const void *object) {
  pool_t *pool = &world->pools[kind];
  for (size_t i = 0; i < pool->count; i++) {
    if (pool->objects[i] != object) continue;
    pool->objects[i] = pool->objects[--pool->count];
    return;
  }
}

static cl_int release_command_buffer(cl_command_buffer_khr buffer) {
  clReleaseCommandBufferKHR_fn release = NULL;
  void *const function = test_extension_function("clReleaseCommandBufferKHR");
  memcpy(&release, &function, sizeof(release));
  return release ? release(buffer) : CL_INVALID_OPERATION;
}

/* Kernels do not keep their arguments alive: whoever releases one gives up the kernels that may have it. */
static void release_kernels(world_t *world) {
  for (cl_kernel kernel; (kernel = world_any(world, KERNEL));) {
    world_remove(world, KERNEL, kernel);
    clReleaseKernel(kernel);
  }
}

/* Its commands use memory of the world, which may end. */
static cl_int release_queue(world_t *world, cl_command_queue queue) {
  world_settle(world);
  clFinish(queue);
  return clReleaseCommandQueue(queue);
}

cl_int world_release(world_t *world, kind_t kind, void *object) {
  switch (kind) {
    case QUEUE: return release_queue(world, object);
    case BUFFER: release_kernels(world); return clReleaseMemObject(object);
    case PROGRAM: return clReleaseProgram(object);
    case KERNEL: return clReleaseKernel(object);
    case EVENT: return clReleaseEvent(object);
    case USER_EVENT: clSetUserEventStatus(object, CL_COMPLETE); return clReleaseEvent(object);
    case SAMPLER: return clReleaseSampler(object);
    case COMMAND_BUFFER: return release_command_buffer(object);
    case DEVICE: return clReleaseDevice(object);
    case SEMAPHORE: return external_release_semaphore(object);
    case SVM: break;
    default: return CL_INVALID_VALUE;
  }
  /* Kernels, command buffers and commands may use it. */
  release_kernels(world);
  for (cl_command_buffer_khr buffer; (buffer = world_any(world, COMMAND_BUFFER));) {
    world_remove(world, COMMAND_BUFFER, buffer);
    release_command_buffer(buffer);
  }
  world_settle(world);
  for (size_t i = 0; i < world->pools[QUEUE].count; i++) clFinish(world->pools[QUEUE].objects[i]);
  clSVMFree(world->context, object);
  return CL_SUCCESS;
}

void world_add(world_t *world, kind_t kind, void *object) {
  pool_t *pool = &world->pools[kind];
  if (!object) return;
  if (pool->count == WORLD_OBJECTS) {
    void *victim = pool->objects[world_random(world, pool->count)];
    world_remove(world, kind, victim);
    world_release(world, kind, victim);
  }
  pool->objects[pool->count++] = object;
}

size_t world_size(world_t *world) {
  static const size_t odd[] = {0, 0, 1, 3, WORLD_BYTES, WORLD_BYTES + 1, SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX - 127};
  if (world_chance(world, 80)) return 4 * world_random(world, WORLD_BYTES / 16);
  return odd[world_random(world, sizeof(odd) / sizeof(*odd))];
}

cl_ulong world_flags(world_t *world, cl_ulong good, cl_ulong bad) {
  return world_chance(world, 90) ? good : world_chance(world, 50) ? bad : (cl_ulong)1 << world_random(world, 64);
}

cl_uint world_waits(world_t *world, const cl_event **out_list) {
  cl_uint count = 0;
  *out_list = NULL;
  if (world_chance(world, 60)) return 0;
  while (count < WORLD_WAITS && world_chance(world, 60)) {
    world->waits[count++] = world_pick(world, world_chance(world, 30) ? USER_EVENT : EVENT);
  }
  if (count || world_chance(world, 5)) *out_list = world->waits;
  return world_chance(world, 98) ? count : *out_list ? 0 : 1;
}

void world_settle(world_t *world) {
  const pool_t *pool = &world->pools[USER_EVENT];
  for (size_t i = 0; i < pool->count; i++) {
    clSetUserEventStatus(pool->objects[i], world_chance(world, 90) ? CL_COMPLETE : -1);
  }
}

void world_begin(world_t *world, uint64_t seed, cl_context context, cl_program program) {
  memset(world, 0, sizeof(*world));
  world->random = seed;
  world->context = context;
  world->program = program;
}

void world_end(world_t *world) {
  world_settle(world);
  for (size_t i = 0; i < world->pools[QUEUE].count; i++) ASSERT_CL(clFinish(world->pools[QUEUE].objects[i]));
  for (size_t left = 1; left;) {
    kind_t kind = (kind_t)world_random(world, KINDS);
    void *object = world_any(world, kind);
    if (object) {
      world_remove(world, kind, object);
      ASSERT_CL(world_release(world, kind, object));
    }
    left = 0;
    for (int i = 0; i < KINDS; i++) left += world->pools[i].count;
  }
}
