/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Setting what kernels are launched with. An argument that is refused keeps its value. */
#include "cl/api/kernel_arg.h"

#include <string.h>

#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/memory/sampler.h"
#include "cl/queueing/refuse.h"

/** A pointer to global or constant memory: a buffer, or null. */
static cl_int set_buffer(const char *function, cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_context context = kernel->program->context;
  cl_mem memory = NULL;
  if (value) {
    if (size != sizeof(cl_mem)) {
      REFUSE(function, context, CL_INVALID_ARG_SIZE, "argument %u is a buffer: %zu bytes, not %zu", index,
             sizeof(cl_mem), size);
    }
    memcpy(&memory, value, sizeof(cl_mem));
  }
  if (memory && !memory_is_buffer(memory)) {
    REFUSE(function, context, CL_INVALID_MEM_OBJECT, "argument %u is not a buffer", index);
  }
  if (memory && memory->context != context) {
    REFUSE(function, context, CL_INVALID_CONTEXT, "argument %u is of another context", index);
  }
  kernel_set_buffer(kernel, index, memory);
  return CL_SUCCESS;
}

static cl_int set_local(const char *function, cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_context context = kernel->program->context;
  if (value) {
    REFUSE(function, context, CL_INVALID_ARG_VALUE, "argument %u is local memory: its value is null", index);
  }
  if (size == 0) REFUSE(function, context, CL_INVALID_ARG_SIZE, "argument %u is local memory of no bytes", index);
  kernel_set_local(kernel, index, size);
  return CL_SUCCESS;
}

static cl_int set_value(const char *function, cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_context context = kernel->program->context;
  uint32_t expected = kernel->info->args[index].size;
  if (size != expected) {
    REFUSE(function, context, CL_INVALID_ARG_SIZE, "argument %u has %u bytes, not %zu", index, expected, size);
  }
  if (!value) REFUSE(function, context, CL_INVALID_ARG_VALUE, "the value of argument %u is null", index);
  kernel_set_value(kernel, index, value);
  return CL_SUCCESS;
}

/** CL_INVALID_ARG_VALUE: kernels may not use the image as the argument is qualified. */
static cl_int validate_access(const char *function, cl_kernel kernel, cl_uint index, cl_mem image) {
  cl_context context = kernel->program->context;
  program_access_qualifier_e access = kernel->info->args[index].access_qualifier;
  bool reads = access != program_access_write_only, writes = access != program_access_read_only;
  REQUIRE(!(reads && (image->flags & CL_MEM_WRITE_ONLY)) && !(writes && (image->flags & CL_MEM_READ_ONLY)), function,
          context, CL_INVALID_ARG_VALUE, "argument %u is read or written, but was made with flags 0x%llx", index,
          (unsigned long long)image->flags);
  return CL_SUCCESS;
}

static cl_int set_image(const char *function, cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_context context = kernel->program->context;
  REQUIRE(size == sizeof(cl_mem), function, context, CL_INVALID_ARG_SIZE, "argument %u is an image: %zu bytes, not %zu",
          index, sizeof(cl_mem), size);
  REQUIRE(value, function, context, CL_INVALID_MEM_OBJECT, "the value of argument %u is null", index);
  cl_mem image;
  memcpy(&image, value, sizeof(cl_mem));
  REQUIRE(memory_is_image(image), function, context, CL_INVALID_MEM_OBJECT, "argument %u is not an image", index);
  REQUIRE(image->context == context, function, context, CL_INVALID_CONTEXT, "argument %u is of another context", index);
  TRY(validate_access(function, kernel, index, image));
  kernel_set_image(kernel, index, image);
  return CL_SUCCESS;
}

static cl_int set_pipe(const char *function, cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_context context = kernel->program->context;
  REQUIRE(size == sizeof(cl_mem), function, context, CL_INVALID_ARG_SIZE, "argument %u is a pipe: %zu bytes, not %zu",
          index, sizeof(cl_mem), size);
  REQUIRE(value, function, context, CL_INVALID_MEM_OBJECT, "the value of argument %u is null", index);
  cl_mem pipe;
  memcpy(&pipe, value, sizeof(cl_mem));
  REQUIRE(memory_is_pipe(pipe), function, context, CL_INVALID_MEM_OBJECT, "argument %u is not a pipe", index);
  REQUIRE(pipe->context == context, function, context, CL_INVALID_CONTEXT, "argument %u is of another context", index);
  kernel_set_buffer(kernel, index, pipe);
  return CL_SUCCESS;
}

static cl_int set_sampler(const char *function, cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_context context = kernel->program->context;
  REQUIRE(size == sizeof(cl_sampler), function, context, CL_INVALID_ARG_SIZE,
          "argument %u is a sampler: %zu bytes, not %zu", index, sizeof(cl_sampler), size);
  cl_sampler sampler = NULL;
  if (value) memcpy(&sampler, value, sizeof(cl_sampler));
  REQUIRE(sampler && sampler_is_valid(sampler), function, context, CL_INVALID_SAMPLER, "argument %u is not a sampler",
          index);
  REQUIRE(sampler->context == context, function, context, CL_INVALID_CONTEXT, "argument %u is of another context",
          index);
  kernel_set_sampler(kernel, index, sampler_to_mux(sampler));
  return CL_SUCCESS;
}

cl_int set_kernel_argument(const char *function, cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                           const void *arg_value) {
  REQUIRE(kernel_is_valid(kernel), function, NULL, CL_INVALID_KERNEL, "not a kernel");
  cl_context context = kernel->program->context;
  REQUIRE(arg_index < kernel->info->arg_count, function, context, CL_INVALID_ARG_INDEX,
          "kernel %s has %u arguments, none is %u", kernel->info->name, kernel->info->arg_count, arg_index);
  switch (kernel->info->args[arg_index].kind) {
    case program_arg_buffer: return set_buffer(function, kernel, arg_index, arg_size, arg_value);
    case program_arg_local: return set_local(function, kernel, arg_index, arg_size, arg_value);
    case program_arg_value: return set_value(function, kernel, arg_index, arg_size, arg_value);
    case program_arg_image: return set_image(function, kernel, arg_index, arg_size, arg_value);
    case program_arg_sampler: return set_sampler(function, kernel, arg_index, arg_size, arg_value);
    case program_arg_pipe: return set_pipe(function, kernel, arg_index, arg_size, arg_value);
    default:
      return refuse(context, function, CL_INVALID_MEM_OBJECT, "argument %u: no such object can exist", arg_index);
  }
}

CL_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                           const void *arg_value) {
  return set_kernel_argument(__func__, kernel, arg_index, arg_size, arg_value);
}
