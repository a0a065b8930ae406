/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Program-scope variables by their names: addresses, reading, writing. Among them are the addresses of functions. */
#include "cl/api/global_variable.h"

#include <string.h>

#include "base/text.h"
#include "cl/api/pointer.h"
#include "cl/api/validate.h"
#include "cl/program/program.h"
#include "cl/queueing/refuse.h"
#include "compiler/function_address.h"

#ifndef CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL
#define CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL 0x418E
#define CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL 0x418F
#endif

typedef struct variable_t {
  /** Has the variable; held. */
  executable_t *executable;
  char *address;
  uint64_t size;
} variable_t;

/** What was built for the device, held; null when nothing was. */
static executable_t *hold_executable(cl_program program, cl_device_id device) {
  int64_t index = program_find_device(program, device);
  if (index < 0) return NULL;
  pthread_mutex_lock(&program->mutex);
  executable_t *executable = program_device_executable(&program->devices[index]);
  if (executable) object_hold(OBJECT(executable));
  pthread_mutex_unlock(&program->mutex);
  return executable;
}

/** The program is valid. On success the caller drops the executable. */
static cl_int find_variable(const char *function, cl_program program, cl_device_id device, const char *name,
                            variable_t *out_variable) {
  cl_context context = program->context;
  REQUIRE(name, function, context, CL_INVALID_VALUE, "the name is null");
  executable_t *executable = hold_executable(program, device);
  REQUIRE(executable, function, context, CL_INVALID_PROGRAM_EXECUTABLE, "nothing was built for the device");
  void *address = NULL;
  out_variable->executable = executable;
  if (!*name || muxGetExecutableVariable(executable->device, executable->code, name, strlen(name), &address,
                                         &out_variable->size)) {
    object_drop(OBJECT(executable));
    REFUSE(function, context, CL_INVALID_ARG_VALUE, "the program has no global variable '%s'", name);
  }
  out_variable->address = address;
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_device_global_variable_pointer_intel(cl_device_id device, cl_program program, const char *name,
                                                            size_t *size_ret, void **pointer_ret) {
  static const char function[] = "clGetDeviceGlobalVariablePointerINTEL";
  REQUIRE(program_is_valid(program), function, NULL, CL_INVALID_PROGRAM, "not a program");
  REQUIRE(device_is_valid(device) && program_find_device(program, device) >= 0, function, program->context,
          CL_INVALID_DEVICE, "not a device of the program");
  REQUIRE(pointer_ret, function, program->context, CL_INVALID_VALUE, "global_variable_pointer_ret is null");
  variable_t variable;
  TRY(find_variable(function, program, device, name, &variable));
  *pointer_ret = variable.address;
  if (size_ret) *size_ret = variable.size;
  object_drop(OBJECT(variable.executable));
  return CL_SUCCESS;
}

static cl_int find_function(const char *function, cl_program program, cl_device_id device, const char *name,
                            variable_t *out_variable) {
  text_t symbol = {0};
  text_append(&symbol, FUNCTION_ADDRESS_PREFIX);
  text_append(&symbol, name);
  cl_int error = symbol.failed ? CL_OUT_OF_HOST_MEMORY
                               : find_variable(function, program, device, text_string(&symbol), out_variable);
  text_free(&symbol);
  return error;
}

cl_int CL_API_CALL get_device_function_pointer_intel(cl_device_id device, cl_program program, const char *name,
                                                     cl_ulong *pointer_ret) {
  static const char function[] = "clGetDeviceFunctionPointerINTEL";
  REQUIRE(program_is_valid(program), function, NULL, CL_INVALID_PROGRAM, "not a program");
  REQUIRE(device_is_valid(device) && program_find_device(program, device) >= 0, function, program->context,
          CL_INVALID_DEVICE, "not a device of the program");
  REQUIRE(name && pointer_ret, function, program->context, CL_INVALID_VALUE, "the name or func_ptr is null");
  variable_t variable;
  TRY(find_function(function, program, device, name, &variable));
  const bool is_address = variable.size == sizeof(cl_ulong);
  if (is_address) memcpy(pointer_ret, variable.address, sizeof(cl_ulong));
  object_drop(OBJECT(variable.executable));
  REQUIRE(is_address, function, program->context, CL_INVALID_ARG_VALUE, "'%s' is no function", name);
  return CL_SUCCESS;
}

/** One of the two pointers is the variable's. */
typedef struct access_t {
  cl_program program;
  const char *name;
  cl_bool blocking;
  size_t size, offset;
  /** One of them: what is read into, what is written from. */
  void *destination;
  const void *source;
} access_t;

static cl_int enqueue_copy(const enqueue_t *enqueue, const access_t *access, const variable_t *variable) {
  char *at = variable->address + access->offset;
  void *destination = access->destination ? access->destination : at;
  const void *source = access->destination ? at : access->source;
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  cl_int error = command_hold(command, OBJECT(variable->executable));
  if (error == CL_SUCCESS) {
    error = record_pointer_copy(enqueue_command_buffer(command), destination, source, access->size);
  }
  return enqueue_end(command, error, access->blocking);
}

static cl_int access_variable(const char *function, const enqueue_t *enqueue, const access_t *access) {
  TRY(enqueue_validate(enqueue));
  cl_command_queue queue = enqueue->queue;
  cl_context context = queue_context(queue);
  REQUIRE(program_is_valid(access->program), function, context, CL_INVALID_PROGRAM, "not a program");
  REQUIRE(access->program->context == context, function, context, CL_INVALID_CONTEXT,
          "the program and the queue are of different contexts");
  REQUIRE(access->destination || access->source, function, context, CL_INVALID_VALUE, "ptr is null");
  variable_t variable;
  TRY(find_variable(function, access->program, queue_device(queue), access->name, &variable));
  bool is_inside = range_is_inside(access->offset, access->size, variable.size);
  cl_int error = is_inside ? enqueue_copy(enqueue, access, &variable) : CL_INVALID_VALUE;
  object_drop(OBJECT(variable.executable));
  REQUIRE(is_inside, function, context, CL_INVALID_VALUE, "%zu bytes at %zu do not lie in '%s', which has %llu",
          access->size, access->offset, access->name, (unsigned long long)variable.size);
  return error;
}

cl_int CL_API_CALL enqueue_read_global_variable_intel(cl_command_queue command_queue, cl_program program,
                                                      const char *name, cl_bool blocking_read, size_t size,
                                                      size_t offset, void *ptr, cl_uint num_events_in_wait_list,
                                                      const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL, num_events_in_wait_list,
                             event_wait_list, event};
  const access_t access = {program, name, blocking_read, size, offset, ptr, NULL};
  return access_variable("clEnqueueReadGlobalVariableINTEL", &enqueue, &access);
}

cl_int CL_API_CALL enqueue_write_global_variable_intel(cl_command_queue command_queue, cl_program program,
                                                       const char *name, cl_bool blocking_write, size_t size,
                                                       size_t offset, const void *ptr, cl_uint num_events_in_wait_list,
                                                       const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL, num_events_in_wait_list,
                             event_wait_list, event};
  const access_t access = {program, name, blocking_write, size, offset, NULL, ptr};
  return access_variable("clEnqueueWriteGlobalVariableINTEL", &enqueue, &access);
}
