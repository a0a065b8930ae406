/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Commands that give ranges of buffers and boxes of images to the host and back, and migration. */
#include <stdlib.h>
#include <string.h>

#include "cl/api/entry.h"
#include "cl/api/image_region.h"
#include "cl/api/validate.h"
#include "cl/memory/mapping.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"

static cl_int validate_map_flags(const char *function, cl_mem memory, cl_map_flags flags) {
  REQUIRE(map_flags_are_valid(flags), function, memory->context, CL_INVALID_VALUE,
          "map flags 0x%llx are unknown or exclude each other", (unsigned long long)flags);
  if (flags & CL_MAP_READ) TRY(validate_host_read(function, memory));
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) TRY(validate_host_write(function, memory));
  return CL_SUCCESS;
}

static cl_int validate_map(const char *function, cl_command_queue queue, cl_mem buffer, cl_map_flags flags,
                           size_t offset, size_t size) {
  TRY(validate_buffer(function, queue, buffer));
  TRY(validate_range(function, buffer, offset, size));
  if (size == 0) REFUSE(function, buffer->context, CL_INVALID_VALUE, "a range of no bytes");
  return validate_map_flags(function, buffer, flags);
}

/** The end of the command's own use of the mapping, and of its hold on the memory, in which the mapping is listed. */
static void let_go(mapping_t *mapping) {
  cl_mem memory = mapping->memory;
  mapping_drop(mapping);
  object_drop(OBJECT(memory));
}

/** A map command that failed gives nothing to unmap. */
static void map_completed(void *data, cl_int status) {
  mapping_end_map(data, status);
  let_go(data);
}

static void unmap_completed(void *data, cl_int status) {
  (void)status;
  let_go(data);
}

/** Consumes the caller's use of `mapping`. */
static cl_int record_map(const enqueue_t *enqueue, cl_bool blocking, mapping_t *mapping) {
  command_t *command;
  object_hold(OBJECT(mapping->memory));
  cl_int error = enqueue_begin(enqueue, &command);
  if (error != CL_SUCCESS) {
    map_completed(mapping, error);
    return error;
  }
  error = command_on_completion(command, map_completed, mapping);
  if (error != CL_SUCCESS) {
    error = enqueue_abort(command, error);
    map_completed(mapping, error);
    return error;
  }
  if (!blocking) mapping_begin_map(mapping, command_event(command));
  error = error_from_mux(mapping_record_map(mapping, enqueue_command_buffer(command)), CL_MAP_FAILURE);
  return enqueue_end(command, error, blocking);
}

/** The same. Without waiting it has an event even if the application wants none: the end of the mapping may be enqueued
 * before its beginning has failed. */
static cl_int enqueue_map(const enqueue_t *enqueue, cl_bool blocking, mapping_t *mapping) {
  if (blocking || enqueue->out_event) return record_map(enqueue, blocking, mapping);
  cl_event mapped;
  enqueue_t with_event = *enqueue;
  with_event.out_event = &mapped;
  TRY(record_map(&with_event, blocking, mapping));
  object_release_external(OBJECT(mapped));
  return CL_SUCCESS;
}

static cl_int map_buffer(const char *function, const enqueue_t *enqueue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, void **out_pointer) {
  TRY(enqueue_validate(enqueue));
  TRY(validate_map(function, enqueue->queue, buffer, flags, offset, size));
  mapping_t *mapping;
  cl_int error = memory_map_range(buffer, flags, offset, size, &mapping);
  if (error != CL_SUCCESS) REFUSE(function, buffer->context, error, "the range cannot be mapped now");
  void *pointer = mapping->pointer;
  TRY(enqueue_map(enqueue, blocking, mapping));
  *out_pointer = pointer;
  return CL_SUCCESS;
}

CL_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                                              cl_map_flags map_flags, size_t offset, size_t size,
                                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                              cl_event *event, cl_int *errcode_ret) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_MAP_BUFFER, num_events_in_wait_list, event_wait_list, event};
  void *pointer = NULL;
  error_answer(errcode_ret, map_buffer(__func__, &enqueue, buffer, blocking_map, map_flags, offset, size, &pointer));
  return pointer;
}

/** What the application is told of the layout behind the pointer. */
static void answer_pitches(const mapping_t *mapping, size_t *out_row_pitch, size_t *out_slice_pitch) {
  cl_mem image = mapping->memory;
  bool is_1d_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  *out_slice_pitch = is_1d_array ? mapping->row : image_type_has_slices(image->type) ? mapping->slice : 0;
  *out_row_pitch = is_1d_array && !mapping->owns_pointer ? mapping->box.level->row_pitch : mapping->row;
}

static cl_int map_image(const char *function, const enqueue_t *enqueue, cl_mem image, cl_bool blocking,
                        cl_map_flags flags, const size_t *origin, const size_t *region, size_t *out_row_pitch,
                        size_t *out_slice_pitch, void **out_pointer) {
  TRY(enqueue_validate(enqueue));
  TRY(validate_image(function, enqueue->queue, image));
  image_box_t box;
  TRY(validate_image_region(function, image, origin, region, &box));
  REQUIRE(out_row_pitch, function, image->context, CL_INVALID_VALUE, "image_row_pitch is null");
  REQUIRE(out_slice_pitch || !image_type_has_slices(image->type), function, image->context, CL_INVALID_VALUE,
          "image_slice_pitch is null for an image with slices");
  TRY(validate_map_flags(function, image, flags));
  mapping_t *mapping;
  cl_int error = image_map_box(image, flags, &box, &mapping);
  if (error != CL_SUCCESS) REFUSE(function, image->context, error, "the region cannot be mapped now");
  size_t row_pitch, slice_pitch;
  answer_pitches(mapping, &row_pitch, &slice_pitch);
  void *pointer = mapping->pointer;
  TRY(enqueue_map(enqueue, blocking, mapping));
  *out_row_pitch = row_pitch;
  if (out_slice_pitch) *out_slice_pitch = slice_pitch;
  *out_pointer = pointer;
  return CL_SUCCESS;
}

CL_ENTRY void *CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map,
                                             cl_map_flags map_flags, const size_t *origin, const size_t *region,
                                             size_t *image_row_pitch, size_t *image_slice_pitch,
                                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                             cl_event *event, cl_int *errcode_ret) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_MAP_IMAGE, num_events_in_wait_list, event_wait_list, event};
  void *pointer = NULL;
  error_answer(errcode_ret, map_image(__func__, &enqueue, image, blocking_map, map_flags, origin, region,
                                      image_row_pitch, image_slice_pitch, &pointer));
  return pointer;
}

static cl_int record_unmap(command_t *command, mapping_t *mapping) {
  TRY(command_on_completion(command, unmap_completed, mapping));
  object_hold(OBJECT(mapping->memory));
  mapping_hold(mapping);
  return error_from_mux(mapping_record_unmap(mapping, enqueue_command_buffer(command)), CL_OUT_OF_RESOURCES);
}

static cl_int unmap(const enqueue_t *enqueue, mapping_t *mapping) {
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  return enqueue_end(command, record_unmap(command, mapping), CL_FALSE);
}

/** Waits for the map command too: what that did not map must not be written back. */
static cl_int unmap_after(const enqueue_t *enqueue, mapping_t *mapping, cl_event mapped) {
  cl_event *events = calloc((size_t)enqueue->wait_count + 1, sizeof *events);
  if (!events) return CL_OUT_OF_HOST_MEMORY;
  if (enqueue->wait_count) memcpy(events, enqueue->wait_list, enqueue->wait_count * sizeof *events);
  events[enqueue->wait_count] = mapped;
  enqueue_t whole = *enqueue;
  whole.wait_count++;
  whole.wait_list = events;
  cl_int error = unmap(&whole, mapping);
  free(events);
  return error;
}

/** Owns the use that the list of mappings had; gives it back to the list on failure. Consumes the hold of `mapped`,
 * which may be null. */
static cl_int enqueue_unmap(const enqueue_t *enqueue, mapping_t *mapping, cl_event mapped) {
  cl_int error = mapped ? unmap_after(enqueue, mapping, mapped) : unmap(enqueue, mapping);
  if (mapped) object_drop(OBJECT(mapped));
  if (error == CL_SUCCESS) {
    mapping_drop(mapping);
  } else {
    mapping_restore(mapping);
  }
  return error;
}

CL_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void *mapped_ptr,
                                                    cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                    cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_UNMAP_MEM_OBJECT, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(enqueue_validate(&enqueue));
  REQUIRE(memory_is_buffer(memobj) || memory_is_image(memobj), __func__, queue_context(command_queue),
          CL_INVALID_MEM_OBJECT, "neither a buffer nor an image");
  REQUIRE(memobj->context == queue_context(command_queue), __func__, memobj->context, CL_INVALID_CONTEXT,
          "the memory object and the queue are of different contexts");
  cl_event mapped;
  mapping_t *mapping = memory_unmap_pointer(memobj, mapped_ptr, &mapped);
  REQUIRE(mapping, __func__, memobj->context, CL_INVALID_VALUE, "%p is not a mapping of the memory object", mapped_ptr);
  return enqueue_unmap(&enqueue, mapping, mapped);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                       const cl_mem *mem_objects, cl_mem_migration_flags flags,
                                                       cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                       cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(enqueue_validate(&enqueue));
  cl_context context = queue_context(command_queue);
  REQUIRE(num_mem_objects && mem_objects, __func__, context, CL_INVALID_VALUE, "no memory objects are given");
  REQUIRE(migration_flags_are_valid(flags), __func__, context, CL_INVALID_VALUE, "unknown flags 0x%llx",
          (unsigned long long)flags);
  for (cl_uint i = 0; i < num_mem_objects; i++) {
    REQUIRE(memory_is_valid(mem_objects[i]), __func__, context, CL_INVALID_MEM_OBJECT,
            "entry %u is not a memory object", i);
    REQUIRE(mem_objects[i]->context == context, __func__, context, CL_INVALID_CONTEXT, "entry %u is of another context",
            i);
  }

  /* All devices of a context share their memory: an empty command, which keeps its place in the queue. */
  command_t *command;
  TRY(enqueue_begin(&enqueue, &command));
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < num_mem_objects && error == CL_SUCCESS; i++) {
    error = command_hold(command, OBJECT(mem_objects[i]));
  }
  return enqueue_end(command, error, CL_FALSE);
}
