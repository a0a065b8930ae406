/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Builds: the state of a program around what the compiler makes (program/program_compile.h). */
#include "cl/program/program_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/thread.h"
#include "cl/program/constructors.h"
#include "cl/program/program_cache.h"
#include "cl/program/program_compile.h"

static bool is_listed(cl_device_id device, cl_uint count, const cl_device_id *list) {
  for (cl_uint i = 0; i < count; i++) {
    if (list[i] == device) return true;
  }
  return count == 0;
}

/** What is built for a device is built for those of its sub-devices that the program has; a binary is for itself. */
static bool is_meant(cl_program program, cl_device_id device, cl_uint count, const cl_device_id *list) {
  bool is_binary = program->origin == program_origin_binary;
  bool found = is_listed(device, count, list);
  while (!found && !is_binary && (device = device->parent)) found = is_listed(device, count, list);
  return found;
}

static void begin_device(program_device_t *state) {
  state->status = CL_BUILD_IN_PROGRESS;
  free(state->options);
  free(state->log);
  state->options = state->log = NULL;
}

cl_int program_begin_build(cl_program program, cl_uint count, const cl_device_id *list) {
  pthread_mutex_lock(&program->mutex);
  bool refused = program->building || program->kernel_count;
  if (!refused) program->building = true;
  for (cl_uint i = 0; i < program->device_count && !refused; i++) {
    if (is_meant(program, program->devices[i].device, count, list)) begin_device(&program->devices[i]);
  }
  pthread_mutex_unlock(&program->mutex);
  return refused ? CL_INVALID_OPERATION : CL_SUCCESS;
}

static bool is_in_build(const program_device_t *state) { return state->status == CL_BUILD_IN_PROGRESS; }

/** Puts what was made in the place of what was there. Takes over what `result` owns, and `options`. */
static void end_device(cl_program program, program_device_t *state, char *options, program_result_t *result) {
  executable_t *old_executable;
  binary_t *old_binary;
  pthread_mutex_lock(&program->mutex);
  old_executable = state->executable;
  old_binary = state->binary;
  state->options = options;
  state->log = result->log;
  state->binary = result->binary;
  state->executable = result->executable;
  state->type = result->type;
  state->status = result->error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  pthread_mutex_unlock(&program->mutex);
  text_free(&result->dependencies);
  binary_drop(old_binary);
  if (old_executable) object_drop(OBJECT(old_executable));
}

static void end_build(cl_program program) {
  pthread_mutex_lock(&program->mutex);
  program->building = false;
  pthread_mutex_unlock(&program->mutex);
}

/** A failed build's log goes to the context's notify function too. */
static void report(cl_program program, const program_device_t *state, cl_int error) {
  if (error == CL_SUCCESS) return;
  const char *log = state->log ? state->log : "";
  log_write(log_compiler, "%s for %s: %s", error_name(error), state->device->info->device_name, log);
  context_notify(program->context, *log ? log : error_name(error), NULL, 0);
}

/** What one kind of build does for one device. */
typedef void (*make_function_t)(cl_program program, const program_device_t *state, const void *data,
                                program_result_t *out_result);

/** What a failed build leaves: its log. */
static void drop_result(program_result_t *result) {
  binary_drop(result->binary);
  object_drop(OBJECT(result->executable));
  result->binary = NULL;
  result->executable = NULL;
  result->type = CL_PROGRAM_BINARY_TYPE_NONE;
}

/** The program-scope objects of what was made are constructed before anybody can look at them. */
static void construct(cl_program program, program_result_t *result) {
  if (result->error != CL_SUCCESS || !result->executable) return;
  const cl_int failure_code =
      program->origin == program_origin_link ? CL_LINK_PROGRAM_FAILURE : CL_BUILD_PROGRAM_FAILURE;
  text_t log = {0};
  text_append(&log, result->log ? result->log : "");
  result->error = constructors_run(result->executable, &program->context->printf_sink, failure_code, &log);
  if (result->error == CL_SUCCESS) {
    text_free(&log);
    return;
  }
  free(result->log);
  result->log = log.data;
  if (program->origin != program_origin_binary) drop_result(result);
}

/** An earlier result of this build for the same Mux device or its sub-devices serves the later devices too. */
static bool reuse(cl_program program, cl_uint index, cl_uint first_made, program_result_t *out_result) {
  if (first_made >= index) return false;
  const program_device_t *made = &program->devices[first_made], *wanted = &program->devices[index];
  if (made->device->mux_root != wanted->device->mux_root || made->status != CL_BUILD_SUCCESS) return false;
  out_result->log = made->log ? strdup(made->log) : NULL;
  out_result->binary = binary_hold(made->binary);
  out_result->type = made->type;
  if (made->executable) object_hold(OBJECT(made->executable));
  out_result->executable = made->executable;
  return true;
}

/** The executable that was loaded with the binary is the result. */
static void take_binary(const program_device_t *state, program_result_t *out_result) {
  out_result->error = state->executable ? CL_SUCCESS : CL_INVALID_BINARY;
  out_result->binary = state->binary ? binary_hold(state->binary) : NULL;
  out_result->type = state->type;
  if (state->executable) object_hold(OBJECT(state->executable));
  out_result->executable = state->executable;
}

static cl_int make_all(cl_program program, const char *options, make_function_t make, const void *data) {
  cl_int first_error = CL_SUCCESS;
  cl_uint first_made = program->device_count;
  for (cl_uint i = 0; i < program->device_count; i++) {
    program_device_t *state = &program->devices[i];
    if (!is_in_build(state)) continue;
    program_result_t result = {.type = CL_PROGRAM_BINARY_TYPE_NONE};
    char *kept_options = strdup(options);
    bool is_binary = program->origin == program_origin_binary;
    if (kept_options) {
      if (is_binary || !reuse(program, i, first_made, &result)) make(program, state, data, &result);
      construct(program, &result);
    } else {
      /* What was loaded stays, so that the build can be tried again. */
      if (is_binary) take_binary(state, &result);
      result.error = CL_OUT_OF_HOST_MEMORY;
    }
    end_device(program, state, kept_options, &result);
    if (first_made == program->device_count) first_made = i;
    if (first_error == CL_SUCCESS) first_error = result.error;
    report(program, state, result.error);
  }
  end_build(program);
  return first_error;
}

/* Reads and writes files, where a thread would be cancelled, and leave a build that nobody ends. */
static cl_int run_build(cl_program program, const char *options, make_function_t make, const void *data) {
  const int cancel_state = thread_cancel_hold();
  const cl_int error = make_all(program, options, make, data);
  thread_cancel_release(cancel_state);
  return error;
}

static void make_executable(cl_program program, const program_device_t *state, const void *data,
                            program_result_t *out_result) {
  if (program->origin == program_origin_binary) {
    take_binary(state, out_result);
    return;
  }
  const program_key_t key = program_key_for_build(program, state->device, data);
  if (program_cache_find(&key, state->device, out_result)) return;
  compile_executable(program, state->device, data, out_result);
  program_cache_keep(&key, program, out_result);
}

cl_int program_build(cl_program program, const char *options) {
  return run_build(program, options, make_executable, options);
}

typedef struct compile_data_t {
  const char *options;
  const compiler_header_t *headers;
  size_t header_count;
} compile_data_t;

static void make_object(cl_program program, const program_device_t *state, const void *data,
                        program_result_t *out_result) {
  const compile_data_t *compile = data;
  const program_key_t key =
      program_key_for_compile(program, state->device, compile->options, compile->headers, compile->header_count);
  if (program_cache_find(&key, state->device, out_result)) return;
  compile_object(program, state->device, compile->options, compile->headers, compile->header_count, out_result);
  program_cache_keep(&key, program, out_result);
}

cl_int program_compile(cl_program program, const char *options, const compiler_header_t *headers, size_t header_count) {
  const compile_data_t data = {options, headers, header_count};
  return run_build(program, options, make_object, &data);
}

typedef struct link_data_t {
  const char *options;
  const cl_program *inputs;
  size_t input_count;
} link_data_t;

static void make_link(cl_program program, const program_device_t *state, const void *data,
                      program_result_t *out_result) {
  const link_data_t *link = data;
  const program_key_t key = program_key_for_link(state->device, link->options, link->inputs, link->input_count);
  if (program_cache_find(&key, state->device, out_result)) return;
  link_programs(state->device, link->options, link->inputs, link->input_count, out_result);
  program_cache_keep(&key, program, out_result);
}

cl_int program_link(cl_program program, const char *options, const cl_program *inputs, size_t input_count) {
  const link_data_t data = {options, inputs, input_count};
  return run_build(program, options, make_link, &data);
}
