/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Image objects. No device has images yet, so that none can be made: CL_INVALID_OPERATION, as the specification says
 * for contexts without a device that supports images. */
#include "cl/api/entry.h"
#include "cl/api/validate.h"

static cl_int refuse_image(const char *function, cl_context context) {
  if (!context_is_valid(context)) REFUSE(function, NULL, CL_INVALID_CONTEXT, "not a context");
  REFUSE(function, context, CL_INVALID_OPERATION, "no device of the context supports images");
}

CL_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                          const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret) {
  (void)flags, (void)image_format, (void)image_desc, (void)host_ptr;
  error_answer(errcode_ret, refuse_image(__func__, context));
  return NULL;
}

CL_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                                        cl_mem_flags flags, const cl_image_format *image_format,
                                                        const cl_image_desc *image_desc, void *host_ptr,
                                                        cl_int *errcode_ret) {
  (void)properties, (void)flags, (void)image_format, (void)image_desc, (void)host_ptr;
  error_answer(errcode_ret, refuse_image(__func__, context));
  return NULL;
}

CL_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                            size_t image_width, size_t image_height, size_t image_row_pitch,
                                            void *host_ptr, cl_int *errcode_ret) {
  (void)flags, (void)image_format, (void)image_width, (void)image_height, (void)image_row_pitch, (void)host_ptr;
  error_answer(errcode_ret, refuse_image(__func__, context));
  return NULL;
}

CL_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                            size_t image_width, size_t image_height, size_t image_depth,
                                            size_t image_row_pitch, size_t image_slice_pitch, void *host_ptr,
                                            cl_int *errcode_ret) {
  (void)flags, (void)image_format, (void)image_width, (void)image_height, (void)image_depth, (void)image_row_pitch,
      (void)image_slice_pitch, (void)host_ptr;
  error_answer(errcode_ret, refuse_image(__func__, context));
  return NULL;
}

static bool query_flags_are_valid(cl_mem_flags flags) {
  const cl_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR |
                             CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
                             CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_KERNEL_READ_AND_WRITE;
  cl_mem_flags access = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
  return !(flags & ~known) && !(access & (access - 1));
}

static bool image_type_is_valid(cl_mem_object_type type) {
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

CL_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                       cl_mem_object_type image_type, cl_uint num_entries,
                                                       cl_image_format *image_formats, cl_uint *num_image_formats) {
  CHECK(context_is_valid(context), NULL, CL_INVALID_CONTEXT, "not a context");
  CHECK(query_flags_are_valid(flags), context, CL_INVALID_VALUE, "flags 0x%llx are unknown or exclude each other",
        (unsigned long long)flags);
  CHECK(image_type_is_valid(image_type), context, CL_INVALID_VALUE, "0x%x is not an image type", image_type);
  CHECK(!image_formats || num_entries, context, CL_INVALID_VALUE, "room for formats, but num_entries is 0");
  if (num_image_formats) *num_image_formats = 0;
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL
clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size, void *param_value,
               size_t *param_value_size_ret) {  // NOLINT(readability-non-const-parameter): OpenCL's.
  (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return refuse(memory_is_valid(image) ? image->context : NULL, __func__, CL_INVALID_MEM_OBJECT, "not an image");
}
