/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Tables of facts: reading, setting and freeing their members. */
#include "interop/object/info.h"

#include <stdlib.h>
#include <string.h>

#include "interop/object/error.h"

#define MEMBER(owner, name, type) {#name, interop_info_##type, offsetof(owner, name), sizeof(QUERN_INFO_TYPE_##type)},
#define PLATFORM_MEMBER(name, type, opencl) MEMBER(interop_platform_info_t, name, type)
#define DEVICE_MEMBER(name, type, opencl) MEMBER(interop_device_info_t, name, type)

static const interop_info_member_t platform_members[] = {QUERN_PLATFORM_INFO_LIST(PLATFORM_MEMBER)};
static const interop_info_member_t device_members[] = {QUERN_DEVICE_INFO_LIST(DEVICE_MEMBER)};

const interop_info_table_t interop_platform_info_table = {"platform info", quern_platform_info_total, platform_members};
const interop_info_table_t interop_device_info_table = {"device info", quern_device_info_total, device_members};

quern_result_t interop_info_read(const interop_info_table_t *table, const void *values, size_t index, size_t size,
                                 void *out_value) {
  if (index >= table->count) {
    return interop_fail(quern_error_invalid_argument, "%s %zu does not exist", table->name, index);
  }
  const interop_info_member_t *member = &table->members[index];
  if (!out_value) {
    return interop_fail(quern_error_invalid_argument, "%s '%s': null pointer for the value", table->name, member->name);
  }
  if (size != member->size) {
    return interop_fail(quern_error_invalid_argument, "%s '%s' has %zu bytes, not %zu", table->name, member->name,
                        member->size, size);
  }
  memcpy(out_value, (const char *)values + member->offset, size);
  if (member->type == interop_info_text) {
    const char *text;
    memcpy(&text, out_value, sizeof(text));
    if (!text) text = "";
    memcpy(out_value, &text, sizeof(text));
  }
  return quern_success;
}

static void free_text(void *member) {
  char *text;
  memcpy(&text, member, sizeof(text));
  free(text);
}

bool interop_info_set_text(const interop_info_table_t *table, void *values, size_t index, const char *string) {
  char *copy = strdup(string);
  if (!copy) return false;
  void *member = (char *)values + table->members[index].offset;
  free_text(member);
  memcpy(member, &copy, sizeof(copy));
  return true;
}

void interop_info_free(const interop_info_table_t *table, void *values) {
  for (size_t i = 0; i < table->count; i++) {
    if (table->members[i].type == interop_info_text) free_text((char *)values + table->members[i].offset);
  }
}

static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *item = list; *item; item += strspn(item, " ")) {
    size_t item_length = strcspn(item, " ");
    if (item_length == length && !memcmp(item, word, length)) return true;
    item += item_length;
  }
  return false;
}

quern_result_t interop_extensions_have(const char *extensions, const char *extension, bool *out_has) {
  if (!out_has) return interop_fail(quern_error_invalid_argument, "null pointer for the answer");
  if (!extension || !*extension || strchr(extension, ' ')) {
    return interop_fail(quern_error_invalid_argument, "'%s' is not the name of an extension",
                        extension ? extension : "(null)");
  }
  *out_has = extensions && has_word(extensions, extension);
  return quern_success;
}
