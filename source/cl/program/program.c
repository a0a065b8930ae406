/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Program objects: creation and content. */
#include "cl/program/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "compiler/spirv_info.h"

bool program_is_valid(cl_program program) { return object_is(program, object_kind_program); }

static void clear_device(program_device_t *device) {
  free(device->options);
  free(device->log);
  binary_drop(device->binary);
  if (device->executable) object_drop(OBJECT(device->executable));
}

static void destroy(object_t *object) {
  cl_program program = (cl_program)(void *)object;
  for (cl_uint i = 0; i < program->device_count; i++) clear_device(&program->devices[i]);
  cl_context context = program->context;
  pthread_mutex_destroy(&program->mutex);
  free(program->devices);
  free(program->source);
  free(program->il);
  free(program->specializations);
  object_free(OBJECT(program), object_kind_program);
  object_drop(OBJECT(context));
}

cl_program program_create(cl_context context, program_origin_e origin, cl_uint device_count,
                          const cl_device_id *devices) {
  cl_program program = calloc(1, sizeof *program);
  program_device_t *states = calloc(device_count, sizeof *states);
  if (!program || !states) {
    free(program);
    free(states);
    return NULL;
  }
  object_init(&program->object, object_kind_program, destroy);
  object_hold(OBJECT(context));
  pthread_mutex_init(&program->mutex, NULL);
  program->context = context;
  program->origin = origin;
  program->device_count = device_count;
  program->devices = states;
  for (cl_uint i = 0; i < device_count; i++) {
    states[i].device = devices[i];
    states[i].status = CL_BUILD_NONE;
    states[i].type = CL_PROGRAM_BINARY_TYPE_NONE;
  }
  return program;
}

int64_t program_find_device(cl_program program, cl_device_id device) {
  for (cl_uint i = 0; i < program->device_count; i++) {
    if (program->devices[i].device == device) return i;
  }
  return -1;
}

/** "The concatenation strips any nulls in the original source strings." */
static void append_source(text_t *text, const char *string, size_t length) {
  while (length) {
    size_t part = strnlen(string, length);
    text_append_bytes(text, string, part);
    if (part < length) part++;
    string += part;
    length -= part;
  }
}

cl_int program_set_source(cl_program program, cl_uint count, const char **strings, const size_t *lengths) {
  text_t text = {0};
  for (cl_uint i = 0; i < count; i++) {
    if (!strings[i]) {
      text_free(&text);
      return CL_INVALID_VALUE;
    }
    append_source(&text, strings[i], lengths && lengths[i] ? lengths[i] : strlen(strings[i]));
  }
  program->source = text.data ? text.data : strdup("");
  program->source_length = text.length;
  if (!text.failed && program->source) return CL_SUCCESS;
  return CL_OUT_OF_HOST_MEMORY;
}

cl_int program_set_il(cl_program program, const void *il, size_t size) {
  if (!spirv_info_is_module(il, size)) return CL_INVALID_VALUE;
  program->il = malloc(size);
  if (!program->il) return CL_OUT_OF_HOST_MEMORY;
  memcpy(program->il, il, size);
  program->il_size = size;
  return CL_SUCCESS;
}

/** The entry of a constant, made when it is not there; null when out of memory. */
static compiler_specialization_t *find_specialization(cl_program program, cl_uint id) {
  for (size_t i = 0; i < program->specialization_count; i++) {
    if (program->specializations[i].id == id) return &program->specializations[i];
  }
  bool has_room = array_reserve(&program->specializations, &program->specialization_capacity,
                                program->specialization_count + 1, sizeof *program->specializations);
  return has_room ? &program->specializations[program->specialization_count++] : NULL;
}

cl_int program_specialize(cl_program program, cl_uint id, size_t size, const void *value) {
  size_t wanted = spirv_info_constant_size(program->il, program->il_size, id);
  if (!wanted) return CL_INVALID_SPEC_ID;
  if (wanted != size || size > sizeof(uint64_t)) return CL_INVALID_VALUE;
  pthread_mutex_lock(&program->mutex);
  compiler_specialization_t *entry = find_specialization(program, id);
  if (entry) *entry = (compiler_specialization_t){.id = id, .size = size};
  if (entry) memcpy(&entry->value, value, size); /* little-endian, as SPIR-V's words */
  program->specialization_version++;
  pthread_mutex_unlock(&program->mutex);
  return entry ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

char *program_target_text(cl_device_id device) {
  text_t text = {0};
  text_appendf(&text, "%s: %s: %s", device->target.name, device->info->device_name, device->info->instruction_set);
  if (!text.failed) return text.data;
  text_free(&text);
  return NULL;
}

static cl_program_binary_type type_of(binary_kind_e kind) {
  switch (kind) {
    case binary_kind_object: return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    case binary_kind_library: return CL_PROGRAM_BINARY_TYPE_LIBRARY;
    default: return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  }
}

static cl_int decode_binary(cl_device_id device, const binary_t *binary, binary_content_t *out_content) {
  char *target = program_target_text(device);
  if (!target) return CL_OUT_OF_HOST_MEMORY;
  bool is_valid = binary_decode(binary, target, out_content);
  free(target);
  return is_valid ? CL_SUCCESS : CL_INVALID_BINARY;
}

cl_int program_decode_binary(cl_device_id device, const binary_t *binary, cl_program_binary_type *out_type,
                             executable_t **out_executable) {
  binary_content_t content;
  *out_executable = NULL;
  TRY(decode_binary(device, binary, &content));
  if (content.kind == binary_kind_executable) TRY(executable_create(device->mux_root, &content, out_executable));
  *out_type = type_of(content.kind);
  return CL_SUCCESS;
}

cl_int program_load_binary(cl_program program, cl_uint index, const void *data, size_t size) {
  program_device_t *state = &program->devices[index];
  state->binary = binary_copy(data, size);
  if (!state->binary) return CL_OUT_OF_HOST_MEMORY;
  return program_decode_binary(state->device, state->binary, &state->type, &state->executable);
}

executable_t *program_device_executable(const program_device_t *device) {
  return device->status == CL_BUILD_SUCCESS ? device->executable : NULL;
}

executable_t *program_first_executable(cl_program program) {
  for (cl_uint i = 0; i < program->device_count; i++) {
    executable_t *executable = program_device_executable(&program->devices[i]);
    if (executable) return executable;
  }
  return NULL;
}
