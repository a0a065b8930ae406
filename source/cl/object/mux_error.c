/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results of the layers below as OpenCL error codes. */
#include "cl/object/mux_error.h"

#include <stdlib.h>

cl_int error_from_mux(mux_result_t result, cl_int fallback) {
  switch (result) {
    case mux_success: return CL_SUCCESS;
    case mux_error_out_of_memory: return CL_OUT_OF_HOST_MEMORY;
    case mux_error_invalid_binary: return CL_INVALID_BINARY;
    case mux_error_missing_kernel: return CL_INVALID_KERNEL_NAME;
    default: return fallback;
  }
}

/* Which code an unusable compiler or a bad option gets depends on the entry point that asked; its failure code tells.
 */
static cl_int code_unavailable(cl_int failure_code) {
  return failure_code == CL_LINK_PROGRAM_FAILURE ? CL_LINKER_NOT_AVAILABLE : CL_COMPILER_NOT_AVAILABLE;
}

static cl_int code_bad_options(cl_int failure_code) {
  switch (failure_code) {
    case CL_LINK_PROGRAM_FAILURE: return CL_INVALID_LINKER_OPTIONS;
    case CL_COMPILE_PROGRAM_FAILURE: return CL_INVALID_COMPILER_OPTIONS;
    default: return CL_INVALID_BUILD_OPTIONS;
  }
}

cl_int error_from_compiler(compiler_result_t result, cl_int failure_code) {
  switch (result) {
    case compiler_success: return CL_SUCCESS;
    case compiler_error_unavailable: return code_unavailable(failure_code);
    case compiler_error_out_of_memory: return CL_OUT_OF_HOST_MEMORY;
    case compiler_error_invalid_value: return CL_INVALID_VALUE;
    case compiler_error_invalid_build_options:
    case compiler_error_invalid_link_options: return code_bad_options(failure_code);
    case compiler_error_invalid_binary: return CL_INVALID_BINARY;
    default: return failure_code;
  }
}

static void *allocate(void *user_data, size_t size, size_t alignment) {
  (void)user_data;
  if (alignment <= _Alignof(max_align_t)) return malloc(size);
  void *pointer = NULL;
  return posix_memalign(&pointer, alignment, size) == 0 ? pointer : NULL;
}

static void release(void *user_data, void *pointer) {
  (void)user_data;
  free(pointer);
}

mux_allocator_info_t mux_allocator(void) {
  return (mux_allocator_info_t){.alloc = allocate, .free = release, .user_data = NULL};
}
