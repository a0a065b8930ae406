/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels: creation, cloning, references. */
#include "cl/program/kernel.h"

#include <stdlib.h>

#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

static cl_int create_kernel(const char *function, cl_program program, const char *name, cl_kernel *out_kernel) {
  if (!program_is_valid(program)) REFUSE(function, NULL, CL_INVALID_PROGRAM, "not a program");
  TRY(context_validate(function, program->context));
  if (!name) REFUSE(function, program->context, CL_INVALID_VALUE, "the name is null");
  cl_int error = kernel_create(program, name, out_kernel);
  if (error != CL_SUCCESS) REFUSE(function, program->context, error, "kernel \"%s\" cannot be made", name);
  return CL_SUCCESS;
}

CL_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret) {
  cl_kernel kernel = NULL;
  error_answer(errcode_ret, create_kernel(__func__, program, kernel_name, &kernel));
  return kernel;
}

/** The executable whose kernels clCreateKernelsInProgram makes, held; null when there is none. */
static executable_t *hold_first_executable(cl_program program) {
  pthread_mutex_lock(&program->mutex);
  executable_t *executable = program_first_executable(program);
  if (executable) object_hold(OBJECT(executable));
  pthread_mutex_unlock(&program->mutex);
  return executable;
}

static void release_kernels(cl_kernel *kernels, cl_uint count) {
  for (cl_uint i = 0; i < count; i++) object_release_external(OBJECT(kernels[i]));
}

/** All kernels of the program, but for those "that do not have the same function definition across all devices". */
static cl_int create_all(cl_program program, const program_info_t *info, cl_kernel *kernels, cl_uint *out_count) {
  cl_uint count = 0;
  for (uint32_t i = 0; i < info->kernel_count; i++) {
    cl_int error = kernel_create(program, info->kernels[i].name, &kernels[count]);
    if (error == CL_INVALID_KERNEL_DEFINITION) continue;
    if (error != CL_SUCCESS) {
      release_kernels(kernels, count);
      return error;
    }
    count++;
  }
  *out_count = count;
  return CL_SUCCESS;
}

static cl_int create_kernels(cl_program program, const program_info_t *info, cl_uint capacity, cl_kernel *out_kernels,
                             cl_uint *out_count) {
  cl_kernel *kernels = calloc((size_t)info->kernel_count + 1, sizeof(cl_kernel));
  if (!kernels) return CL_OUT_OF_HOST_MEMORY;
  cl_uint count = 0;
  cl_int error = create_all(program, info, kernels, &count);
  if (error == CL_SUCCESS && out_kernels && capacity < count) error = CL_INVALID_VALUE;
  bool is_kept = error == CL_SUCCESS && out_kernels;
  for (cl_uint i = 0; is_kept && i < count; i++) out_kernels[i] = kernels[i];
  if (!is_kept) release_kernels(kernels, count);
  if (error == CL_SUCCESS && out_count) *out_count = count;
  free(kernels);
  return error;
}

CL_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                                     cl_uint *num_kernels_ret) {
  REQUIRE(program_is_valid(program), __func__, NULL, CL_INVALID_PROGRAM, "not a program");
  TRY(context_validate(__func__, program->context));
  executable_t *executable = hold_first_executable(program);
  REQUIRE(executable, __func__, program->context, CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built");
  cl_int error = create_kernels(program, executable->info, num_kernels, kernels, num_kernels_ret);
  object_drop(OBJECT(executable));
  REQUIRE(error == CL_SUCCESS, __func__, program->context, error, "the kernels cannot be made, or not into %u entries",
          num_kernels);
  return CL_SUCCESS;
}

static cl_int clone_kernel(const char *function, cl_kernel source, cl_kernel *out_kernel) {
  if (!kernel_is_valid(source)) REFUSE(function, NULL, CL_INVALID_KERNEL, "not a kernel");
  TRY(context_validate(function, source->program->context));
  cl_int error = kernel_clone(source, out_kernel);
  if (error != CL_SUCCESS) REFUSE(function, source->program->context, error, "the kernel cannot be cloned");
  return CL_SUCCESS;
}

CL_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret) {
  cl_kernel kernel = NULL;
  error_answer(errcode_ret, clone_kernel(__func__, source_kernel, &kernel));
  return kernel;
}

CL_ENTRY cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  REQUIRE(kernel_is_valid(kernel) && object_retain_external(OBJECT(kernel)), __func__, NULL, CL_INVALID_KERNEL,
          "not a kernel");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  REQUIRE(kernel_is_valid(kernel) && object_release_external(OBJECT(kernel)), __func__, NULL, CL_INVALID_KERNEL,
          "not a kernel");
  return CL_SUCCESS;
}
