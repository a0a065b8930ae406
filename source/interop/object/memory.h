/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory objects: storage on the host and in contexts. Where the newest contents are: placement.h. */
#ifndef INTEROP_OBJECT_MEMORY_H
#define INTEROP_OBJECT_MEMORY_H

#include "interop/object/context.h"
#include "interop/object/segment.h"
#include "quern/usm.h"

typedef enum interop_direction_e { interop_to_host, interop_from_host } interop_direction_t;

/** Storage that the library owns and that has an address. Held by the memory object and by every native object that
 * lies over it: those may be others' longer than the memory object lives. */
typedef struct interop_storage_t {
  atomic_uint references;
  void *bytes;
  /** Whose unified memory it is; held. Null: the host's memory. */
  quern_context_t context;
} interop_storage_t;

/** Unified memory of the context; an alignment of 0 is any. The kinds are those of runtime.h. */
QUERN_MUST_CHECK quern_result_t interop_storage_allocate(quern_context_t context, quern_device_t device, int kind,
                                                         size_t size, size_t alignment,
                                                         interop_storage_t **out_storage);
/** The storage stays as long as the native object does, which lies over it. On failure that one is released. */
QUERN_MUST_CHECK quern_result_t interop_storage_share(quern_memory_t memory, quern_context_t context, void *native);
/** One reference less, from any thread, also inside of calls of a backend. */
void interop_storage_drop(interop_storage_t *storage);

/** The memory object's storage in one context. */
typedef struct interop_copy_t {
  quern_memory_t memory;
  quern_context_t context;
  /** In the list of native objects that are known (known.h). */
  list_t known;
  /** Made at the first use, under the memory object's lock; constant then. */
  _Atomic(void *) native;
  /** Uses the host's storage. */
  bool is_shared;
} interop_copy_t;

struct quern_memory_s {
  /** Its references are those of groups; the application's together own one of them. */
  interop_object_t object;
  atomic_uint application_references;
  /** Never used again, as addresses are. */
  uint64_t id;
  bool is_image;
  bool is_separate;
  /** The order of accesses to memory that is named by its address: an allocation of unified memory; without storage,
   * all memory that is none. Its contents are where they are, and never moved. */
  bool is_addressed;
  quern_usm_kind_t kind;
  quern_device_t device;
  quern_image_layout_t layout;
  size_t pixel_size;
  size_t size;
  quern_context_t bound;
  /** A part of this buffer, which has the contents and their history; null for others. Held, as by the application. */
  quern_memory_t whole;
  size_t whole_offset;
  /** The caller's memory, in use until the last release; and where that writes to. */
  void *user_memory, *write_back;

  /** Guards `host` and the natives of copies while they are made. Only the backend is called under it. */
  pthread_mutex_t lock;
  /** Storage on the host: the caller's, or that of `storage`; made when needed. */
  void *host;
  interop_storage_t *storage;

  /* Guarded by the graph's lock: */
  /** Location i + 1 is copies[i]; location 0 is the host. Copies stay where they are as long as the object lives. */
  interop_copy_t **copies;
  size_t copy_count, copy_capacity;
  interop_segments_t segments;
  bool was_written;

  atomic_uint_fast64_t copy_total, copied_bytes, map_total;
};

QUERN_MUST_CHECK quern_result_t interop_memory_check(quern_memory_t memory);
static inline void interop_memory_hold(quern_memory_t memory) { interop_object_hold(&memory->object); }
/** False when the last reference is gone: the object is, soon. For lists that hold nothing. */
QUERN_MUST_CHECK bool interop_memory_try_hold(quern_memory_t memory);
void interop_memory_drop(quern_memory_t memory);

/** Checks a range and makes size 0 the rest. */
QUERN_MUST_CHECK quern_result_t interop_memory_range(quern_memory_t memory, size_t offset, size_t *size);
QUERN_MUST_CHECK quern_result_t interop_access_check(quern_access_t access);
static inline bool interop_access_reads(quern_access_t access) { return access != quern_access_discard_write; }
static inline bool interop_access_writes(quern_access_t access) { return access != quern_access_read; }

/** Whether it stands for all memory that is no allocation of the library's. */
static inline bool interop_memory_is_unknown(const struct quern_memory_s *memory) {
  return memory->is_addressed && !memory->storage;
}

/** Whether its contents follow the work between contexts. */
static inline bool interop_memory_moves(const struct quern_memory_s *memory) {
  return !memory->bound && !memory->is_addressed;
}

/** Makes the storage on the host if it is not there. */
QUERN_MUST_CHECK quern_result_t interop_memory_host(quern_memory_t memory, void **out_host);

/** The memory object that has the contents. */
static inline quern_memory_t interop_memory_whole(quern_memory_t memory) {
  return memory->whole ? memory->whole : memory;
}

/** The native object of the copy. `out_is_fresh` (may be null): it was made now, and shares the host's storage. */
QUERN_MUST_CHECK quern_result_t interop_copy_native(quern_memory_t memory, interop_copy_t *copy, void **out_native,
                                                    bool *out_is_fresh);

/** The location of a context, 0 for the host's; made if there is none. SIZE_MAX when out of memory. Under the graph's
 * lock. */
size_t interop_memory_locate(quern_memory_t memory, quern_context_t context);
/** The copy in a context of a backend with native objects, made if there is none; null when out of memory. Takes the
 * graph's lock. */
interop_copy_t *interop_memory_copy(quern_memory_t memory, quern_context_t context);

/** A memory object without storage; null when out of memory. The caller sets what it is and then its first place. */
quern_memory_t interop_memory_create(size_t size);

#endif
