/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Validation of image descriptors. */
#include "cl/api/image_desc.h"

#include "base/memory.h"
#include "cl/api/memory_flags.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"

bool image_type_is_valid(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D: return true;
    default: return false;
  }
}

/** The largest extent in each dimension, as commands count them. */
static void find_limits(mux_device_info_t info, cl_mem_object_type type, size_t out_limit[3]) {
  const size_t d2 = info->max_image_dimension_2d, d3 = info->max_image_dimension_3d;
  const size_t layers = info->max_image_array_layers;
  bool is_3d = type == CL_MEM_OBJECT_IMAGE3D;
  out_limit[0] = is_3d ? d3 : type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? info->max_image_dimension_1d : d2;
  out_limit[1] = is_3d ? d3 : type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? layers : d2;
  out_limit[2] = is_3d ? d3 : layers;
}

/** Levels after the first: the device has them, the largest dimension can be halved so often, and nobody else says how
 * they lie in memory (section 5.3.1, Mipmap Images). That section has no depth images with levels, but OpenCL C has the
 * functions for them, and the conformance suite makes some. */
static cl_int validate_levels(const char *function, const image_request_t *request, const size_t extent[3]) {
  const cl_image_desc *desc = request->desc;
  cl_context context = request->context;
  const cl_uint count = desc->num_mip_levels;
  if (count <= 1) return CL_SUCCESS;
  REQUIRE(context->mux_device->info->mipmapped_images, function, context, CL_INVALID_IMAGE_DESCRIPTOR,
          "%u mip levels, but no device has mipmapped images", count);
  REQUIRE(desc->image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER, function, context, CL_INVALID_IMAGE_DESCRIPTOR,
          "1D buffer images have no mip levels");
  size_t size = extent[0];
  if (desc->image_type != CL_MEM_OBJECT_IMAGE1D_ARRAY) size |= extent[1];
  if (desc->image_type == CL_MEM_OBJECT_IMAGE3D) size |= extent[2];
  REQUIRE(count < 32 && size >> (count - 1), function, context, CL_INVALID_IMAGE_DESCRIPTOR,
          "%u mip levels: the image has one pixel before", count);
  const cl_mem_flags host_flags = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  REQUIRE(!request->host_pointer && !(request->flags & host_flags), function, context, CL_INVALID_HOST_PTR,
          "a mipmapped image is made without host_ptr");
  REQUIRE(!request->properties.is_external, function, context, CL_INVALID_IMAGE_DESCRIPTOR,
          "external memory has no place for mip levels");
  REQUIRE(!desc->mem_object || memory_is_image(desc->mem_object), function, context, CL_INVALID_IMAGE_DESCRIPTOR,
          "an image of a buffer has no mip levels");
  return CL_SUCCESS;
}

/** Depth formats are those of 2D images and their arrays (section 5.3.1.1). */
static bool type_suits_format(cl_mem_object_type type, const cl_image_format *format) {
  return format->image_channel_order != CL_DEPTH || type == CL_MEM_OBJECT_IMAGE2D ||
         type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

cl_int validate_image_desc(const char *function, const image_request_t *request) {
  const cl_image_desc *desc = request->desc;
  cl_context context = request->context;
  REQUIRE(desc && image_type_is_valid(desc->image_type), function, context, CL_INVALID_IMAGE_DESCRIPTOR,
          "the descriptor is null or of no image type");
  REQUIRE(!desc->num_samples, function, context, CL_INVALID_IMAGE_DESCRIPTOR, "%u samples: must be 0",
          desc->num_samples);
  REQUIRE(type_suits_format(desc->image_type, request->format), function, context, CL_IMAGE_FORMAT_NOT_SUPPORTED,
          "depth images are 2D images and arrays of them");
  size_t extent[3], limit[3];
  image_extent(desc, extent);
  find_limits(context->mux_device->info, desc->image_type, limit);
  for (unsigned i = 0; i < 3; i++) {
    REQUIRE(extent[i], function, context, CL_INVALID_IMAGE_SIZE, "dimension %u is 0", i);
    REQUIRE(extent[i] <= limit[i], function, context, CL_INVALID_IMAGE_SIZE, "dimension %u is %zu, at most %zu", i,
            extent[i], limit[i]);
  }
  TRY(validate_levels(function, request, extent));
  bool needs_object = desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  bool takes_object = needs_object || desc->image_type == CL_MEM_OBJECT_IMAGE2D;
  REQUIRE(desc->mem_object ? takes_object : !needs_object, function, context, CL_INVALID_IMAGE_DESCRIPTOR,
          "mem_object is %s for this image type", desc->mem_object ? "given" : "null");
  return CL_SUCCESS;
}

/** Pitches of memory that the application has; 0 is packed. */
static bool pitches_fit(const cl_image_desc *desc, size_t element_size) {
  size_t row = desc->image_row_pitch ? desc->image_row_pitch : desc->image_width * element_size;
  if (row < desc->image_width * element_size || row % element_size) return false;
  if (!image_type_has_slices(desc->image_type) || !desc->image_slice_pitch) return true;
  size_t rows = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : desc->image_height, slice;
  return size_multiply(row, rows, &slice) && desc->image_slice_pitch >= slice && desc->image_slice_pitch % row == 0;
}

cl_int validate_image_pitches(const char *function, const image_request_t *request) {
  const cl_image_desc *desc = request->desc;
  bool has_pitches = desc->image_row_pitch || (image_type_has_slices(desc->image_type) && desc->image_slice_pitch);
  bool is_valid = request->host_pointer || request->properties.is_external || desc->mem_object
                      ? pitches_fit(desc, image_format_element_size(request->format))
                      : !has_pitches;
  REQUIRE(is_valid, function, request->context, CL_INVALID_IMAGE_DESCRIPTOR,
          "pitches of %zu and %zu bytes do not suit the image, or no host_ptr", desc->image_row_pitch,
          desc->image_slice_pitch);
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ images of other objects */

/** A 1D image of a buffer, a 2D image of a buffer (cl_khr_image2d_from_buffer). */
static cl_int validate_buffer_parent(const char *function, const image_request_t *request) {
  const cl_image_desc *desc = request->desc;
  cl_context context = request->context;
  size_t element_size = image_format_element_size(request->format), rows = 1, size;
  size_t row = desc->image_width * element_size;
  if (desc->image_type == CL_MEM_OBJECT_IMAGE2D) {
    if (desc->image_row_pitch) row = desc->image_row_pitch;
    rows = desc->image_height;
    /* CL_DEVICE_IMAGE_PITCH_ALIGNMENT is one pixel. */
    REQUIRE(row % element_size == 0, function, context, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            "a row pitch of %zu bytes is no multiple of a pixel's %zu", row, element_size);
    /* And CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, which memory of our own has anyway. */
    const void *base = desc->mem_object->host_pointer;
    REQUIRE((uintptr_t)base % element_size == 0, function, context, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            "the buffer's host_ptr %p is not aligned to a pixel's %zu bytes", base, element_size);
  }
  REQUIRE(size_multiply(row, rows, &size) && size <= desc->mem_object->size, function, context, CL_INVALID_IMAGE_SIZE,
          "a buffer of %zu bytes is too small for the image", desc->mem_object->size);
  return CL_SUCCESS;
}

static bool is_pair(cl_channel_order a, cl_channel_order b, cl_channel_order x, cl_channel_order y) {
  return (a == x && b == y) || (a == y && b == x);
}

/** Channel orders that a 2D image and one made of it may have (section 5.3.1, table of compatible channel orders). */
static bool orders_are_compatible(cl_channel_order a, cl_channel_order b) {
  return a == b || is_pair(a, b, CL_RGBA, CL_sRGBA) || is_pair(a, b, CL_BGRA, CL_sBGRA) ||
         is_pair(a, b, CL_RGB, CL_sRGB) || is_pair(a, b, CL_RGBx, CL_sRGBx) || is_pair(a, b, CL_R, CL_DEPTH);
}

/** A 2D image of a 2D image: the same pixels in a compatible format. */
static cl_int validate_image2d_parent(const char *function, const image_request_t *request) {
  const cl_image_desc *desc = request->desc;
  cl_mem parent = desc->mem_object;
  const cl_image_format *format = request->format;
  REQUIRE(format->image_channel_data_type == parent->format.image_channel_data_type &&
              orders_are_compatible(format->image_channel_order, parent->format.image_channel_order),
          function, request->context, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "the format is not compatible with that of mem_object");
  REQUIRE(desc->image_width == parent->desc.image_width && desc->image_height == parent->desc.image_height, function,
          request->context, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "mem_object has other dimensions");
  REQUIRE((desc->num_mip_levels > 1 ? desc->num_mip_levels : 1) == image_level_count(parent), function,
          request->context, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "mem_object has %u mip levels",
          image_level_count(parent));
  REQUIRE(!desc->image_row_pitch || desc->image_row_pitch == parent->desc.image_row_pitch, function, request->context,
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "mem_object has a row pitch of %zu bytes", parent->desc.image_row_pitch);
  return CL_SUCCESS;
}

cl_int validate_image_parent(const char *function, const image_request_t *request) {
  cl_mem parent = request->desc->mem_object;
  cl_context context = request->context;
  bool may_be_image = request->desc->image_type == CL_MEM_OBJECT_IMAGE2D;
  bool is_image = may_be_image && memory_is_image(parent) && parent->type == CL_MEM_OBJECT_IMAGE2D;
  REQUIRE(is_image || memory_is_buffer(parent), function, context, CL_INVALID_IMAGE_DESCRIPTOR,
          "mem_object is nothing that such an image can be made of");
  REQUIRE(parent->context == context, function, context, CL_INVALID_CONTEXT, "mem_object is of another context");
  REQUIRE(!request->properties.is_external, function, context, CL_INVALID_PROPERTY,
          "an image of mem_object has no external memory of its own");
  REQUIRE(memory_flags_suit_parent(parent->flags, request->flags), function, context, CL_INVALID_VALUE,
          "flags 0x%llx do not go with those of mem_object, 0x%llx", (unsigned long long)request->flags,
          (unsigned long long)parent->flags);
  return is_image ? validate_image2d_parent(function, request) : validate_buffer_parent(function, request);
}
