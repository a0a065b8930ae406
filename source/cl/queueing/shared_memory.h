/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory that has no object: what clSVMAlloc and the allocation functions of unified shared memory give out. It exists
 * on devices that share the host's memory, where an address is all that commands and kernels need. */
#ifndef CL_QUEUEING_SHARED_MEMORY_H
#define CL_QUEUEING_SHARED_MEMORY_H

#include <pthread.h>

#include "cl/object/object.h"
#include "mux/mux.h"

typedef enum shared_memory_kind_e {
  /** clSVMAlloc. */
  shared_memory_svm,
  /** cl_intel_unified_shared_memory. */
  shared_memory_host,
  shared_memory_device,
  shared_memory_migrating,
} shared_memory_kind_e;

/** One allocation. */
typedef struct shared_memory_t {
  shared_memory_kind_e kind;
  /** Address of the first byte. */
  char *base;
  size_t size;
  /** What it was allocated for; may be null. */
  cl_device_id device;
  /** cl_svm_mem_flags or cl_mem_alloc_flags_intel, as given. */
  cl_bitfield flags;
  mux_memory_t memory;
} shared_memory_t;

/** The allocations of a context, by address; part of the context. */
typedef struct shared_memory_table_t {
  pthread_mutex_t mutex;
  shared_memory_t *entries;
  size_t count, capacity;
} shared_memory_table_t;

/** Largest alignment that an allocation can ask for, in bytes. */
#define SHARED_MEMORY_MAX_ALIGNMENT ((cl_uint)2 << 20)

void shared_memory_table_init(shared_memory_table_t *table);
/** Frees what the application did not. */
void shared_memory_table_destroy(shared_memory_table_t *table, mux_device_t device);

/** True when the devices of the context work on any memory of the process. */
bool shared_memory_is_supported(cl_context context);
/** A size that every device of the context can allocate, not 0. */
bool shared_memory_size_is_valid(cl_context context, size_t size);
/** 0, or a power of two up to the maximum. */
bool shared_memory_alignment_is_valid(cl_uint alignment);

/** Allocates what `wanted` describes: its kind, size, device and flags. `alignment` in bytes, 0 for that of the largest
 * OpenCL type. Everything is valid and supported. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES. Thread safe, as are the
 * functions that follow. */
cl_int shared_memory_allocate(cl_context context, const shared_memory_t *wanted, cl_uint alignment, void **out_pointer);

/** Frees the allocation that begins at `pointer`, if it is one of clSVMAlloc (`is_svm`) or of the others. False when
 * there is none. Nothing waits for commands that may use it. */
bool shared_memory_free(cl_context context, const void *pointer, bool is_svm);

/** Finds the allocation that has the byte at `pointer`. False when there is none. */
bool shared_memory_find(cl_context context, const void *pointer, shared_memory_t *out_memory);

#endif
