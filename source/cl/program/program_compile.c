/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the compiler makes of programs. Objects are kept as serialized modules, so that any
 * number of threads may link them at once. */
#include "cl/program/program_compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/text.h"
#include "cl/object/mux_error.h"
#include "cl/program/build_flags.h"

/** Packs `content` for `device` into the result. */
static cl_int set_binary(cl_device_id device, const binary_content_t *content, program_result_t *result) {
  char *target = program_target_text(device);
  if (!target) return CL_OUT_OF_HOST_MEMORY;
  result->binary = binary_encode(target, content);
  free(target);
  return result->binary ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/** Loads what the compiler made. Code that cannot be loaded is no fault of the application: the build failed, and the
 * log says so. */
static cl_int load_executable(cl_device_id device, const binary_content_t *content, cl_int failure_code,
                              program_result_t *result) {
  cl_int error = executable_create(device->mux_root, content, &result->executable);
  if (error != CL_INVALID_BINARY) return error;
  result->log = strdup("internal error: the generated code cannot be loaded (QUERN_DEBUG=loader tells why)\n");
  return failure_code;
}

/** Finalizes an object module: the result becomes its executable. */
static cl_int take_executable(cl_device_id device, compiler_module_t module, uint32_t flags, cl_int failure_code,
                              program_result_t *result) {
  binary_content_t content = {.kind = binary_kind_executable, .flags = flags};
  compiler_result_t compiled = compiler_module_finalize(module);
  if (compiled == compiler_success) {
    compiled = compiler_module_executable_binary(module, &content.payload, &content.payload_size);
  }
  if (compiled == compiler_success) {
    compiled = compiler_module_program_info(module, &content.info, &content.info_size);
  }
  if (compiled == compiler_success) {
    compiled = compiler_module_portable(module, &content.portable, &content.portable_size);
  }
  TRY(error_from_compiler(compiled, failure_code));
  TRY(load_executable(device, &content, failure_code, result));
  TRY(set_binary(device, &content, result));
  result->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  return CL_SUCCESS;
}

/** The result becomes the module as it is: an object or a library. */
static cl_int take_module(cl_device_id device, compiler_module_t module, uint32_t flags, cl_int failure_code,
                          program_result_t *result) {
  bool is_library = compiler_module_kind(module) == compiler_module_library;
  binary_content_t content = {.kind = is_library ? binary_kind_library : binary_kind_object, .flags = flags};
  TRY(error_from_compiler(compiler_module_serialize(module, &content.payload, &content.payload_size), failure_code));
  TRY(set_binary(device, &content, result));
  result->type = is_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  return CL_SUCCESS;
}

static void keep_dependencies(compiler_module_t module, program_result_t *result) {
  compiler_dependencies_t dependencies;
  compiler_module_dependencies(module, &dependencies);
  text_append_bytes(&result->dependencies, dependencies.data, dependencies.size);
  result->is_repeatable = dependencies.is_repeatable && !result->dependencies.failed;
}

/** A module to compile or link in. */
static cl_int begin(cl_device_id device, cl_int failure_code, compiler_module_t *out_module, program_result_t *result) {
  return error_from_compiler(compiler_module_create(&device->target, out_module, &result->log), failure_code);
}

/** Keeps log and dependencies, frees the module, and on failure what was made so far. */
static void finish(compiler_module_t module, cl_int error, program_result_t *result) {
  result->error = error;
  if (!result->log) result->log = strdup(compiler_module_log(module));
  keep_dependencies(module, result);
  compiler_module_destroy(module);
  if (error == CL_SUCCESS) return;
  binary_drop(result->binary);
  if (result->executable) object_drop(OBJECT(result->executable));
  result->binary = NULL;
  result->executable = NULL;
  result->type = CL_PROGRAM_BINARY_TYPE_NONE;
}

static cl_int compile_flags(const char *options, uint32_t *out_flags) {
  text_t all = {0};
  text_appendf(&all, "%s %s", options, options_get()->extra_build_options);
  bool is_uniform = build_options_need_uniform_groups(text_string(&all)), failed = all.failed;
  text_free(&all);
  *out_flags = is_uniform ? BINARY_UNIFORM_WORK_GROUPS : 0;
  return failed ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

/** Copies the values of specialization constants: they may be set anew while the build runs. */
static cl_int compile_il(cl_program program, compiler_module_t module, const char *options, cl_int failure_code) {
  pthread_mutex_lock(&program->mutex);
  size_t count = program->specialization_count;
  compiler_specialization_t *values = calloc(count + 1, sizeof *values);
  if (values && count) memcpy(values, program->specializations, count * sizeof *values);
  pthread_mutex_unlock(&program->mutex);
  if (!values) return CL_OUT_OF_HOST_MEMORY;
  compiler_result_t result =
      compiler_module_compile_spirv(module, program->il, program->il_size, options, values, count);
  free(values);
  return error_from_compiler(result, failure_code);
}

/** Compiles the program's source or intermediate language into an object module. */
static cl_int compile_program(cl_program program, compiler_module_t module, const char *options,
                              const compiler_header_t *headers, size_t header_count, cl_int failure_code) {
  if (program->origin == program_origin_il) return compile_il(program, module, options, failure_code);
  return error_from_compiler(
      compiler_module_compile_opencl_c(module, program->source, program->source_length, options, headers, header_count),
      failure_code);
}

void compile_executable(cl_program program, cl_device_id device, const char *options, program_result_t *out_result) {
  const cl_int failure_code = CL_BUILD_PROGRAM_FAILURE;
  compiler_module_t module;
  uint32_t flags;
  out_result->error = compile_flags(options, &flags);
  if (out_result->error != CL_SUCCESS) return;
  out_result->error = begin(device, failure_code, &module, out_result);
  if (out_result->error != CL_SUCCESS) return;
  cl_int error = compile_program(program, module, options, NULL, 0, failure_code);
  if (error == CL_SUCCESS) error = take_executable(device, module, flags, failure_code, out_result);
  finish(module, error, out_result);
}

void compile_object(cl_program program, cl_device_id device, const char *options, const compiler_header_t *headers,
                    size_t header_count, program_result_t *out_result) {
  const cl_int failure_code = CL_COMPILE_PROGRAM_FAILURE;
  compiler_module_t module;
  uint32_t flags;
  out_result->error = compile_flags(options, &flags);
  if (out_result->error != CL_SUCCESS) return;
  out_result->error = begin(device, failure_code, &module, out_result);
  if (out_result->error != CL_SUCCESS) return;
  cl_int error = compile_program(program, module, options, headers, header_count, failure_code);
  if (error == CL_SUCCESS) error = take_module(device, module, flags, failure_code, out_result);
  finish(module, error, out_result);
}

void compile_variant(cl_device_id device, const void *portable, size_t portable_size, const char *kernel,
                     const compiler_known_argument_t *known, size_t known_count, program_result_t *out_result) {
  const cl_int failure_code = CL_BUILD_PROGRAM_FAILURE;
  compiler_module_t module;
  out_result->error = begin(device, failure_code, &module, out_result);
  if (out_result->error != CL_SUCCESS) return;
  compiler_result_t compiled = compiler_module_deserialize(module, portable, portable_size);
  if (compiled == compiler_success) compiled = compiler_module_specialize(module, kernel, known, known_count);
  cl_int error = error_from_compiler(compiled, failure_code);
  if (error == CL_SUCCESS) error = take_executable(device, module, 0, failure_code, out_result);
  finish(module, error, out_result);
}

binary_t *program_input_binary(cl_program input, cl_device_id device) {
  int64_t index = program_find_device(input, device);
  if (index < 0) return NULL;
  pthread_mutex_lock(&input->mutex);
  const program_device_t *state = &input->devices[index];
  bool is_linkable =
      state->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || state->type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
  binary_t *binary = is_linkable && state->binary ? binary_hold(state->binary) : NULL;
  pthread_mutex_unlock(&input->mutex);
  return binary;
}

/** Unpacks an input into a module of its own, and adds its flags to `*flags`. */
static cl_int load_input(cl_program input, cl_device_id device, uint32_t *flags, compiler_module_t *out_module) {
  binary_t *binary = program_input_binary(input, device);
  char *target = program_target_text(device);
  binary_content_t content;
  cl_int error = target ? CL_INVALID_OPERATION : CL_OUT_OF_HOST_MEMORY;
  if (binary && target && binary_decode(binary, target, &content)) {
    error = error_from_compiler(compiler_module_create(&device->target, out_module, NULL), CL_LINK_PROGRAM_FAILURE);
    if (error == CL_SUCCESS) {
      *flags |= content.flags;
      error = error_from_compiler(compiler_module_deserialize(*out_module, content.payload, content.payload_size),
                                  CL_LINK_PROGRAM_FAILURE);
    }
  }
  free(target);
  binary_drop(binary);
  return error;
}

static cl_int link_modules(cl_device_id device, compiler_module_t module, const compiler_module_t *inputs,
                           size_t input_count, const char *options, uint32_t flags, program_result_t *result) {
  const cl_int failure_code = CL_LINK_PROGRAM_FAILURE;
  TRY(error_from_compiler(compiler_module_link(module, inputs, input_count, options), failure_code));
  if (compiler_module_kind(module) == compiler_module_library) {
    return take_module(device, module, flags, failure_code, result);
  }
  return take_executable(device, module, flags, failure_code, result);
}

void link_programs(cl_device_id device, const char *options, const cl_program *inputs, size_t input_count,
                   program_result_t *out_result) {
  compiler_module_t module;
  out_result->error = begin(device, CL_LINK_PROGRAM_FAILURE, &module, out_result);
  if (out_result->error != CL_SUCCESS) return;
  uint32_t flags = build_options_ask_uniform_groups(options) ? BINARY_UNIFORM_WORK_GROUPS : 0;
  compiler_module_t *modules = calloc(input_count, sizeof(compiler_module_t));
  cl_int error = modules ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; i < input_count && error == CL_SUCCESS; i++) {
    error = load_input(inputs[i], device, &flags, &modules[i]);
  }
  if (error == CL_SUCCESS) error = link_modules(device, module, modules, input_count, options, flags, out_result);
  finish(module, error, out_result);
  for (size_t i = 0; modules && i < input_count; i++) {
    if (modules[i]) compiler_module_destroy(modules[i]);
  }
  free(modules);
}
