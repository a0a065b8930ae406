/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lists of the files that a compilation looked at. */
#include "compiler/info/dependency.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void dependency_append(text_t *list, dependency_kind_e kind, const char *path, hash128_t content) {
  const char letter = (char)kind;
  char digits[hash128_text_size] = "";
  if (kind == dependency_content) hash128_write(content, digits);
  text_append_bytes(list, &letter, 1);
  text_append(list, digits);
  text_append_bytes(list, path, strlen(path) + 1);
}

/* Whether the file's bytes have the hash that the digits say. */
static bool content_matches(int file, size_t size, const char *digits) {
  char now[hash128_text_size];
  void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0) : NULL;
  if (bytes == MAP_FAILED) return false;
  hash128_write(hash_bytes_128(bytes, size), now);
  if (bytes) munmap(bytes, size);
  return !memcmp(now, digits, hash128_text_size - 1);
}

static bool content_holds(const char *digits) {
  if (strnlen(digits, hash128_text_size) < hash128_text_size) return false;
  struct stat status;
  int file = open(digits + hash128_text_size - 1, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  bool holds =
      !fstat(file, &status) && S_ISREG(status.st_mode) && content_matches(file, (size_t)status.st_size, digits);
  close(file);
  return holds;
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
