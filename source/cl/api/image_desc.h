/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The rules of clCreateImage about image descriptors. */
#ifndef CL_API_IMAGE_DESC_H
#define CL_API_IMAGE_DESC_H

#include "cl/memory/image.h"

/** What clCreateImage and its kin were given. */
typedef struct image_request_t {
  cl_context context;
  const cl_mem_properties *property_list;
  cl_mem_flags flags;
  const cl_image_format *format;
  const cl_image_desc *desc;
  void *host_pointer;
  /** What the list comes to, once that is read. */
  memory_properties_t properties;
} image_request_t;

bool image_type_is_valid(cl_mem_object_type type);

/** CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE, CL_IMAGE_FORMAT_NOT_SUPPORTED: type, dimensions, mip levels
 * (CL_INVALID_HOST_PTR too), members that must be zero. The format is valid; so in the next two. */
cl_int validate_image_desc(const char *function, const image_request_t *request);

/** CL_INVALID_IMAGE_DESCRIPTOR: pitches that the image cannot have. */
cl_int validate_image_pitches(const char *function, const image_request_t *request);

/** An image of the memory of desc->mem_object, which is not null. CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_CONTEXT,
 * CL_INVALID_VALUE, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_SIZE. */
cl_int validate_image_parent(const char *function, const image_request_t *request);

#endif
