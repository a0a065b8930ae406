/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What random calls work on: objects of every kind, and arguments good and bad. One per thread. */
#ifndef RANDOM_CALLS_WORLD_H
#define RANDOM_CALLS_WORLD_H

/* In this order: the first chooses what the OpenCL headers declare. */
/* clang-format off */
#include "test_extension.h"
#include "cl/api/command_buffer_declarations.h"
/* clang-format on */

/** Every buffer and shared allocation has at most this many bytes, and so have the scratch areas: whatever range a
 * call accepts lies inside. */
enum { WORLD_BYTES = 4096, WORLD_OBJECTS = 16, WORLD_WAITS = 3 };

typedef struct pool_t {
  void *objects[WORLD_OBJECTS];
  size_t count;
} pool_t;

typedef enum kind_t {
  QUEUE,
  BUFFER,
  PROGRAM,
  KERNEL,
  EVENT,
  USER_EVENT,
  SAMPLER,
  SVM,
  COMMAND_BUFFER,
  DEVICE,
  SEMAPHORE,
  KINDS
} kind_t;

typedef struct world_t {
  uint64_t random;
  /** Shared by all threads. */
  cl_context context;
  cl_program program;
  pool_t pools[KINDS];
  unsigned char scratch[2 * WORLD_BYTES];
  cl_event waits[WORLD_WAITS];
  unsigned long calls, accepted;
} world_t;

/** A number below `limit`, which is not 0. */
uint64_t world_random(world_t *world, uint64_t limit);
static inline bool world_chance(world_t *world, unsigned percent) { return world_random(world, 100) < percent; }

/** Mostly an object of the kind; sometimes null, or an object of another kind. */
void *world_pick(world_t *world, kind_t kind);
/** An object of the kind; null when there is none. */
void *world_any(world_t *world, kind_t kind);
/** Keeps a new object, when it is one, and makes room by releasing another. */
void world_add(world_t *world, kind_t kind, void *object);
/** Forgets the object, which was released. */
void world_remove(world_t *world, kind_t kind, const void *object);
/** The driver's call that gives up one reference of an object. */
cl_int world_release(world_t *world, kind_t kind, void *object);

/** An offset or size: mostly one that fits, sometimes 0, one too many, or absurd. */
size_t world_size(world_t *world);
/** Mostly `good`, sometimes `bad`. */
cl_ulong world_flags(world_t *world, cl_ulong good, cl_ulong bad);
/** A list of events to wait for, in `waits`; its length. Sometimes it does not agree with `*out_list`. */
cl_uint world_waits(world_t *world, const cl_event **out_list);
/** Sets all user events, so that nothing blocks. */
void world_settle(world_t *world);

void world_begin(world_t *world, uint64_t seed, cl_context context, cl_program program);
/** Finishes all queues and releases everything, in random order. */
void world_end(world_t *world);

/** Gives up a reference of a semaphore. */
cl_int external_release_semaphore(void *semaphore);

/** Finds extension functions; false when one is missing. */
bool calls_load(void);
/** Makes one random call. */
void call_anything(world_t *world);

#endif
