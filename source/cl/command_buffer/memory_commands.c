/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording barriers, copies and fills into command buffers. */
#include <string.h>

#include "cl/api/buffer_commands.h"
#include "cl/api/pointer.h"
#include "cl/api/validate.h"
#include "cl/command_buffer/entry.h"
#include "cl/command_buffer/instance.h"
#include "cl/queueing/refuse.h"

static cl_context context_of(const recording_t *recording) { return queue_context(recording->command_buffer->queue); }

#define REQUIRE_MEMORY(recording, command) \
  REQUIRE((command), (recording)->function, context_of(recording), CL_OUT_OF_HOST_MEMORY, "out of memory")

/* ------------------------------------------------------------ barriers */

/** Commands run in their order anyway. */
static const command_kind_t barrier_kind = {.type = CL_COMMAND_BARRIER};

cl_int CL_API_CALL command_barrier_with_wait_list_khr(QUERN_COMMAND_HEAD, QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandBarrierWithWaitListKHR");
  TRY(recording_validate_plain(&recording, mutable_handle));
  cl_mutable_command_khr command = command_allocate(&recording, sizeof *command, &barrier_kind);
  REQUIRE_MEMORY(&recording, command);
  return command_append(&recording, command);
}

/* ------------------------------------------------------------ copies of buffers */

typedef struct copy_command_t {
  struct _cl_mutable_command_khr head;
  buffer_copy_t copy;
} copy_command_t;

static cl_int hold_both(instance_t *instance, cl_mem source, cl_mem destination) {
  TRY(instance_hold(instance, OBJECT(source)));
  return instance_hold(instance, OBJECT(destination));
}

static cl_int copy_record(cl_mutable_command_khr command, instance_t *instance) {
  const buffer_copy_t *copy = &((copy_command_t *)command)->copy;
  TRY(hold_both(instance, copy->source, copy->destination));
  return buffer_copy_record(instance_commands(instance), copy);
}

static void copy_release(cl_mutable_command_khr command) {
  const buffer_copy_t *copy = &((copy_command_t *)command)->copy;
  object_drop(OBJECT(copy->source));
  object_drop(OBJECT(copy->destination));
}

static const command_kind_t copy_kind = {
    .type = CL_COMMAND_COPY_BUFFER, .record = copy_record, .release = copy_release};

cl_int CL_API_CALL command_copy_buffer_khr(QUERN_COMMAND_HEAD, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                                           size_t dst_offset, size_t size, QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandCopyBufferKHR");
  const buffer_copy_t copy = {src_buffer, dst_buffer, src_offset, dst_offset, size};
  TRY(recording_validate_plain(&recording, mutable_handle));
  TRY(buffer_copy_validate(recording.function, command_buffer->queue, &copy));
  copy_command_t *command = command_allocate(&recording, sizeof *command, &copy_kind);
  REQUIRE_MEMORY(&recording, command);
  object_hold(OBJECT(src_buffer));
  object_hold(OBJECT(dst_buffer));
  command->copy = copy;
  return command_append(&recording, &command->head);
}

typedef struct copy_rect_command_t {
  struct _cl_mutable_command_khr head;
  buffer_copy_rect_t copy;
} copy_rect_command_t;

static cl_int copy_rect_record(cl_mutable_command_khr command, instance_t *instance) {
  const buffer_copy_rect_t *copy = &((copy_rect_command_t *)command)->copy;
  TRY(hold_both(instance, copy->source, copy->destination));
  return buffer_copy_rect_record(instance_commands(instance), copy);
}

static void copy_rect_release(cl_mutable_command_khr command) {
  const buffer_copy_rect_t *copy = &((copy_rect_command_t *)command)->copy;
  object_drop(OBJECT(copy->source));
  object_drop(OBJECT(copy->destination));
}

static const command_kind_t copy_rect_kind = {
    .type = CL_COMMAND_COPY_BUFFER_RECT, .record = copy_rect_record, .release = copy_rect_release};

cl_int CL_API_CALL command_copy_buffer_rect_khr(QUERN_COMMAND_HEAD, cl_mem src_buffer, cl_mem dst_buffer,
                                                const size_t *src_origin, const size_t *dst_origin,
                                                const size_t *region, size_t src_row_pitch, size_t src_slice_pitch,
                                                size_t dst_row_pitch, size_t dst_slice_pitch, QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandCopyBufferRectKHR");
  const buffer_rects_t rects = {src_origin,      dst_origin,    region,         src_row_pitch,
                                src_slice_pitch, dst_row_pitch, dst_slice_pitch};
  buffer_copy_rect_t copy = {.source = src_buffer, .destination = dst_buffer};
  TRY(recording_validate_plain(&recording, mutable_handle));
  TRY(buffer_copy_rect_make(recording.function, command_buffer->queue, &rects, &copy));
  copy_rect_command_t *command = command_allocate(&recording, sizeof *command, &copy_rect_kind);
  REQUIRE_MEMORY(&recording, command);
  object_hold(OBJECT(src_buffer));
  object_hold(OBJECT(dst_buffer));
  command->copy = copy;
  return command_append(&recording, &command->head);
}

/* ------------------------------------------------------------ fills of buffers */

typedef struct fill_command_t {
  struct _cl_mutable_command_khr head;
  buffer_fill_t fill;
} fill_command_t;

static cl_int fill_record(cl_mutable_command_khr command, instance_t *instance) {
  const buffer_fill_t *fill = &((fill_command_t *)command)->fill;
  TRY(instance_hold(instance, OBJECT(fill->buffer)));
  return buffer_fill_record(instance_commands(instance), fill);
}

static void fill_release(cl_mutable_command_khr command) {
  object_drop(OBJECT(((fill_command_t *)command)->fill.buffer));
}

static const command_kind_t fill_kind = {
    .type = CL_COMMAND_FILL_BUFFER, .record = fill_record, .release = fill_release};

cl_int CL_API_CALL command_fill_buffer_khr(QUERN_COMMAND_HEAD, cl_mem buffer, const void *pattern, size_t pattern_size,
                                           size_t offset, size_t size, QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandFillBufferKHR");
  buffer_fill_t fill = {.buffer = buffer, .offset = offset, .size = size, .pattern_size = pattern_size};
  TRY(recording_validate_plain(&recording, mutable_handle));
  TRY(buffer_fill_make(recording.function, command_buffer->queue, pattern, &fill));
  fill_command_t *command = command_allocate(&recording, sizeof *command, &fill_kind);
  REQUIRE_MEMORY(&recording, command);
  object_hold(OBJECT(buffer));
  command->fill = fill;
  return command_append(&recording, &command->head);
}

/* ------------------------------------------------------------ addresses */

typedef struct pointer_command_t {
  struct _cl_mutable_command_khr head;
  void *destination;
  const void *source;
  size_t size, pattern_size;
  unsigned char pattern[sizeof(cl_long16)];
} pointer_command_t;

static cl_int pointer_copy_record(cl_mutable_command_khr head, instance_t *instance) {
  const pointer_command_t *command = (const pointer_command_t *)head;
  return record_pointer_copy(instance_commands(instance), command->destination, command->source, command->size);
}

static cl_int pointer_fill_record(cl_mutable_command_khr head, instance_t *instance) {
  const pointer_command_t *command = (const pointer_command_t *)head;
  return record_pointer_fill(instance_commands(instance), command->destination, command->pattern, command->pattern_size,
                             command->size);
}

static const command_kind_t pointer_copy_kind = {.type = CL_COMMAND_SVM_MEMCPY, .record = pointer_copy_record};
static const command_kind_t pointer_fill_kind = {.type = CL_COMMAND_SVM_MEMFILL, .record = pointer_fill_record};

cl_int CL_API_CALL command_svm_memcpy_khr(QUERN_COMMAND_HEAD, void *dst_ptr, const void *src_ptr, size_t size,
                                          QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandSVMMemcpyKHR");
  TRY(recording_validate_plain(&recording, mutable_handle));
  TRY(validate_sharing(recording.function, context_of(&recording)));
  TRY(validate_pointer_copy(recording.function, context_of(&recording), dst_ptr, src_ptr, size));
  pointer_command_t *command = command_allocate(&recording, sizeof *command, &pointer_copy_kind);
  REQUIRE_MEMORY(&recording, command);
  command->destination = dst_ptr;
  command->source = src_ptr;
  command->size = size;
  return command_append(&recording, &command->head);
}

cl_int CL_API_CALL command_svm_mem_fill_khr(QUERN_COMMAND_HEAD, void *svm_ptr, const void *pattern, size_t pattern_size,
                                            size_t size, QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandSVMMemFillKHR");
  TRY(recording_validate_plain(&recording, mutable_handle));
  TRY(validate_sharing(recording.function, context_of(&recording)));
  TRY(validate_pointer_fill(recording.function, context_of(&recording), svm_ptr, pattern, pattern_size, size));
  pointer_command_t *command = command_allocate(&recording, sizeof *command, &pointer_fill_kind);
  REQUIRE_MEMORY(&recording, command);
  command->destination = svm_ptr;
  command->size = size;
  command->pattern_size = pattern_size;
  memcpy(command->pattern, pattern, pattern_size);
  return command_append(&recording, &command->head);
}
