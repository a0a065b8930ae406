/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording commands on images into command buffers. */
#include "cl/api/image_region.h"
#include "cl/api/validate.h"
#include "cl/command_buffer/entry.h"
#include "cl/command_buffer/instance.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"

/** A command on one or two memory objects, either or both images. */
typedef struct image_command_t {
  struct _cl_mutable_command_khr head;
  /** Held; the first is null for a fill. */
  cl_mem source, destination;
  /** Of those that are images; of one size. */
  image_box_t from, to;
  /** In the buffer, if one is. */
  size_t offset;
  /** Of a fill. */
  unsigned char pixel[image_max_element_size];
} image_command_t;

static image_command_t *image_command(cl_mutable_command_khr command) { return (image_command_t *)command; }

static cl_int hold(const image_command_t *command, instance_t *instance) {
  if (command->source) TRY(instance_hold(instance, OBJECT(command->source)));
  return instance_hold(instance, OBJECT(command->destination));
}

static void release(cl_mutable_command_khr command) {
  const image_command_t *image = image_command(command);
  if (image->source) object_drop(OBJECT(image->source));
  object_drop(OBJECT(image->destination));
}

static cl_int append(const recording_t *recording, const command_kind_t *kind, const image_command_t *like) {
  image_command_t *command = command_allocate(recording, sizeof *command, kind);
  REQUIRE(command, recording->function, queue_context(recording->command_buffer->queue), CL_OUT_OF_HOST_MEMORY,
          "out of memory");
  const struct _cl_mutable_command_khr head = command->head;
  *command = *like;
  command->head = head;
  if (command->source) object_hold(OBJECT(command->source));
  object_hold(OBJECT(command->destination));
  return command_append(recording, &command->head);
}

/* ------------------------------------------------------------ what instances get */

static cl_int copy_record(cl_mutable_command_khr handle, instance_t *instance) {
  const image_command_t *command = image_command(handle);
  TRY(hold(command, instance));
  return error_from_mux(
      muxCommandCopyImage(instance_commands(instance), command->from.level, command->to.level, command->from.origin,
                          command->to.origin, command->to.extent, 0, NULL, NULL),
      CL_OUT_OF_RESOURCES);
}

static cl_int to_buffer_record(cl_mutable_command_khr handle, instance_t *instance) {
  const image_command_t *command = image_command(handle);
  TRY(hold(command, instance));
  return error_from_mux(
      muxCommandCopyImageToBuffer(instance_commands(instance), command->from.level, command->destination->buffer,
                                  command->from.origin, command->offset, command->from.extent, 0, NULL, NULL),
      CL_OUT_OF_RESOURCES);
}

static cl_int from_buffer_record(cl_mutable_command_khr handle, instance_t *instance) {
  const image_command_t *command = image_command(handle);
  TRY(hold(command, instance));
  return error_from_mux(
      muxCommandCopyBufferToImage(instance_commands(instance), command->source->buffer, command->to.level,
                                  command->offset, command->to.origin, command->to.extent, 0, NULL, NULL),
      CL_OUT_OF_RESOURCES);
}

static cl_int fill_record(cl_mutable_command_khr handle, instance_t *instance) {
  const image_command_t *command = image_command(handle);
  TRY(hold(command, instance));
  mux_image_t image = command->to.level;
  return error_from_mux(muxCommandFillImage(instance_commands(instance), image, command->pixel, image->pixel_size,
                                            command->to.origin, command->to.extent, 0, NULL, NULL),
                        CL_OUT_OF_RESOURCES);
}

/* ------------------------------------------------------------ entry points */

cl_int CL_API_CALL command_copy_buffer_to_image_khr(QUERN_COMMAND_HEAD, cl_mem src_buffer, cl_mem dst_image,
                                                    size_t src_offset, const size_t *dst_origin, const size_t *region,
                                                    QUERN_COMMAND_TAIL) {
  static const command_kind_t kind = {
      .type = CL_COMMAND_COPY_BUFFER_TO_IMAGE, .record = from_buffer_record, .release = release};
  const recording_t recording = RECORDING("clCommandCopyBufferToImageKHR");
  TRY(recording_validate_plain(&recording, mutable_handle));
  image_box_t to;
  TRY(validate_image_buffer_copy(recording.function, command_buffer->queue, dst_image, dst_origin, region, src_buffer,
                                 src_offset, &to));
  return append(
      &recording, &kind,
      &(const image_command_t){.source = src_buffer, .destination = dst_image, .to = to, .offset = src_offset});
}

cl_int CL_API_CALL command_copy_image_khr(QUERN_COMMAND_HEAD, cl_mem src_image, cl_mem dst_image,
                                          const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                          QUERN_COMMAND_TAIL) {
  static const command_kind_t kind = {.type = CL_COMMAND_COPY_IMAGE, .record = copy_record, .release = release};
  const recording_t recording = RECORDING("clCommandCopyImageKHR");
  TRY(recording_validate_plain(&recording, mutable_handle));
  image_box_t from, to;
  TRY(validate_image_copy(recording.function, command_buffer->queue, src_image, dst_image, src_origin, dst_origin,
                          region, &from, &to));
  return append(&recording, &kind,
                &(const image_command_t){.source = src_image, .destination = dst_image, .from = from, .to = to});
}

cl_int CL_API_CALL command_copy_image_to_buffer_khr(QUERN_COMMAND_HEAD, cl_mem src_image, cl_mem dst_buffer,
                                                    const size_t *src_origin, const size_t *region, size_t dst_offset,
                                                    QUERN_COMMAND_TAIL) {
  static const command_kind_t kind = {
      .type = CL_COMMAND_COPY_IMAGE_TO_BUFFER, .record = to_buffer_record, .release = release};
  const recording_t recording = RECORDING("clCommandCopyImageToBufferKHR");
  TRY(recording_validate_plain(&recording, mutable_handle));
  image_box_t from;
  TRY(validate_image_buffer_copy(recording.function, command_buffer->queue, src_image, src_origin, region, dst_buffer,
                                 dst_offset, &from));
  return append(
      &recording, &kind,
      &(const image_command_t){.source = src_image, .destination = dst_buffer, .from = from, .offset = dst_offset});
}

cl_int CL_API_CALL command_fill_image_khr(QUERN_COMMAND_HEAD, cl_mem image, const void *fill_color,
                                          const size_t *origin, const size_t *region, QUERN_COMMAND_TAIL) {
  static const command_kind_t kind = {.type = CL_COMMAND_FILL_IMAGE, .record = fill_record, .release = release};
  const recording_t recording = RECORDING("clCommandFillImageKHR");
  TRY(recording_validate_plain(&recording, mutable_handle));
  TRY(validate_image(recording.function, command_buffer->queue, image));
  REQUIRE(fill_color, recording.function, image->context, CL_INVALID_VALUE, "fill_color is null");
  image_command_t command = {.destination = image};
  TRY(validate_image_region(recording.function, image, origin, region, &command.to));
  image_color_encode(&image->format, fill_color, command.pixel);
  return append(&recording, &kind, &command);
}
