/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory objects. */
#ifndef CL_MEMORY_MEMORY_H
#define CL_MEMORY_MEMORY_H

#include "base/list.h"
#include "cl/device/external_memory.h"
#include "cl/queueing/context.h"

struct _cl_mem {
  object_t object;
  cl_context context;
  cl_mem_object_type type;
  cl_mem_flags flags;
  /** Bytes. */
  size_t size;
  /** The application's pointer of CL_MEM_USE_HOST_PTR (offset applied for sub-buffers), else null. */
  void *host_pointer;
  /** Sub-buffers, and images made of a buffer or image: what they are part of (held), and the offset in the root. */
  cl_mem parent;
  size_t origin;
  /** Owned by the root; whoever has a parent has its own mux_buffer or mux_image bound to the root's memory. */
  mux_memory_t memory;
  mux_buffer_t buffer;
  mux_image_t image;
  /** Of an image, as it was created; the pitches are those that it has. */
  cl_image_format format;
  cl_image_desc desc;
  /** Of a pipe: bytes, and how many; else 0. */
  cl_uint packet_size, packet_capacity;
  /** Roots whose memory the host sees: the address of their first byte, mapped as long as the object lives. Null when
   * the host sees no memory of the device: maps then go through a copy. */
  unsigned char *host_base;
  /** Made over a descriptor's memory: where that is mapped, and how much of it. Else null. */
  void *external_base;
  size_t external_size;
  cl_mem_properties *properties;
  size_t property_count;
  /** Of a root buffer: guards its mappings and the map counts of its sub-buffers. */
  pthread_mutex_t mutex;
  /** Under `mutex` of the root buffer, which has the mappings of its sub-buffers too (memory/mapping.h). */
  list_t mappings;
  cl_uint map_count;
  /** Under the own `mutex`; last registered first. */
  struct memory_destructor_t *destructors;
};

bool memory_is_valid(cl_mem memory);
/** A buffer or sub-buffer. */
bool memory_is_buffer(cl_mem memory);
bool memory_is_image(cl_mem memory);
bool memory_is_pipe(cl_mem memory);

/** What `flags` mean is checked by the caller, and so are `size`, `host_pointer` and `properties`. On success a
 * descriptor among them is closed. */
cl_int memory_create_buffer(cl_context context, const memory_properties_t *properties, cl_mem_flags flags, size_t size,
                            void *host_pointer, cl_mem *out_memory);

/** The region `origin`, `size` of `parent`, a root buffer; `flags` as the sub-buffer will have them. */
cl_int memory_create_sub_buffer(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size, cl_mem *out_memory);

/** A pipe of so many packets (compiler/pipe.h), empty; the caller has checked everything. CL_OUT_OF_HOST_MEMORY,
 * CL_MEM_OBJECT_ALLOCATION_FAILURE. */
cl_int memory_create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_size, cl_uint packet_capacity,
                          cl_mem *out_pipe);

/* How memory objects are made. One that could not be finished is released with object_release_external. */

/** An object without storage, which holds its context; null when out of memory. */
cl_mem memory_new(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size);
/** Makes it a part of `parent`, which it holds from here on, `origin` bytes from where that begins. */
void memory_set_parent(cl_mem memory, cl_mem parent, size_t origin);
/** Keeps a copy of the properties, and maps `size` bytes of the external memory that they name, if any.
 * CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE. */
cl_int memory_take_properties(cl_mem memory, const memory_properties_t *properties, size_t size);
/** The object exists: the descriptor among the properties, if any, is closed. */
void memory_close_descriptor(const memory_properties_t *properties);
/** True when a host pointer of the application can be the device's memory as it is. */
bool memory_shares_host_pointer(cl_context context, cl_mem_flags flags);
/** Allocates what `required` says, or takes the host pointer or what is mapped of external memory, and maps it if the
 * host sees it. The caller binds it. */
mux_result_t memory_allocate(cl_mem memory, const mux_memory_requirements_s *required, bool from_host);

/** The object that has the memory: `memory` itself, or its parent, or that one's. */
cl_mem memory_root(cl_mem memory);

/** Address of the byte at `offset`, or null when the host does not see the memory. */
void *memory_host_address(cl_mem memory, size_t offset);

/** True when the host and the device always see the same bytes. */
bool memory_is_coherent(cl_mem memory);

/** False for a sub-buffer at an offset that `device` cannot address (CL_MISALIGNED_SUB_BUFFER_OFFSET). */
bool memory_is_aligned_for(cl_mem memory, cl_device_id device);
bool device_accepts_offset(cl_device_id device, size_t offset);

/** Calls `notify` when the object is destroyed, the last registered first. CL_OUT_OF_HOST_MEMORY. */
cl_int memory_add_destructor(cl_mem memory, void(CL_CALLBACK *notify)(cl_mem memory, void *user_data), void *user_data);

#endif
