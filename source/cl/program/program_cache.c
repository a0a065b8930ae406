/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results of builds in the cache of compiled programs. */
#include "cl/program/program_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "cl/cache/store.h"
#include "compiler/dependency.h"

/* What a kept result begins with. The list of files that the build read, the log and the program binary follow. */
typedef struct kept_header_t {
  uint64_t dependencies_size, log_size, binary_size;
} kept_header_t;

/* A kept result, within the bytes of the store. */
typedef struct kept_result_t {
  const char *dependencies, *log;
  const void *binary;
  kept_header_t sizes;
} kept_result_t;

static bool split(const store_bytes_t *bytes, kept_result_t *out) {
  if (bytes->size < sizeof out->sizes) return false;
  memcpy(&out->sizes, bytes->data, sizeof out->sizes);
  size_t left = bytes->size - sizeof out->sizes;
  if (out->sizes.dependencies_size > left) return false;
  left -= out->sizes.dependencies_size;
  if (out->sizes.log_size > left || out->sizes.binary_size != left - out->sizes.log_size) return false;
  out->dependencies = (const char *)bytes->data + sizeof out->sizes;
  out->log = out->dependencies + out->sizes.dependencies_size;
  out->binary = out->log + out->sizes.log_size;
  return true;
}

/* False when it does not load, which leaves nothing in the result. */
static bool load(cl_device_id device, const kept_result_t *kept, program_result_t *out_result) {
  program_result_t result = {.error = CL_SUCCESS};
  result.binary = binary_copy(kept->binary, kept->sizes.binary_size);
  result.log = strndup(kept->log, kept->sizes.log_size);
  bool is_loaded = result.binary && result.log &&
                   program_decode_binary(device, result.binary, &result.type, &result.executable) == CL_SUCCESS;
  if (is_loaded) {
    *out_result = result;
  } else {
    binary_drop(result.binary);
    free(result.log);
  }
  return is_loaded;
}

bool program_cache_find(const program_key_t *key, cl_device_id device, program_result_t *out_result) {
  store_bytes_t bytes;
  kept_result_t kept;
  const uint64_t begin = clock_now_ns();
  if (!key->is_usable || !store_find(key->hash, &bytes)) return false;
  bool is_whole = split(&bytes, &kept);
  bool holds = is_whole && dependencies_hold(kept.dependencies, kept.sizes.dependencies_size);
  bool is_loaded = holds && load(device, &kept, out_result);
  free(bytes.data);
  if (is_loaded) {
    log_write(log_cache, "found a build: %.2f ms", (double)(clock_now_ns() - begin) * 1e-6);
  } else {
    log_write(log_cache, "removed a build: %s", is_whole && !holds ? "files that it read have changed" : "malformed");
    store_remove(key->hash);
  }
  return is_loaded;
}

static bool is_as_it_was(const program_key_t *key, cl_program program) {
  pthread_mutex_lock(&program->mutex);
  bool is_same = key->specialization_version == program->specialization_version;
  pthread_mutex_unlock(&program->mutex);
  return is_same;
}

void program_cache_keep(const program_key_t *key, cl_program program, const program_result_t *result) {
  if (!key->is_usable || result->error != CL_SUCCESS || !result->is_repeatable) return;
  if (program && !is_as_it_was(key, program)) return;
  const char *log = result->log ? result->log : "";
  const kept_header_t header = {result->dependencies.length, strlen(log), result->binary->size};
  text_t bytes = {0};
  text_append_bytes(&bytes, (const char *)&header, sizeof header);
  text_append_bytes(&bytes, text_string(&result->dependencies), result->dependencies.length);
  text_append(&bytes, log);
  text_append_bytes(&bytes, (const char *)result->binary->data, result->binary->size);
  if (!bytes.failed) store_put(key->hash, bytes.data, bytes.length);
  text_free(&bytes);
}
