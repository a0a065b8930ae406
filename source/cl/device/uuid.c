/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * UUIDs: two hashes of a name each, marked as of an own kind (RFC 9562, version 8). */
#include "cl/device/uuid.h"

#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "cl/device/identity.h"

static uint64_t hash_text(const char *prefix, const char *text) {
  text_t whole = {0};
  text_appendf(&whole, "%s %s", prefix, text);
  uint64_t hash = whole.failed ? hash_bytes(text, strlen(text)) : hash_bytes(text_string(&whole), whole.length);
  text_free(&whole);
  return hash;
}

static cl_int answer(const char *text, size_t capacity, void *out_value, size_t *out_size) {
  cl_uchar uuid[CL_UUID_SIZE_KHR];
  const uint64_t halves[2] = {hash_text("first", text), hash_text("second", text)};
  _Static_assert(sizeof halves == sizeof uuid, "a UUID has 16 bytes");
  memcpy(uuid, halves, sizeof uuid);
  uuid[6] = (cl_uchar)((uuid[6] & 0x0f) | 0x80);
  uuid[8] = (cl_uchar)((uuid[8] & 0x3f) | 0x80);
  return info_answer(capacity, out_value, out_size, uuid, sizeof uuid);
}

cl_int uuid_of_device_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  return answer(info->device_name, capacity, out_value, out_size);
}

cl_int uuid_of_driver_answer(mux_device_info_t info, size_t capacity, void *out_value, size_t *out_size) {
  (void)info;
  return answer(PLATFORM_NAME " " PLATFORM_RELEASE, capacity, out_value, out_size);
}
