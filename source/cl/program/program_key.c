/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Keys of the cache of compiled programs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/text.h"
#include "cl/cache/store.h"
#include "cl/program/program_cache.h"

/* Parts carry their length, so that no two lists of parts give the same text. */
static void add_bytes(text_t *text, const char *name, const void *data, size_t size) {
  text_appendf(text, "%s %zu ", name, size);
  text_append_bytes(text, data, size);
}

static void add_text(text_t *text, const char *name, const char *value) { add_bytes(text, name, value, strlen(value)); }

/* Options that change code. */
static void add_environment(text_t *text) {
  const options_t *options = options_get();
  add_text(text, "cpu", options->cpu);
  add_text(text, "cpu_features", options->cpu_features);
  add_text(text, "extra_build_options", options->extra_build_options);
  add_text(text, "disable_passes", options->disable_passes);
  text_appendf(text, "vectorize %" PRIu64 " ", options->vectorize);
}

/* False when there is no compiler, or it cannot be told. */
static bool add_compiler(text_t *text) {
  char *identity = compiler_identity();
  if (!identity) return false;
  add_text(text, "compiler", identity);
  free(identity);
  return true;
}

static void add_device(text_t *text, cl_device_id device) {
  char *target = program_target_text(device);
  if (!target) text->failed = true;
  add_text(text, "device", target ? target : "");
  free(target);
  add_text(text, "extensions", device->target.extensions);
  add_text(text, "features", device->target.features);
}

/* Debug information names the working directory. */
static void add_folder(text_t *text, const char *options) {
  if (!strstr(options, "-g") && !strstr(options_get()->extra_build_options, "-g")) return;
  char *folder = getcwd(NULL, 0);
  if (!folder) text->failed = true;
  add_text(text, "folder", folder ? folder : "");
  free(folder);
}

/* What all kinds of build depend on. False when the build has no key. */
static bool begin_key(text_t *text, const char *kind, cl_device_id device, const char *options) {
  if (!store_is_enabled()) return false;
  add_text(text, "kind", kind);
  if (!add_compiler(text)) return false;
  add_device(text, device);
  add_environment(text);
  add_folder(text, options);
  add_text(text, "options", options);
  return true;
}

/* Values of specialization constants, which may be set anew while this runs. */
static void add_specializations(text_t *text, cl_program program, uint64_t *out_version) {
  pthread_mutex_lock(&program->mutex);
  *out_version = program->specialization_version;
  for (size_t i = 0; i < program->specialization_count; i++) {
    const compiler_specialization_t *constant = &program->specializations[i];
    text_appendf(text, "constant %" PRIu32 " %zu %" PRIu64 " ", constant->id, constant->size, constant->value);
  }
  pthread_mutex_unlock(&program->mutex);
}

/* False for a program that is not compiled. */
static bool add_content(text_t *text, cl_program program, uint64_t *out_version) {
  switch (program->origin) {
    case program_origin_source: add_bytes(text, "source", program->source, program->source_length); return true;
    case program_origin_il:
      add_bytes(text, "il", program->il, program->il_size);
      add_specializations(text, program, out_version);
      return true;
    default: return false;
  }
}

static program_key_t end_key(bool is_complete, text_t *text, uint64_t version) {
  program_key_t key = {.is_usable = is_complete && !text->failed, .specialization_version = version};
  if (key.is_usable) key.hash = hash_bytes_128(text->data, text->length);
  text_free(text);
  return key;
}

program_key_t program_key_for_build(cl_program program, cl_device_id device, const char *options) {
  text_t text = {0};
  uint64_t version = 0;
  bool is_complete = begin_key(&text, "build", device, options) && add_content(&text, program, &version);
  return end_key(is_complete, &text, version);
}

program_key_t program_key_for_compile(cl_program program, cl_device_id device, const char *options,
                                      const compiler_header_t *headers, size_t header_count) {
  text_t text = {0};
  uint64_t version = 0;
  bool is_complete = begin_key(&text, "compile", device, options) && add_content(&text, program, &version);
  for (size_t i = 0; is_complete && i < header_count; i++) {
    add_text(&text, "header", headers[i].name);
    add_bytes(&text, "content", headers[i].source, headers[i].length);
  }
  return end_key(is_complete, &text, version);
}

/* The input's object or library, which says for itself what it was compiled with. */
static bool add_input(text_t *text, cl_program input, cl_device_id device) {
  binary_t *binary = program_input_binary(input, device);
  if (!binary) return false;
  add_bytes(text, "input", binary->data, binary->size);
  binary_drop(binary);
  return true;
}

program_key_t program_key_for_link(cl_device_id device, const char *options, const cl_program *inputs,
                                   size_t input_count) {
  text_t text = {0};
  bool is_complete = begin_key(&text, "link", device, options);
  for (size_t i = 0; is_complete && i < input_count; i++) is_complete = add_input(&text, inputs[i], device);
  return end_key(is_complete, &text, 0);
}

static void add_known(text_t *text, const compiler_known_argument_t *known) {
  const mux_sampler_t *sampler = &known->sampler;
  const uint32_t *size = known->local_size;
  text_appendf(text, "argument %" PRIu32 " ", known->index);
  switch (known->kind) {
    case compiler_known_image: text_appendf(text, "format %" PRIu32 " ", known->format); break;
    case compiler_known_sampler:
      text_appendf(text, "sampler %d %d %d %d %a %a ", (int)sampler->address_mode, (int)sampler->filter_mode,
                   sampler->normalize_coords, (int)sampler->mip_filter_mode, (double)sampler->min_lod,
                   (double)sampler->max_lod);
      break;
    case compiler_known_local_size:
      text_appendf(text, "local %" PRIu32 " %" PRIu32 " %" PRIu32 " ", size[0], size[1], size[2]);
      break;
    case compiler_known_local_memory: text_appendf(text, "bytes %" PRIu64 " ", known->local_memory); break;
  }
}

program_key_t program_key_for_variant(cl_device_id device, const void *portable, size_t portable_size,
                                      const char *kernel, const compiler_known_argument_t *known, size_t known_count) {
  text_t text = {0};
  bool is_complete = begin_key(&text, "variant", device, "");
  add_text(&text, "kernel", kernel);
  for (size_t i = 0; i < known_count; i++) {
    add_known(&text, &known[i]);
  }
  add_bytes(&text, "portable", portable, portable_size);
  return end_key(is_complete, &text, 0);
}

program_key_t program_key_for_tuning(mux_device_info_t device, const char *kernel, hash128_t code) {
  text_t text = {0};
  char code_text[hash128_text_size];
  hash128_write(code, code_text);
  add_text(&text, "kind", "tuning");
  add_text(&text, "device", device->device_name);
  text_appendf(&text, "units %" PRIu32 " ", device->compute_units);
  add_text(&text, "kernel", kernel);
  add_text(&text, "code", code_text);
  return end_key(store_is_enabled(), &text, 0);
}
