/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mapped ranges of buffers and boxes of images. */
#include "cl/memory/mapping.h"

#include <stdlib.h>

#include "base/log.h"
#include "cl/memory/image.h"

static const cl_map_flags write_flags = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

static void lock(cl_mem memory) { pthread_mutex_lock(&memory_root(memory)->mutex); }
static void unlock(cl_mem memory) { pthread_mutex_unlock(&memory_root(memory)->mutex); }

static bool is_apart(size_t a, size_t a_length, size_t b, size_t b_length) {
  return a + a_length <= b || b + b_length <= a;
}

static bool boxes_overlap(const image_box_t *a, const image_box_t *b) {
  return a->level == b->level && !is_apart(a->origin.x, a->extent.x, b->origin.x, b->extent.x) &&
         !is_apart(a->origin.y, a->extent.y, b->origin.y, b->extent.y) &&
         !is_apart(a->origin.z, a->extent.z, b->origin.z, b->extent.z);
}

static bool overlaps(const mapping_t *a, const mapping_t *b) {
  if (a->memory == b->memory && a->memory->image) return boxes_overlap(&a->box, &b->box);
  size_t a_start = a->memory->origin + a->offset, b_start = b->memory->origin + b->offset;
  return a_start < b_start + b->size && b_start < a_start + a->size;
}

/** True when both write and overlap: "mapping would lead to overlapping regions being mapped for writing". */
static bool conflicts(const mapping_t *mapping, const list_t *mappings) {
  if (!(mapping->flags & write_flags)) return false;
  LIST_FOR_EACH(node, mappings) {
    const mapping_t *other = LIST_ENTRY(node, mapping_t, node);
    if ((other->flags & write_flags) && overlaps(mapping, other)) return true;
  }
  return false;
}

/** Where the application will find the bytes. */
static bool choose_pointer(mapping_t *mapping) {
  cl_mem memory = mapping->memory;
  mapping->pointer = memory_host_address(memory, mapping->offset);
  if (mapping->pointer) return true;
  mapping->is_copy = true;
  if (memory->host_pointer) {
    mapping->pointer = (char *)memory->host_pointer + mapping->offset;
    return true;
  }
  mapping->owns_pointer = true;
  size_t size = mapping->size;
  if (memory->image) {
    const mux_extent_3d_t extent = mapping->box.extent;
    mapping->row = extent.x * memory->image->pixel_size;
    mapping->slice = mapping->row * extent.y;
    size = mapping->slice * extent.z;
  }
  mapping->pointer = aligned_alloc(128, (size + 127) & ~(size_t)127);
  return mapping->pointer != NULL;
}

static cl_int add(mapping_t *mapping) {
  cl_mem memory = mapping->memory;
  lock(memory);
  bool refused = conflicts(mapping, &memory_root(memory)->mappings);
  if (!refused) {
    list_append(&memory_root(memory)->mappings, &mapping->node);
    memory->map_count++;
  }
  unlock(memory);
  return refused ? CL_INVALID_OPERATION : CL_SUCCESS;
}

static void free_mapping(mapping_t *mapping) {
  if (mapping->owns_pointer) free(mapping->pointer);
  free(mapping);
}

/** Registers a copy of `like`. */
static cl_int create(const mapping_t *like, mapping_t **out_mapping) {
  mapping_t *mapping = malloc(sizeof *mapping);
  if (!mapping) return CL_OUT_OF_HOST_MEMORY;
  *mapping = *like;
  list_init(&mapping->node);
  mapping->uses = 2; /* the list's and the caller's */
  cl_int error = choose_pointer(mapping) ? add(mapping) : CL_MAP_FAILURE;
  if (error != CL_SUCCESS) {
    free_mapping(mapping);
    return error;
  }
  *out_mapping = mapping;
  return CL_SUCCESS;
}

cl_int memory_map_range(cl_mem memory, cl_map_flags flags, size_t offset, size_t size, mapping_t **out_mapping) {
  return create(&(const mapping_t){.memory = memory, .offset = offset, .size = size, .flags = flags}, out_mapping);
}

cl_int image_map_box(cl_mem image, cl_map_flags flags, const image_box_t *box, mapping_t **out_mapping) {
  const mux_extent_2d_t pitch = image_level_pitches(box->level);
  const size_t element = image_element_size(image);
  const size_t start = box->origin.x * element + box->origin.y * pitch.x + box->origin.z * pitch.y;
  const mux_extent_3d_t extent = box->extent;
  return create(&(const mapping_t){.memory = image,
                                   .offset = box->level->level_offset + start,
                                   .size = extent.x * element + (extent.y - 1) * pitch.x + (extent.z - 1) * pitch.y,
                                   .flags = flags,
                                   .box = *box,
                                   .row = pitch.x,
                                   .slice = pitch.y},
                out_mapping);
}

mapping_t *memory_unmap_pointer(cl_mem memory, const void *pointer, cl_event *out_mapped) {
  mapping_t *found = NULL;
  *out_mapped = NULL;
  lock(memory);
  LIST_FOR_EACH(node, &memory_root(memory)->mappings) {
    mapping_t *mapping = LIST_ENTRY(node, mapping_t, node);
    if (mapping->memory == memory && mapping->pointer == pointer) found = mapping;
  }
  if (found) {
    list_remove(&found->node);
    memory->map_count--;
    *out_mapped = found->mapped;
    if (found->mapped) object_hold(OBJECT(found->mapped));
  }
  unlock(memory);
  return found;
}

void mapping_restore(mapping_t *mapping) {
  cl_mem memory = mapping->memory;
  lock(memory);
  list_append(&memory_root(memory)->mappings, &mapping->node);
  memory->map_count++;
  unlock(memory);
}

void mapping_begin_map(mapping_t *mapping, cl_event mapped) {
  object_hold(OBJECT(mapped));
  lock(mapping->memory);
  mapping->mapped = mapped;
  unlock(mapping->memory);
}

void mapping_end_map(mapping_t *mapping, cl_int status) {
  cl_mem memory = mapping->memory;
  lock(memory);
  cl_event mapped = mapping->mapped;
  mapping->mapped = NULL;
  if (status < 0 && !list_is_empty(&mapping->node)) {
    list_remove(&mapping->node);
    memory->map_count--;
    mapping->uses--; /* never the last: the caller has one */
  }
  unlock(memory);
  if (mapped) object_drop(OBJECT(mapped));
}

void mapping_hold(mapping_t *mapping) {
  lock(mapping->memory);
  mapping->uses++;
  unlock(mapping->memory);
}

void mapping_drop(mapping_t *mapping) {
  lock(mapping->memory);
  bool last = --mapping->uses == 0;
  unlock(mapping->memory);
  if (last) free_mapping(mapping);
}

void memory_drop_mappings(cl_mem memory) {
  lock(memory);
  LIST_FOR_EACH_SAFE(node, &memory_root(memory)->mappings) {
    mapping_t *mapping = LIST_ENTRY(node, mapping_t, node);
    if (mapping->memory != memory) continue;
    list_remove(node);
    free_mapping(mapping);
  }
  unlock(memory);
}

static void flush_from_device(mux_queue_t queue, mux_command_buffer_t command_buffer, void *data) {
  const mapping_t *mapping = data;
  (void)command_buffer;
  if (muxFlushMappedMemoryFromDevice(queue->device, memory_root(mapping->memory)->memory,
                                     mapping->memory->origin + mapping->offset, mapping->size) != mux_success) {
    log_write(log_error, "a mapped range could not be flushed from the device");
  }
}

static void flush_to_device(mux_queue_t queue, mux_command_buffer_t command_buffer, void *data) {
  const mapping_t *mapping = data;
  (void)command_buffer;
  if (muxFlushMappedMemoryToDevice(queue->device, memory_root(mapping->memory)->memory,
                                   mapping->memory->origin + mapping->offset, mapping->size) != mux_success) {
    log_write(log_error, "a mapped range could not be flushed to the device");
  }
}

mux_result_t mapping_record_map(mapping_t *mapping, mux_command_buffer_t command_buffer) {
  cl_mem memory = mapping->memory;
  if (mapping->flags & CL_MAP_WRITE_INVALIDATE_REGION) return mux_success;
  if (mapping->is_copy && memory->image) {
    return muxCommandReadImage(command_buffer, mapping->box.level, mapping->box.origin, mapping->box.extent,
                               mapping->row, mapping->slice, mapping->pointer, 0, NULL, NULL);
  }
  if (mapping->is_copy) {
    return muxCommandReadBuffer(command_buffer, memory->buffer, mapping->offset, mapping->pointer, mapping->size, 0,
                                NULL, NULL);
  }
  if (memory_is_coherent(memory)) return mux_success;
  return muxCommandUserCallback(command_buffer, flush_from_device, mapping, 0, NULL, NULL);
}

mux_result_t mapping_record_unmap(mapping_t *mapping, mux_command_buffer_t command_buffer) {
  cl_mem memory = mapping->memory;
  if (!(mapping->flags & write_flags)) return mux_success;
  if (mapping->is_copy && memory->image) {
    return muxCommandWriteImage(command_buffer, mapping->box.level, mapping->box.origin, mapping->box.extent,
                                mapping->row, mapping->slice, mapping->pointer, 0, NULL, NULL);
  }
  if (mapping->is_copy) {
    return muxCommandWriteBuffer(command_buffer, memory->buffer, mapping->offset, mapping->pointer, mapping->size, 0,
                                 NULL, NULL);
  }
  if (memory_is_coherent(memory)) return mux_success;
  return muxCommandUserCallback(command_buffer, flush_to_device, mapping, 0, NULL, NULL);
}
