/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Creating images. */
#include "cl/api/entry.h"
#include "cl/api/image_desc.h"
#include "cl/api/memory_flags.h"
#include "cl/api/memory_properties.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

static cl_int validate_format(const char *function, const image_request_t *request) {
  const cl_image_format *format = request->format;
  REQUIRE(format && image_format_is_valid(format), function, request->context, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "the format is null, or its channel order and type do not go together");
  return CL_SUCCESS;
}

static cl_int validate_support(const char *function, const image_request_t *request) {
  REQUIRE(image_format_is_supported(request->context->mux_device, request->desc->image_type, request->format), function,
          request->context, CL_IMAGE_FORMAT_NOT_SUPPORTED, "no device has images of format 0x%x, 0x%x",
          request->format->image_channel_order, request->format->image_channel_data_type);
  return CL_SUCCESS;
}

static cl_int validate_context(const char *function, cl_context context) {
  TRY(context_validate(function, context));
  REQUIRE(context->mux_device->info->image_support, function, context, CL_INVALID_OPERATION,
          "no device of the context supports images");
  return CL_SUCCESS;
}

static cl_int validate_request(const char *function, image_request_t *request) {
  cl_context context = request->context;
  TRY(validate_context(function, context));
  TRY(memory_properties_read(function, context, request->property_list, true, &request->properties));
  REQUIRE(memory_flags_are_valid(request->flags), function, context, CL_INVALID_VALUE,
          "flags 0x%llx are unknown or exclude each other", (unsigned long long)request->flags);
  TRY(validate_format(function, request));
  TRY(validate_image_desc(function, request));
  if (request->desc->mem_object) TRY(validate_image_parent(function, request));
  TRY(validate_host_pointer(function, context, &request->properties, request->flags, request->host_pointer));
  TRY(validate_image_pitches(function, request));
  return validate_support(function, request);
}

static cl_int create_image(const char *function, image_request_t *request, cl_mem *out_image) {
  TRY(validate_request(function, request));
  cl_mem parent = request->desc->mem_object;
  cl_int error;
  if (parent) {
    cl_image_desc desc = *request->desc;
    if (memory_is_image(parent)) desc.image_row_pitch = parent->desc.image_row_pitch;
    error = image_create_from(&request->properties, memory_flags_inherit(parent->flags, request->flags),
                              request->format, &desc, out_image);
  } else {
    error = image_create(request->context, &request->properties, memory_flags_complete(request->flags), request->format,
                         request->desc, request->host_pointer, out_image);
  }
  if (error != CL_SUCCESS) REFUSE(function, request->context, error, "the image could not be made");
  return CL_SUCCESS;
}

CL_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                          const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret) {
  image_request_t request = {context, NULL, flags, image_format, image_desc, host_ptr, {0}};
  cl_mem image = NULL;
  error_answer(errcode_ret, create_image(__func__, &request, &image));
  return image;
}

CL_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                                        cl_mem_flags flags, const cl_image_format *image_format,
                                                        const cl_image_desc *image_desc, void *host_ptr,
                                                        cl_int *errcode_ret) {
  image_request_t request = {context, properties, flags, image_format, image_desc, host_ptr, {0}};
  cl_mem image = NULL;
  error_answer(errcode_ret, create_image(__func__, &request, &image));
  return image;
}

/** Pitches: a part of the descriptor for clCreateImage, of the size for the functions of OpenCL 1.0. */
static cl_int size_error(cl_int error) { return error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error; }

CL_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                            size_t image_width, size_t image_height, size_t image_row_pitch,
                                            void *host_ptr, cl_int *errcode_ret) {
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = image_width,
                              .image_height = image_height,
                              .image_row_pitch = image_row_pitch};
  image_request_t request = {context, NULL, flags, image_format, &desc, host_ptr, {0}};
  cl_mem image = NULL;
  error_answer(errcode_ret, size_error(create_image(__func__, &request, &image)));
  return image;
}

/** Unlike clCreateImage, clCreateImage3D makes no image of one slice. */
static cl_int create_deep_image(const char *function, image_request_t *request, cl_mem *out_image) {
  TRY(validate_context(function, request->context));
  REQUIRE(request->desc->image_depth > 1, function, request->context, CL_INVALID_IMAGE_SIZE, "a depth of %zu",
          request->desc->image_depth);
  return create_image(function, request, out_image);
}

CL_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                            size_t image_width, size_t image_height, size_t image_depth,
                                            size_t image_row_pitch, size_t image_slice_pitch, void *host_ptr,
                                            cl_int *errcode_ret) {
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                              .image_width = image_width,
                              .image_height = image_height,
                              .image_depth = image_depth,
                              .image_row_pitch = image_row_pitch,
                              .image_slice_pitch = image_slice_pitch};
  image_request_t request = {context, NULL, flags, image_format, &desc, host_ptr, {0}};
  cl_mem image = NULL;
  error_answer(errcode_ret, size_error(create_deep_image(__func__, &request, &image)));
  return image;
}
