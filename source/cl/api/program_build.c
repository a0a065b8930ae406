/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clBuildProgram, clCompileProgram, clLinkProgram.
 *
 * Builds run on the calling thread, with a notification function as without one: the specification leaves that to the
 * implementation. With one, the call's own result is success as soon as the build could begin. */
#include "cl/program/program_build.h"

#include <stdlib.h>

#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

typedef void(CL_CALLBACK *build_notify_t)(cl_program program, void *user_data);

/** Who is told when a build is over. */
typedef struct notification_t {
  build_notify_t function;
  void *data;
} notification_t;

/** CL_INVALID_VALUE: data for a function that is not there. */
static cl_int validate_notification(const char *function, cl_context context, notification_t notification) {
  if (!notification.function && notification.data) {
    REFUSE(function, context, CL_INVALID_VALUE, "user_data without pfn_notify");
  }
  return CL_SUCCESS;
}

/** Whether the build went wrong or could not begin. */
static bool is_build_failure(cl_int error) {
  return error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILE_PROGRAM_FAILURE || error == CL_LINK_PROGRAM_FAILURE;
}

/** Tells of a build that is over, and what the entry point returns for it. */
static cl_int notify(cl_program program, cl_int error, notification_t notification) {
  if (!notification.function || (error != CL_SUCCESS && !is_build_failure(error))) return error;
  notification.function(program, notification.data);
  return CL_SUCCESS;
}

static cl_int begin_build(const char *function, cl_program program, cl_uint count, const cl_device_id *list) {
  cl_int error = program_begin_build(program, count, list);
  if (error == CL_SUCCESS) return CL_SUCCESS;
  REFUSE(function, program->context, error, "kernels are attached to the program, or it is being built");
}

/** CL_INVALID_BINARY: a program made from binaries of which one is no executable. */
static cl_int validate_binaries(const char *function, cl_program program, cl_uint count, const cl_device_id *list) {
  for (cl_uint i = 0; i < program->device_count; i++) {
    bool is_meant = count == 0;
    for (cl_uint j = 0; j < count; j++) is_meant |= list[j] == program->devices[i].device;
    if (is_meant && program->devices[i].type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
      REFUSE(function, program->context, CL_INVALID_BINARY, "the binary of device %u is not an executable", i);
    }
  }
  return CL_SUCCESS;
}

static cl_int validate_build(const char *function, cl_program program, cl_uint count, const cl_device_id *list,
                             notification_t notification) {
  if (!program_is_valid(program)) REFUSE(function, NULL, CL_INVALID_PROGRAM, "not a program");
  cl_context context = program->context;
  TRY(context_validate(function, context));
  if ((count == 0) != (list == NULL)) {
    REFUSE(function, context, CL_INVALID_VALUE, "a device list without a count, or the other way round");
  }
  TRY(validate_notification(function, context, notification));
  for (cl_uint i = 0; i < count; i++) {
    if (program_find_device(program, list[i]) < 0) {
      REFUSE(function, context, CL_INVALID_DEVICE, "entry %u of the device list is not of the program", i);
    }
  }
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                                           const char *options,
                                           void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                                           void *user_data) {
  const notification_t notification = {pfn_notify, user_data};
  TRY(validate_build(__func__, program, num_devices, device_list, notification));
  REQUIRE(program->origin != program_origin_link, __func__, program->context, CL_INVALID_OPERATION,
          "the program was made by clLinkProgram");
  if (program->origin == program_origin_binary) {
    TRY(validate_binaries(__func__, program, num_devices, device_list));
  }
  TRY(begin_build(__func__, program, num_devices, device_list));
  return notify(program, program_build(program, options ? options : ""), notification);
}

/** CL_INVALID_VALUE, CL_INVALID_PROGRAM, CL_INVALID_CONTEXT of embedded headers. A program without source is no header:
 * CL_INVALID_PROGRAM. */
static cl_int validate_headers(const char *function, cl_program program, cl_uint count, const cl_program *headers,
                               const char **names) {
  cl_context context = program->context;
  if ((count == 0) != (headers == NULL) || (count == 0) != (names == NULL)) {
    REFUSE(function, context, CL_INVALID_VALUE, "header programs, names and count do not agree");
  }
  for (cl_uint i = 0; i < count; i++) {
    if (!program_is_valid(headers[i]) || headers[i]->origin != program_origin_source) {
      REFUSE(function, context, CL_INVALID_PROGRAM, "header %u is not a program made from source", i);
    }
    if (headers[i]->context != context) {
      REFUSE(function, context, CL_INVALID_CONTEXT, "header %u is of another context", i);
    }
    if (!names[i]) REFUSE(function, context, CL_INVALID_VALUE, "the name of header %u is null", i);
  }
  return CL_SUCCESS;
}

static cl_int compile_with_headers(const char *function, cl_program program, cl_uint device_count,
                                   const cl_device_id *devices, const char *options, cl_uint count,
                                   const cl_program *programs, const char **names) {
  compiler_header_t *headers = calloc((size_t)count + 1, sizeof *headers);
  if (!headers) REFUSE(function, program->context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  for (cl_uint i = 0; i < count; i++) {
    headers[i] = (compiler_header_t){names[i], programs[i]->source, programs[i]->source_length};
  }
  cl_int error = begin_build(function, program, device_count, devices);
  if (error == CL_SUCCESS) error = program_compile(program, options, headers, count);
  free(headers);
  return error;
}

CL_ENTRY cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                                             const char *options, cl_uint num_input_headers,
                                             const cl_program *input_headers, const char **header_include_names,
                                             void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                                             void *user_data) {
  const notification_t notification = {pfn_notify, user_data};
  TRY(validate_build(__func__, program, num_devices, device_list, notification));
  bool is_il = program->origin == program_origin_il;
  if (is_il) num_input_headers = 0; /* "are ignored" */
  if (!is_il) TRY(validate_headers(__func__, program, num_input_headers, input_headers, header_include_names));
  REQUIRE(is_il || program->origin == program_origin_source, __func__, program->context, CL_INVALID_OPERATION,
          "the program has neither source nor IL");
  cl_int error = compile_with_headers(__func__, program, num_devices, device_list, options ? options : "",
                                      num_input_headers, input_headers, header_include_names);
  return notify(program, error, notification);
}

static cl_int validate_inputs(const char *function, cl_context context, cl_uint count, const cl_program *inputs) {
  if (!count || !inputs) REFUSE(function, context, CL_INVALID_VALUE, "no input programs are given");
  for (cl_uint i = 0; i < count; i++) {
    if (!program_is_valid(inputs[i])) {
      REFUSE(function, context, CL_INVALID_PROGRAM, "input %u is not a program", i);
    }
    if (inputs[i]->context != context) {
      REFUSE(function, context, CL_INVALID_CONTEXT, "input %u is of another context", i);
    }
  }
  return CL_SUCCESS;
}

static bool input_is_linkable(cl_program input, cl_device_id device) {
  int64_t index = program_find_device(input, device);
  if (index < 0) return false;
  pthread_mutex_lock(&input->mutex);
  cl_program_binary_type type = input->devices[index].type;
  bool is_ready = input->devices[index].status != CL_BUILD_IN_PROGRESS;
  pthread_mutex_unlock(&input->mutex);
  return is_ready && (type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
}

/** Finds the devices that all inputs have an object or library for. CL_INVALID_OPERATION: only some inputs have one for
 * a device, or there is nothing to link for any. */
static cl_int find_link_devices(const char *function, cl_context context, cl_uint count, const cl_device_id *devices,
                                cl_uint input_count, const cl_program *inputs, cl_device_id *out_devices,
                                cl_uint *out_count) {
  for (cl_uint i = 0; i < count; i++) {
    cl_uint linkable = 0;
    for (cl_uint j = 0; j < input_count; j++) linkable += input_is_linkable(inputs[j], devices[i]);
    if (linkable == input_count) {
      out_devices[(*out_count)++] = devices[i];
    } else if (linkable) {
      REFUSE(function, context, CL_INVALID_OPERATION, "only %u of %u inputs can be linked for device %u", linkable,
             input_count, i);
    }
  }
  if (*out_count) return CL_SUCCESS;
  REFUSE(function, context, CL_INVALID_OPERATION, "no input is a compiled program or a library");
}

/** A link that failed leaves the program, with its log. */
static cl_int link_program(const char *function, cl_context context, cl_uint count, const cl_device_id *devices,
                           cl_uint link_count, const cl_device_id *link_devices, const char *options,
                           cl_uint input_count, const cl_program *inputs, cl_program *out_program) {
  cl_program program = program_create(context, program_origin_link, count, devices);
  if (!program) REFUSE(function, context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  cl_int error = program_begin_build(program, link_count, link_devices);
  if (error == CL_SUCCESS) error = program_link(program, options, inputs, input_count);
  if (error != CL_SUCCESS && error != CL_LINK_PROGRAM_FAILURE) {
    object_release_external(OBJECT(program));
    REFUSE(function, context, error, "the link could not be done");
  }
  *out_program = program;
  return error;
}

static cl_int validate_and_link(const char *function, cl_context context, cl_uint count, const cl_device_id *devices,
                                const char *options, cl_uint input_count, const cl_program *inputs,
                                notification_t notification, cl_program *out_program) {
  TRY(context_validate(function, context));
  TRY(validate_device_list(function, context, count, devices, context->device_count, context->devices));
  TRY(validate_inputs(function, context, input_count, inputs));
  TRY(validate_notification(function, context, notification));
  if (count == 0) count = context->device_count, devices = context->devices;

  cl_device_id *link_devices = malloc(count * sizeof *link_devices);
  if (!link_devices) REFUSE(function, context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  cl_uint link_count = 0;
  cl_int error = find_link_devices(function, context, count, devices, input_count, inputs, link_devices, &link_count);
  if (error == CL_SUCCESS) {
    error = link_program(function, context, count, devices, link_count, link_devices, options, input_count, inputs,
                         out_program);
  }
  free(link_devices);
  return *out_program ? notify(*out_program, error, notification) : error;
}

CL_ENTRY cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
                                              const char *options, cl_uint num_input_programs,
                                              const cl_program *input_programs,
                                              void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                                              void *user_data, cl_int *errcode_ret) {
  cl_program program = NULL;
  error_answer(errcode_ret, validate_and_link(__func__, context, num_devices, device_list, options ? options : "",
                                              num_input_programs, input_programs,
                                              (notification_t){pfn_notify, user_data}, &program));
  return program;
}
