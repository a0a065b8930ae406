/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Buffers, sub-buffers and pipes: creation over Mux memory, and their end. */
#include "cl/memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cl/memory/mapping.h"
#include "cl/memory/memory_fill.h"
#include "cl/object/mux_error.h"
#include "compiler/pipe.h"

typedef struct memory_destructor_t {
  struct memory_destructor_t *next;
  void(CL_CALLBACK *notify)(cl_mem memory, void *user_data);
  void *user_data;
} memory_destructor_t;

bool memory_is_valid(cl_mem memory) { return object_is(memory, object_kind_memory); }

bool memory_is_buffer(cl_mem memory) { return memory_is_valid(memory) && memory->type == CL_MEM_OBJECT_BUFFER; }

bool memory_is_image(cl_mem memory) { return memory_is_valid(memory) && memory->image; }

bool memory_is_pipe(cl_mem memory) { return memory_is_valid(memory) && memory->type == CL_MEM_OBJECT_PIPE; }

cl_mem memory_root(cl_mem memory) {
  while (memory->parent) memory = memory->parent;
  return memory;
}

void *memory_host_address(cl_mem memory, size_t offset) {
  cl_mem root = memory_root(memory);
  return root->host_base ? root->host_base + memory->origin + offset : NULL;
}

bool memory_is_coherent(cl_mem memory) {
  return (memory_root(memory)->memory->properties & mux_memory_property_host_coherent) != 0;
}

bool device_accepts_offset(cl_device_id device, size_t offset) {
  size_t alignment = device->info->buffer_alignment / 8;
  return alignment <= 1 || offset % alignment == 0;
}

bool memory_is_aligned_for(cl_mem memory, cl_device_id device) {
  return !memory->parent || device_accepts_offset(device, memory->origin);
}

cl_int memory_add_destructor(cl_mem memory, void(CL_CALLBACK *notify)(cl_mem memory, void *user_data),
                             void *user_data) {
  memory_destructor_t *destructor = malloc(sizeof *destructor);
  if (!destructor) return CL_OUT_OF_HOST_MEMORY;
  destructor->notify = notify;
  destructor->user_data = user_data;
  pthread_mutex_lock(&memory->mutex);
  destructor->next = memory->destructors;
  memory->destructors = destructor;
  pthread_mutex_unlock(&memory->mutex);
  return CL_SUCCESS;
}

static void call_destructors(cl_mem memory) {
  while (memory->destructors) {
    memory_destructor_t *destructor = memory->destructors;
    memory->destructors = destructor->next;
    destructor->notify(memory, destructor->user_data);
    free(destructor);
  }
}

/** Frees the Mux objects: before the destructor callbacks, in which the application may free its host pointer. */
static void release_storage(cl_mem memory) {
  mux_device_t device = memory->context->mux_device;
  if (memory->buffer) muxDestroyBuffer(device, memory->buffer, mux_allocator());
  if (memory->image) muxDestroyImage(device, memory->image, mux_allocator());
  if (memory->parent || !memory->memory) return;
  if (memory->host_base && muxUnmapMemory(device, memory->memory) != mux_success) {
    log_write(log_error, "memory of a released object could not be unmapped");
  }
  muxFreeMemory(device, memory->memory, mux_allocator());
}

static void release_external(cl_mem memory) { external_memory_unmap(memory->external_base, memory->external_size); }

static void destroy(object_t *object) {
  cl_mem memory = (cl_mem)(void *)object;
  memory_drop_mappings(memory);
  release_storage(memory);
  release_external(memory);
  call_destructors(memory);
  cl_mem parent = memory->parent;
  cl_context context = memory->context;
  pthread_mutex_destroy(&memory->mutex);
  free(memory->properties);
  object_free(OBJECT(memory), object_kind_memory);
  if (parent) object_drop(OBJECT(parent));
  object_drop(OBJECT(context));
}

cl_mem memory_new(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size) {
  cl_mem memory = calloc(1, sizeof *memory);
  if (!memory) return NULL;
  object_init(&memory->object, object_kind_memory, destroy);
  object_hold(OBJECT(context));
  memory->context = context;
  memory->type = type;
  memory->flags = flags;
  memory->size = size;
  list_init(&memory->mappings);
  pthread_mutex_init(&memory->mutex, NULL);
  return memory;
}

void memory_set_parent(cl_mem memory, cl_mem parent, size_t origin) {
  object_hold(OBJECT(parent));
  memory->parent = parent;
  memory->origin = parent->origin + origin;
  memory->memory = parent->memory;
  if (parent->host_pointer) memory->host_pointer = (char *)parent->host_pointer + origin;
}

static cl_int copy_properties(cl_mem memory, const memory_properties_t *properties) {
  if (!properties->list) return CL_SUCCESS;
  memory->properties = malloc(properties->count * sizeof *properties->list);
  if (!memory->properties) return CL_OUT_OF_HOST_MEMORY;
  memcpy(memory->properties, properties->list, properties->count * sizeof *properties->list);
  memory->property_count = properties->count;
  return CL_SUCCESS;
}

cl_int memory_take_properties(cl_mem memory, const memory_properties_t *properties, size_t size) {
  TRY(copy_properties(memory, properties));
  if (!properties->is_external) return CL_SUCCESS;
  memory->external_base = external_memory_map(properties->descriptor, size);
  memory->external_size = size;
  return memory->external_base ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

void memory_close_descriptor(const memory_properties_t *properties) {
  if (properties->is_external) close(properties->descriptor);
}

/** cl_mem_flags as mux_allocation_type_e: made for the host when the application wants to work on it in place. */
static mux_allocation_type_e allocation_type(mux_device_info_t info, cl_mem_flags flags) {
  const uint32_t host = mux_allocation_capabilities_coherent_host | mux_allocation_capabilities_cached_host;
  bool has_host = (info->allocation_capabilities & host) != 0;
  bool has_device = (info->allocation_capabilities & mux_allocation_capabilities_alloc_device) != 0;
  bool wants_host = (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0;
  return has_host && (wants_host || !has_device) ? mux_allocation_type_alloc_host : mux_allocation_type_alloc_device;
}

/** What the host sees of memory of the device. A host that has no access needs none, except where host and device have
 * one memory, in which addresses on the device are the host's. */
static uint32_t host_properties(mux_device_info_t info, cl_mem_flags flags) {
  if ((flags & CL_MEM_HOST_NO_ACCESS) && !info->shares_host_memory) return 0;
  if (info->allocation_capabilities & mux_allocation_capabilities_coherent_host) {
    return mux_memory_property_host_visible | mux_memory_property_host_coherent;
  }
  if (info->allocation_capabilities & mux_allocation_capabilities_cached_host) {
    return mux_memory_property_host_visible | mux_memory_property_host_cached;
  }
  return 0;
}

/** cl_mem_flags as mux_memory_property_e. */
static uint32_t memory_properties(mux_device_info_t info, cl_mem_flags flags) {
  bool is_of_device = allocation_type(info, flags) == mux_allocation_type_alloc_device;
  return host_properties(info, flags) | (is_of_device ? (uint32_t)mux_memory_property_device_local : 0);
}

static mux_result_t allocate_memory(cl_mem memory, const mux_memory_requirements_s *required, bool from_host) {
  mux_device_t device = memory->context->mux_device;
  void *pages = from_host ? memory->host_pointer : memory->external_base;
  if (pages) return muxCreateMemoryFromHost(device, required->size, pages, mux_allocator(), &memory->memory);
  uint32_t heap = required->supported_heaps & -required->supported_heaps;
  return muxAllocateMemory(memory->context->memory_device, required->size, heap,
                           memory_properties(device->info, memory->flags), allocation_type(device->info, memory->flags),
                           required->alignment, mux_allocator(), &memory->memory);
}

/** Keeps host-visible memory mapped as long as the object lives: Mux maps a memory only once at a time. */
static mux_result_t map_memory(cl_mem memory) {
  mux_device_t device = memory->context->mux_device;
  if (!(memory->memory->properties & mux_memory_property_host_visible)) return mux_success;
  void *address = NULL;
  mux_result_t result = muxMapMemory(device, memory->memory, 0, memory->memory->size, &address);
  memory->host_base = address;
  return result;
}

mux_result_t memory_allocate(cl_mem memory, const mux_memory_requirements_s *required, bool from_host) {
  mux_result_t result = allocate_memory(memory, required, from_host);
  return result == mux_success ? map_memory(memory) : result;
}

static cl_int create_storage(cl_mem memory, bool from_host) {
  mux_device_t device = memory->context->mux_device;
  mux_result_t result = muxCreateBuffer(device, memory->size, mux_allocator(), &memory->buffer);
  if (result == mux_success) result = memory_allocate(memory, &memory->buffer->memory_requirements, from_host);
  if (result == mux_success) result = muxBindBufferMemory(device, memory->memory, memory->buffer, 0);
  cl_int error = error_from_mux(result, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  return error == CL_OUT_OF_HOST_MEMORY ? CL_MEM_OBJECT_ALLOCATION_FAILURE : error;
}

bool memory_shares_host_pointer(cl_context context, cl_mem_flags flags) {
  const uint32_t host = mux_allocation_capabilities_coherent_host | mux_allocation_capabilities_cached_host;
  return (flags & CL_MEM_USE_HOST_PTR) && (context->mux_device->info->allocation_capabilities & host);
}

/** The first content of a buffer with CL_MEM_COPY_HOST_PTR, or with CL_MEM_USE_HOST_PTR that is not shared. */
static cl_int initialise(cl_mem memory, const void *host_pointer, bool from_host) {
  if (!host_pointer || (from_host && memory_is_coherent(memory))) return CL_SUCCESS;
  return memory_fill_from_host(memory, from_host ? NULL : host_pointer);
}

cl_int memory_create_buffer(cl_context context, const memory_properties_t *properties, cl_mem_flags flags, size_t size,
                            void *host_pointer, cl_mem *out_memory) {
  cl_mem memory = memory_new(context, CL_MEM_OBJECT_BUFFER, flags, size);
  if (!memory) return CL_OUT_OF_HOST_MEMORY;
  memory->host_pointer = flags & CL_MEM_USE_HOST_PTR ? host_pointer : NULL;
  bool from_host = memory_shares_host_pointer(context, flags);

  cl_int error = memory_take_properties(memory, properties, size);
  if (error == CL_SUCCESS) error = create_storage(memory, from_host);
  if (error == CL_SUCCESS) error = initialise(memory, host_pointer, from_host);
  if (error != CL_SUCCESS) {
    object_release_external(OBJECT(memory));
    return error;
  }
  memory_close_descriptor(properties);
  *out_memory = memory;
  return CL_SUCCESS;
}

/** Nothing but the header differs from zero; what the packets hold does not matter. */
static cl_int make_empty_pipe(cl_mem pipe) {
  const pipe_header_t header = {.packet_size = pipe->packet_size,
                                .capacity = pipe->packet_capacity,
                                .first_packet = pipe_first_packet(pipe->packet_capacity)};
  if (pipe->host_base) {
    memset(pipe->host_base, 0, header.first_packet);
    memcpy(pipe->host_base, &header, sizeof header);
    return memory_fill_from_host(pipe, NULL);
  }
  void *content = calloc(1, pipe->size);
  if (!content) return CL_OUT_OF_HOST_MEMORY;
  memcpy(content, &header, sizeof header);
  cl_int error = memory_fill_from_host(pipe, content);
  free(content);
  return error;
}

cl_int memory_create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_size, cl_uint packet_capacity,
                          cl_mem *out_pipe) {
  cl_mem pipe = memory_new(context, CL_MEM_OBJECT_PIPE, flags, pipe_memory_size(packet_size, packet_capacity));
  if (!pipe) return CL_OUT_OF_HOST_MEMORY;
  pipe->packet_size = packet_size;
  pipe->packet_capacity = packet_capacity;
  cl_int error = create_storage(pipe, false);
  if (error == CL_SUCCESS) error = make_empty_pipe(pipe);
  if (error != CL_SUCCESS) {
    object_release_external(OBJECT(pipe));
    return error;
  }
  *out_pipe = pipe;
  return CL_SUCCESS;
}

cl_int memory_create_sub_buffer(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size, cl_mem *out_memory) {
  cl_mem memory = memory_new(parent->context, CL_MEM_OBJECT_BUFFER, flags, size);
  if (!memory) return CL_OUT_OF_HOST_MEMORY;
  memory_set_parent(memory, parent, origin);

  mux_device_t device = memory->context->mux_device;
  mux_result_t result = muxCreateBuffer(device, size, mux_allocator(), &memory->buffer);
  if (result == mux_success) result = muxBindBufferMemory(device, memory->memory, memory->buffer, origin);
  if (result != mux_success) {
    object_release_external(OBJECT(memory));
    return error_from_mux(result, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  }
  *out_memory = memory;
  return CL_SUCCESS;
}
