/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs: creation from each kind of input, references, callbacks, specialization constants. */
#include "cl/program/program.h"

#include <string.h>

#include "cl/api/entry.h"
#include "cl/api/extension.h"
#include "cl/api/validate.h"
#include "cl/device/device.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

static cl_int create_with_source(const char *function, cl_context context, cl_uint count, const char **strings,
                                 const size_t *lengths, cl_program *out_program) {
  TRY(context_validate(function, context));
  if (!count || !strings) REFUSE(function, context, CL_INVALID_VALUE, "no strings are given");
  cl_program program = program_create(context, program_origin_source, context->device_count, context->devices);
  if (!program) REFUSE(function, context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  cl_int error = program_set_source(program, count, strings, lengths);
  if (error != CL_SUCCESS) {
    object_release_external(OBJECT(program));
    REFUSE(function, context, error, "a string is null, or they are too long");
  }
  *out_program = program;
  return CL_SUCCESS;
}

CL_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                                          const size_t *lengths, cl_int *errcode_ret) {
  cl_program program = NULL;
  error_answer(errcode_ret, create_with_source(__func__, context, count, strings, lengths, &program));
  return program;
}

/** Loads every binary, so that each device gets a status; the first error is returned. */
static cl_int load_binaries(cl_program program, const size_t *lengths, const unsigned char **binaries,
                            cl_int *statuses) {
  cl_int first_error = CL_SUCCESS;
  for (cl_uint i = 0; i < program->device_count; i++) {
    bool is_given = lengths[i] && binaries[i];
    cl_int error = is_given ? program_load_binary(program, i, binaries[i], lengths[i]) : CL_INVALID_VALUE;
    if (statuses) statuses[i] = error;
    if (first_error == CL_SUCCESS) first_error = error;
  }
  return first_error;
}

static cl_int create_with_binary(const char *function, cl_context context, cl_uint count, const cl_device_id *devices,
                                 const size_t *lengths, const unsigned char **binaries, cl_int *statuses,
                                 cl_program *out_program) {
  TRY(context_validate(function, context));
  if (!devices || !count) REFUSE(function, context, CL_INVALID_VALUE, "no devices are given");
  TRY(validate_device_list(function, context, count, devices, context->device_count, context->devices));
  if (!lengths || !binaries) REFUSE(function, context, CL_INVALID_VALUE, "lengths or binaries are null");
  cl_program program = program_create(context, program_origin_binary, count, devices);
  if (!program) REFUSE(function, context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  cl_int error = load_binaries(program, lengths, binaries, statuses);
  if (error != CL_SUCCESS) {
    object_release_external(OBJECT(program));
    REFUSE(function, context, error, "a binary is missing, damaged, or made for another device or version");
  }
  *out_program = program;
  return CL_SUCCESS;
}

CL_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                          const cl_device_id *device_list, const size_t *lengths,
                                                          const unsigned char **binaries, cl_int *binary_status,
                                                          cl_int *errcode_ret) {
  cl_program program = NULL;
  error_answer(errcode_ret, create_with_binary(__func__, context, num_devices, device_list, lengths, binaries,
                                               binary_status, &program));
  return program;
}

static cl_int create_with_il(const char *function, cl_context context, const void *il, size_t length,
                             cl_program *out_program) {
  TRY(context_validate(function, context));
  if (!compiler_is_present()) {
    REFUSE(function, context, CL_INVALID_OPERATION, "without a compiler no device takes intermediate languages");
  }
  if (!il || !length) REFUSE(function, context, CL_INVALID_VALUE, "no intermediate language is given");
  cl_program program = program_create(context, program_origin_il, context->device_count, context->devices);
  if (!program) REFUSE(function, context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  cl_int error = program_set_il(program, il, length);
  if (error != CL_SUCCESS) {
    object_release_external(OBJECT(program));
    REFUSE(function, context, error, "the %zu bytes are no SPIR-V 1.0 to 1.6, or too many", length);
  }
  *out_program = program;
  return CL_SUCCESS;
}

CL_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                                      cl_int *errcode_ret) {
  cl_program program = NULL;
  error_answer(errcode_ret, create_with_il(__func__, context, il, length, &program));
  return program;
}

/* cl_khr_il_program: the same under the name it had before OpenCL 2.1. */
cl_program CL_API_CALL create_program_with_il_khr(cl_context context, const void *il, size_t length,
                                                  cl_int *errcode_ret) {
  return clCreateProgramWithIL(context, il, length, errcode_ret);
}

static cl_int refuse_built_in(const char *function, cl_context context, cl_uint count, const cl_device_id *devices,
                              const char *names) {
  TRY(context_validate(function, context));
  if (!devices || !count) REFUSE(function, context, CL_INVALID_VALUE, "no devices are given");
  TRY(validate_device_list(function, context, count, devices, context->device_count, context->devices));
  REFUSE(function, context, CL_INVALID_VALUE, "no device has built-in kernels \"%s\"", names ? names : "(null)");
}

CL_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                                  const cl_device_id *device_list,
                                                                  const char *kernel_names, cl_int *errcode_ret) {
  error_answer(errcode_ret, refuse_built_in(__func__, context, num_devices, device_list, kernel_names));
  return NULL;
}

CL_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program) {
  REQUIRE(program_is_valid(program) && object_retain_external(OBJECT(program)), __func__, NULL, CL_INVALID_PROGRAM,
          "not a program");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  REQUIRE(program_is_valid(program) && object_release_external(OBJECT(program)), __func__, NULL, CL_INVALID_PROGRAM,
          "not a program");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clSetProgramReleaseCallback(
    cl_program program, void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data) {
  (void)user_data;
  REQUIRE(program_is_valid(program), __func__, NULL, CL_INVALID_PROGRAM, "not a program");
  REQUIRE(pfn_notify, __func__, program->context, CL_INVALID_VALUE, "the callback is null");
  return refuse(program->context, __func__, CL_INVALID_OPERATION,
                "no device supports destructors of program-scope variables");
}

CL_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                                               const void *spec_value) {
  REQUIRE(program_is_valid(program), __func__, NULL, CL_INVALID_PROGRAM, "not a program");
  REQUIRE(program->origin == program_origin_il, __func__, program->context, CL_INVALID_PROGRAM,
          "the program was not made from an intermediate language");
  REQUIRE(spec_value, __func__, program->context, CL_INVALID_VALUE, "the value is null");
  cl_int error = program_specialize(program, spec_id, spec_size, spec_value);
  REQUIRE(error == CL_SUCCESS, __func__, program->context, error, "constant %u is not there, or has no %zu bytes",
          spec_id, spec_size);
  return CL_SUCCESS;
}
