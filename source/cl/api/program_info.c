/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queries of programs and of their builds. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cl/api/entry.h"
#include "cl/program/kernel.h"
#include "cl/queueing/refuse.h"

/** Where a query's answer goes. */
typedef struct answer_t {
  size_t capacity;
  void *value;
  size_t *size;
} answer_t;

static cl_int answer(const answer_t *to, const void *value, size_t size) {
  return info_answer(to->capacity, to->value, to->size, value, size);
}

#define ANSWER(to, type, expression)             \
  do {                                           \
    type answer_ = (expression);                 \
    return answer((to), &answer_, sizeof(type)); \
  } while (0)

static cl_int answer_devices(cl_program program, const answer_t *to) {
  cl_device_id *devices = malloc(program->device_count * sizeof *devices);
  if (!devices) return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < program->device_count; i++) devices[i] = program->devices[i].device;
  cl_int error = answer(to, devices, program->device_count * sizeof *devices);
  free(devices);
  return error;
}

static cl_int answer_binary_sizes(cl_program program, const answer_t *to) {
  size_t *sizes = malloc(program->device_count * sizeof *sizes);
  if (!sizes) return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < program->device_count; i++) {
    sizes[i] = program->devices[i].binary ? program->devices[i].binary->size : 0;
  }
  cl_int error = answer(to, sizes, program->device_count * sizeof *sizes);
  free(sizes);
  return error;
}

/** Writes through the application's pointers; those that are null get nothing. */
static cl_int answer_binaries(cl_program program, const answer_t *to) {
  size_t size = program->device_count * sizeof(unsigned char *);
  if (to->value && to->capacity < size) return CL_INVALID_VALUE;
  unsigned char **targets = to->value;
  for (cl_uint i = 0; targets && i < program->device_count; i++) {
    const binary_t *binary = program->devices[i].binary;
    if (binary && targets[i]) memcpy(targets[i], binary->data, binary->size);
  }
  if (to->size) *to->size = size;
  return CL_SUCCESS;
}

/** The kernels "that can be created with clCreateKernel": those that the executables of all devices define alike. */
static size_t count_kernels(cl_program program, const program_info_t *info) {
  size_t count = 0;
  for (uint32_t i = 0; i < info->kernel_count; i++) count += kernel_is_common(program, &info->kernels[i]);
  return count;
}

static cl_int answer_kernel_names(cl_program program, const program_info_t *info, const answer_t *to) {
  text_t names = {0};
  for (uint32_t i = 0; i < info->kernel_count; i++) {
    if (!kernel_is_common(program, &info->kernels[i])) continue;
    text_appendf(&names, "%s%s", names.length ? ";" : "", info->kernels[i].name);
  }
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  if (!names.failed) error = info_answer_string(to->capacity, to->value, to->size, text_string(&names));
  text_free(&names);
  return error;
}

/** Queries that need a built executable. */
static cl_int answer_executable(cl_program program, cl_program_info param_name, const answer_t *to) {
  const executable_t *executable = program_first_executable(program);
  if (!executable) return CL_INVALID_PROGRAM_EXECUTABLE;
  switch (param_name) {
    case CL_PROGRAM_NUM_KERNELS: ANSWER(to, size_t, count_kernels(program, executable->info));
    case CL_PROGRAM_KERNEL_NAMES: return answer_kernel_names(program, executable->info, to);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT: ANSWER(to, cl_bool, executable->info->has_constructors);
    default: ANSWER(to, cl_bool, CL_FALSE); /* no destructors of program-scope variables */
  }
}

static cl_int answer_program(cl_program program, cl_program_info param_name, const answer_t *to) {
  switch (param_name) {
    case CL_PROGRAM_REFERENCE_COUNT: ANSWER(to, cl_uint, program->object.external_count);
    case CL_PROGRAM_CONTEXT: ANSWER(to, cl_context, program->context);
    case CL_PROGRAM_NUM_DEVICES: ANSWER(to, cl_uint, program->device_count);
    case CL_PROGRAM_DEVICES: return answer_devices(program, to);
    case CL_PROGRAM_SOURCE: return answer(to, program->source ? program->source : "", program->source_length + 1);
    case CL_PROGRAM_IL: return answer(to, program->il, program->il_size);
    case CL_PROGRAM_BINARY_SIZES: return answer_binary_sizes(program, to);
    case CL_PROGRAM_BINARIES: return answer_binaries(program, to);
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES:
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: return answer_executable(program, param_name, to);
    default: return CL_INVALID_VALUE;
  }
}

CL_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                                             void *param_value, size_t *param_value_size_ret) {
  REQUIRE(program_is_valid(program), __func__, NULL, CL_INVALID_PROGRAM, "not a program");
  const answer_t to = {param_value_size, param_value, param_value_size_ret};
  pthread_mutex_lock(&program->mutex);
  cl_int error = answer_program(program, param_name, &to);
  pthread_mutex_unlock(&program->mutex);
  REQUIRE(error == CL_SUCCESS, __func__, program->context, error, "query 0x%x cannot be answered into %zu bytes",
          param_name, param_value_size);
  return CL_SUCCESS;
}

static cl_int answer_build(const program_device_t *state, cl_program_build_info param_name, const answer_t *to) {
  switch (param_name) {
    case CL_PROGRAM_BUILD_STATUS: ANSWER(to, cl_build_status, state->status);
    case CL_PROGRAM_BUILD_OPTIONS:
      return info_answer_string(to->capacity, to->value, to->size, state->options ? state->options : "");
    case CL_PROGRAM_BUILD_LOG:
      return info_answer_string(to->capacity, to->value, to->size, state->log ? state->log : "");
    case CL_PROGRAM_BINARY_TYPE: ANSWER(to, cl_program_binary_type, state->type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
      ANSWER(to, size_t, state->executable ? state->executable->info->global_variable_size : 0);
    default: return CL_INVALID_VALUE;
  }
}

CL_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                  cl_program_build_info param_name, size_t param_value_size,
                                                  void *param_value, size_t *param_value_size_ret) {
  REQUIRE(program_is_valid(program), __func__, NULL, CL_INVALID_PROGRAM, "not a program");
  int64_t index = program_find_device(program, device);
  REQUIRE(index >= 0, __func__, program->context, CL_INVALID_DEVICE, "the device is not of the program");
  const answer_t to = {param_value_size, param_value, param_value_size_ret};
  pthread_mutex_lock(&program->mutex);
  cl_int error = answer_build(&program->devices[index], param_name, &to);
  pthread_mutex_unlock(&program->mutex);
  REQUIRE(error == CL_SUCCESS, __func__, program->context, error, "query 0x%x cannot be answered into %zu bytes",
          param_name, param_value_size);
  return CL_SUCCESS;
}
