/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rules that the commands on images share. */
#include "cl/api/image_region.h"

#include "base/memory.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"

cl_int validate_image(const char *function, cl_command_queue queue, cl_mem image) {
  cl_context context = queue_context(queue);
  REQUIRE(context->mux_device->info->image_support, function, context, CL_INVALID_OPERATION,
          "the device does not support images");
  REQUIRE(memory_is_image(image), function, context, CL_INVALID_MEM_OBJECT, "%p is not an image", (void *)image);
  REQUIRE(image->context == context, function, context, CL_INVALID_CONTEXT,
          "the image and the queue are of different contexts");
  return CL_SUCCESS;
}

cl_int validate_image_region(const char *function, cl_mem image, const size_t *origin, const size_t *region,
                             image_box_t *out_box) {
  REQUIRE(origin && region, function, image->context, CL_INVALID_VALUE, "an origin or the region is null");
  size_t inside[3] = {origin[0], origin[1], origin[2]}, extent[3], level = 0;
  if (image_level_count(image) > 1) {
    const unsigned index = image_level_index(image->type);
    level = origin[index];
    if (index < 3) inside[index] = 0;
    REQUIRE(level < image_level_count(image), function, image->context, CL_INVALID_MIP_LEVEL,
            "level %zu of an image of %u", level, image_level_count(image));
  }
  image_level_extent(image, (cl_uint)level, extent);
  for (unsigned i = 0; i < 3; i++) {
    REQUIRE(region[i] && range_is_inside(inside[i], region[i], extent[i]), function, image->context, CL_INVALID_VALUE,
            "dimension %u: %zu pixels from %zu on are not inside the image's %zu, or none", i, region[i], inside[i],
            extent[i]);
  }
  *out_box = (image_box_t){.level = level ? image->image->levels[level] : image->image,
                           .origin = {inside[0], inside[1], inside[2]},
                           .extent = {region[0], region[1], region[2]}};
  return CL_SUCCESS;
}

cl_int validate_image_host_layout(const char *function, cl_mem image, const size_t *region, size_t row_pitch,
                                  size_t slice_pitch, image_host_layout_t *out_layout) {
  bool is_1d_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  size_t packed = region[0] * image_element_size(image), row = row_pitch ? row_pitch : packed, slice;
  REQUIRE(row >= packed, function, image->context, CL_INVALID_VALUE, "a row pitch of %zu bytes for rows of %zu", row,
          packed);
  REQUIRE(!slice_pitch || image_type_has_slices(image->type), function, image->context, CL_INVALID_VALUE,
          "a slice pitch, but the image has no slices");
  bool fits = size_multiply(row, is_1d_array ? 1 : region[1], &slice) && (!slice_pitch || slice_pitch >= slice);
  REQUIRE(fits, function, image->context, CL_INVALID_VALUE, "a slice pitch of %zu bytes for rows of %zu", slice_pitch,
          row);
  if (slice_pitch) slice = slice_pitch;
  *out_layout = (image_host_layout_t){is_1d_array ? slice : row, is_1d_array ? slice * region[1] : slice};
  return CL_SUCCESS;
}

static bool formats_are_equal(cl_mem a, cl_mem b) {
  return a->format.image_channel_order == b->format.image_channel_order &&
         a->format.image_channel_data_type == b->format.image_channel_data_type;
}

static bool is_apart(size_t a, size_t b, size_t length) { return a + length <= b || b + length <= a; }

/** Boxes of one size. */
static bool boxes_overlap(const image_box_t *a, const image_box_t *b) {
  return a->level == b->level && !is_apart(a->origin.x, b->origin.x, a->extent.x) &&
         !is_apart(a->origin.y, b->origin.y, a->extent.y) && !is_apart(a->origin.z, b->origin.z, a->extent.z);
}

cl_int validate_image_copy(const char *function, cl_command_queue queue, cl_mem source, cl_mem destination,
                           const size_t *source_origin, const size_t *destination_origin, const size_t *region,
                           image_box_t *out_source, image_box_t *out_destination) {
  TRY(validate_image(function, queue, source));
  TRY(validate_image(function, queue, destination));
  REQUIRE(formats_are_equal(source, destination), function, source->context, CL_IMAGE_FORMAT_MISMATCH,
          "the images' formats differ");
  TRY(validate_image_region(function, source, source_origin, region, out_source));
  TRY(validate_image_region(function, destination, destination_origin, region, out_destination));
  REQUIRE(!boxes_overlap(out_source, out_destination), function, source->context, CL_MEM_COPY_OVERLAP,
          "source and destination overlap");
  return CL_SUCCESS;
}

cl_int validate_image_buffer_copy(const char *function, cl_command_queue queue, cl_mem image, const size_t *origin,
                                  const size_t *region, cl_mem buffer, size_t offset, image_box_t *out_box) {
  TRY(validate_image(function, queue, image));
  TRY(validate_buffer(function, queue, buffer));
  /* Section 5.3.3: an image must not be copied to or from the buffer that it is made of. */
  REQUIRE(image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER || image->parent != buffer, function, image->context,
          CL_INVALID_MEM_OBJECT, "the image is made of the buffer");
  TRY(validate_image_region(function, image, origin, region, out_box));
  size_t size;
  REQUIRE(size_multiply(region[0] * region[1] * region[2], image_element_size(image), &size), function, image->context,
          CL_INVALID_VALUE, "the region has more bytes than there are");
  return validate_range(function, buffer, offset, size);
}
