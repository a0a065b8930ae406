/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Extension and feature tables. */
#include "cl/device/capability.h"

#include <string.h>

#include "cl/device/device.h"
#include "cl/device/external_memory.h"

enum { capability_limit = 64 };

typedef struct capability_t {
  const char *name;
  cl_version version;
  bool language;
  bool available;
} capability_t;

static size_t extensions(mux_device_info_t info, capability_t *out_table) {
  const capability_t table[] = {
#define EXTENSION(name, major, minor, patch, language, condition) \
  {#name, CL_MAKE_VERSION(major, minor, patch), language, (condition) != 0},
#include "cl/device/extensions.def"
#undef EXTENSION
  };
  _Static_assert(sizeof table / sizeof *table <= capability_limit, "capability_limit is too small");
  memcpy(out_table, table, sizeof table);
  return sizeof table / sizeof *table;
}

static size_t features(mux_device_info_t info, capability_t *out_table) {
  const capability_t table[] = {
#define FEATURE(name, condition) {#name, CL_MAKE_VERSION(3, 0, 0), true, (condition) != 0},
#include "cl/device/features.def"
#undef FEATURE
  };
  _Static_assert(sizeof table / sizeof *table <= capability_limit, "capability_limit is too small");
  memcpy(out_table, table, sizeof table);
  return sizeof table / sizeof *table;
}

static void to_text(const capability_t *table, size_t count, bool language_only, text_t *out_text) {
  for (size_t i = 0; i < count; i++) {
    if (!table[i].available || (language_only && !table[i].language)) continue;
    text_appendf(out_text, "%s%s", out_text->length ? " " : "", table[i].name);
  }
}

void extension_names(mux_device_info_t info, bool language_only, text_t *out_text) {
  capability_t table[capability_limit];
  to_text(table, extensions(info, table), language_only, out_text);
}

void feature_names(mux_device_info_t info, text_t *out_text) {
  capability_t table[capability_limit];
  to_text(table, features(info, table), false, out_text);
}

cl_int extension_names_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  text_t names = {0};
  extension_names(info, false, &names);
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  if (!names.failed) error = info_answer_string(capacity, out_value, out_size, text_string(&names));
  text_free(&names);
  return error;
}

static cl_int answer_versions(const capability_t *table, size_t count, size_t capacity, void *out_value,
                              size_t *out_size) {
  cl_name_version list[capability_limit];
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    if (!table[i].available) continue;
    cl_name_version *entry = &list[length++];
    memset(entry, 0, sizeof *entry);
    entry->version = table[i].version;
    strncpy(entry->name, table[i].name, CL_NAME_VERSION_MAX_NAME_SIZE - 1);
  }
  return info_answer(capacity, out_value, out_size, list, length * sizeof *list);
}

cl_int extension_versions_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  capability_t table[capability_limit];
  return answer_versions(table, extensions(info, table), capacity, out_value, out_size);
}

cl_int feature_versions_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  capability_t table[capability_limit];
  return answer_versions(table, features(info, table), capacity, out_value, out_size);
}
