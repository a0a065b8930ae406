/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Files that programs include: regular ones of a bounded size, read and never mapped. */
#ifndef COMPILER_INFO_INCLUDE_FILE_H
#define COMPILER_INFO_INCLUDE_FILE_H

#include <stdint.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Largest file that is read, in bytes. */
#define INCLUDE_FILE_LIMIT ((uint64_t)256 << 20)

/** Failures besides those of errno. */
enum { include_file_not_regular = -1, include_file_too_large = -2 };

/** What the front end wants to know of a path. */
typedef struct include_file_t {
  uint64_t device, inode, size;
  /** Nanoseconds since 1970. */
  int64_t modified;
  /** As in struct stat. */
  uint32_t mode;
} include_file_t;

/** 0, or errno's number. Symbolic links are followed. Thread safe. */
__attribute__((warn_unused_result)) int include_file_status(const char *path, include_file_t *out);

/** Appends the file's bytes to `content`. 0, errno's number, or one of the above. Never waits for a pipe, nor opens a
 * device; a file that shrinks meanwhile is shorter. Thread safe. */
__attribute__((warn_unused_result)) int include_file_read(const char *path, include_file_t *out, text_t *content);

#ifdef __cplusplus
}
#endif

#endif
