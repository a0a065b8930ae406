/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateBuffer, clCreateBufferWithProperties, clCreateSubBuffer. */
#include "cl/api/entry.h"
#include "cl/api/extension.h"
#include "cl/api/memory_flags.h"
#include "cl/api/memory_properties.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

/** CL_DEVICE_MAX_MEM_ALLOC_SIZE of at least one device. */
static bool size_is_allocatable(cl_context context, size_t size) {
  for (cl_uint i = 0; i < context->device_count; i++) {
    if (size <= context->devices[i]->info->allocation_size) return true;
  }
  return false;
}

/** False for a pointer to shared memory whose allocation ends before the buffer would. */
static bool fits_allocation(cl_context context, const void *pointer, size_t size) {
  shared_memory_t allocation;
  if (!shared_memory_find(context, pointer, &allocation)) return true;
  return range_is_inside((size_t)((const char *)pointer - allocation.base), size, allocation.size);
}

static cl_int create_buffer(const char *function, cl_context context, const cl_mem_properties *list, cl_mem_flags flags,
                            size_t size, void *host_ptr, cl_mem *out_memory) {
  TRY(context_validate(function, context));
  memory_properties_t properties;
  TRY(memory_properties_read(function, context, list, false, &properties));
  if (!memory_flags_are_valid(flags)) {
    REFUSE(function, context, CL_INVALID_VALUE, "flags 0x%llx are unknown or exclude each other",
           (unsigned long long)flags);
  }
  if (size == 0 || !size_is_allocatable(context, size)) {
    REFUSE(function, context, CL_INVALID_BUFFER_SIZE, "no device can allocate %zu bytes", size);
  }
  TRY(validate_host_pointer(function, context, &properties, flags, host_ptr));
  REQUIRE(!properties.is_external || size <= properties.external_size, function, context, CL_INVALID_BUFFER_SIZE,
          "the external memory has %zu bytes, not %zu", properties.external_size, size);
  if ((flags & CL_MEM_USE_HOST_PTR) && !fits_allocation(context, host_ptr, size)) {
    REFUSE(function, context, CL_INVALID_BUFFER_SIZE, "host_ptr is shared memory of less than %zu bytes", size);
  }
  cl_int error = memory_create_buffer(context, &properties, memory_flags_complete(flags), size, host_ptr, out_memory);
  if (error != CL_SUCCESS) REFUSE(function, context, error, "a buffer of %zu bytes could not be made", size);
  return CL_SUCCESS;
}

CL_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                                           cl_int *errcode_ret) {
  cl_mem memory = NULL;
  error_answer(errcode_ret, create_buffer(__func__, context, NULL, flags, size, host_ptr, &memory));
  return memory;
}

CL_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                                         cl_mem_flags flags, size_t size, void *host_ptr,
                                                         cl_int *errcode_ret) {
  cl_mem memory = NULL;
  error_answer(errcode_ret, create_buffer(__func__, context, properties, flags, size, host_ptr, &memory));
  return memory;
}

/** As clCreateBufferWithProperties, but with the error code that the extension has for properties. */
cl_mem CL_API_CALL create_buffer_with_properties_intel(cl_context context, const cl_mem_properties_intel *properties,
                                                       cl_mem_flags flags, size_t size, void *host_ptr,
                                                       cl_int *errcode_ret) {
  cl_mem memory = NULL;
  cl_int error =
      create_buffer("clCreateBufferWithPropertiesINTEL", context, properties, flags, size, host_ptr, &memory);
  error_answer(errcode_ret, error == CL_INVALID_PROPERTY ? CL_INVALID_VALUE : error);
  return memory;
}

static bool any_device_accepts_offset(cl_context context, size_t offset) {
  for (cl_uint i = 0; i < context->device_count; i++) {
    if (device_accepts_offset(context->devices[i], offset)) return true;
  }
  return false;
}

static cl_int create_sub_buffer(const char *function, cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                const cl_buffer_region *region, cl_mem *out_memory) {
  if (!memory_is_buffer(buffer) || buffer->parent) {
    REFUSE(function, NULL, CL_INVALID_MEM_OBJECT, "not a buffer, or a sub-buffer already");
  }
  cl_context context = buffer->context;
  if (!memory_flags_suit_parent(buffer->flags, flags)) {
    REFUSE(function, context, CL_INVALID_VALUE, "flags 0x%llx do not go with the buffer's 0x%llx",
           (unsigned long long)flags, (unsigned long long)buffer->flags);
  }
  if (type != CL_BUFFER_CREATE_TYPE_REGION || !region) {
    REFUSE(function, context, CL_INVALID_VALUE, "creation type 0x%x is unknown or its description is null", type);
  }
  if (region->size == 0) REFUSE(function, context, CL_INVALID_BUFFER_SIZE, "a region of no bytes");
  TRY(validate_range(function, buffer, region->origin, region->size));
  if (!any_device_accepts_offset(context, region->origin)) {
    REFUSE(function, context, CL_MISALIGNED_SUB_BUFFER_OFFSET,
           "origin %zu has not the CL_DEVICE_MEM_BASE_ADDR_ALIGN of any device", region->origin);
  }
  cl_int error = memory_create_sub_buffer(buffer, memory_flags_inherit(buffer->flags, flags), region->origin,
                                          region->size, out_memory);
  if (error != CL_SUCCESS) REFUSE(function, context, error, "the sub-buffer could not be made");
  return CL_SUCCESS;
}

CL_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                              cl_buffer_create_type buffer_create_type, const void *buffer_create_info,
                                              cl_int *errcode_ret) {
  cl_mem memory = NULL;
  error_answer(errcode_ret,
               create_sub_buffer(__func__, buffer, flags, buffer_create_type, buffer_create_info, &memory));
  return memory;
}
