/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lists of the files that a compilation looked at. */
#include "compiler/info/dependency.h"

#include <string.h>
#include <sys/stat.h>

#include "compiler/info/include_file.h"

void dependency_append(text_t *list, dependency_kind_e kind, const char *path, hash128_t content) {
  const char letter = (char)kind;
  char digits[hash128_text_size] = "";
  if (kind == dependency_content) hash128_write(content, digits);
  text_append_bytes(list, &letter, 1);
  text_append(list, digits);
  text_append_bytes(list, path, strlen(path) + 1);
}

/* The file is read: one that is cut short meanwhile would end the process, were it mapped. */
static bool content_holds(const char *digits) {
  if (strnlen(digits, hash128_text_size) < hash128_text_size) return false;
  char now[hash128_text_size];
  include_file_t file;
  text_t content = {0};
  const bool is_read = include_file_read(digits + hash128_text_size - 1, &file, &content) == 0;
  if (is_read) hash128_write(hash_bytes_128(content.data, content.length), now);
  text_free(&content);
  return is_read && !memcmp(now, digits, hash128_text_size - 1);
}

static bool dependency_holds(const char *dependency) {
  const char *path = dependency + 1;
  struct stat status;
  switch (dependency[0]) {
    case dependency_absent: return stat(path, &status) != 0;
    case dependency_folder: return !stat(path, &status) && S_ISDIR(status.st_mode);
    case dependency_file: return !stat(path, &status) && !S_ISDIR(status.st_mode);
    case dependency_content: return content_holds(path);
    default: return false;
  }
}

bool dependencies_hold(const char *list, size_t size) {
  if (size && list[size - 1]) return false;
  for (size_t at = 0; at < size; at += strlen(list + at) + 1) {
    if (!dependency_holds(list + at)) return false;
  }
  return true;
}
