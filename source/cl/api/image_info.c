/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queries about images and the formats that they can have. */
#include "cl/api/entry.h"
#include "cl/api/image_desc.h"
#include "cl/api/memory_flags.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"

/** What images can be created with, and CL_MEM_KERNEL_READ_AND_WRITE, which only this query has. */
static bool query_flags_are_valid(cl_mem_flags flags) {
  return memory_flags_are_valid(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE);
}

CL_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                       cl_mem_object_type image_type, cl_uint num_entries,
                                                       cl_image_format *image_formats, cl_uint *num_image_formats) {
  REQUIRE(context_is_valid(context), __func__, NULL, CL_INVALID_CONTEXT, "not a context");
  REQUIRE(query_flags_are_valid(flags), __func__, context, CL_INVALID_VALUE,
          "flags 0x%llx are unknown or exclude each other", (unsigned long long)flags);
  REQUIRE(image_type_is_valid(image_type), __func__, context, CL_INVALID_VALUE, "0x%x is not an image type",
          image_type);
  REQUIRE(!image_formats || num_entries, __func__, context, CL_INVALID_VALUE, "room for formats, but num_entries is 0");
  cl_uint capacity = image_formats ? num_entries : 0;
  cl_uint count = image_formats_list(context->mux_device, image_type, capacity, image_formats);
  if (num_image_formats) *num_image_formats = count;
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
  REQUIRE(memory_is_image(image), __func__, memory_is_valid(image) ? image->context : NULL, CL_INVALID_MEM_OBJECT,
          "not an image");
  const cl_image_desc *desc = &image->desc;
#define ANSWER(type, expression)                                                                     \
  do {                                                                                               \
    type answer_ = (expression);                                                                     \
    return info_answer(param_value_size, param_value, param_value_size_ret, &answer_, sizeof(type)); \
  } while (0)
  switch (param_name) {
    case CL_IMAGE_FORMAT: ANSWER(cl_image_format, image->format);
    case CL_IMAGE_ELEMENT_SIZE: ANSWER(size_t, image_element_size(image));
    case CL_IMAGE_ROW_PITCH: ANSWER(size_t, desc->image_row_pitch);
    case CL_IMAGE_SLICE_PITCH: ANSWER(size_t, desc->image_slice_pitch);
    case CL_IMAGE_WIDTH: ANSWER(size_t, desc->image_width);
    case CL_IMAGE_HEIGHT: ANSWER(size_t, desc->image_height);
    case CL_IMAGE_DEPTH: ANSWER(size_t, desc->image_depth);
    case CL_IMAGE_ARRAY_SIZE: ANSWER(size_t, desc->image_array_size);
    case CL_IMAGE_BUFFER: ANSWER(cl_mem, memory_is_buffer(image->parent) ? image->parent : NULL);
    case CL_IMAGE_NUM_MIP_LEVELS: ANSWER(cl_uint, desc->num_mip_levels);
    case CL_IMAGE_NUM_SAMPLES: ANSWER(cl_uint, 0);
    default: return refuse(image->context, __func__, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
#undef ANSWER
}
