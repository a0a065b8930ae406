/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rules that the commands on images share. */
#include "cl/api/image_region.h"

#include "base/memory.h"
#include "cl/api/validate.h"

cl_int validate_image(const char *function, cl_command_queue queue, cl_mem image) {
  cl_context context = queue_context(queue);
  REQUIRE(context->mux_device->info->image_support, function, context, CL_INVALID_OPERATION,
          "the device does not support images");
  REQUIRE(memory_is_image(image), function, context, CL_INVALID_MEM_OBJECT, "%p is not an image", (void *)image);
  REQUIRE(image->context == context, function, context, CL_INVALID_CONTEXT,
          "the image and the queue are of different contexts");
  return CL_SUCCESS;
}

cl_int validate_image_region(const char *function, cl_mem image, const size_t *origin, const size_t *region) {
  REQUIRE(origin && region, function, image->context, CL_INVALID_VALUE, "an origin or the region is null");
  size_t extent[3];
  image_extent(&image->desc, extent);
  for (unsigned i = 0; i < 3; i++) {
    REQUIRE(region[i] && range_is_inside(origin[i], region[i], extent[i]), function, image->context, CL_INVALID_VALUE,
            "dimension %u: %zu pixels from %zu on are not inside the image's %zu, or none", i, region[i], origin[i],
            extent[i]);
  }
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
