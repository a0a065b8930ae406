/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reading the files that programs include. */
#include "compiler/info/include_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void describe(const struct stat *status, include_file_t *out) {
  *out = (include_file_t){.device = status->st_dev,
                          .inode = status->st_ino,
                          .size = (uint64_t)status->st_size,
                          .modified = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec,
                          .mode = status->st_mode};
}

int include_file_status(const char *path, include_file_t *out) {
  struct stat status;
  if (stat(path, &status)) return errno;
  describe(&status, out);
  return 0;
}

static int check(const struct stat *status) {
  if (!S_ISREG(status->st_mode)) return include_file_not_regular;
  return (uint64_t)status->st_size > INCLUDE_FILE_LIMIT ? include_file_too_large : 0;
}

/* A file may grow while it is read, and files of /proc say that they are empty. */
static int read_all(int file, text_t *content) {
  char block[65536];
  for (;;) {
    const ssize_t count = read(file, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return content->failed ? ENOMEM : 0;
    if (content->length + (size_t)count > INCLUDE_FILE_LIMIT) return include_file_too_large;
    text_append_bytes(content, block, (size_t)count);
  }
}

int include_file_read(const char *path, include_file_t *out, text_t *content) {
  struct stat status;
  /* Opening some devices does something. */
  if (stat(path, &status)) return errno;
  int error = check(&status);
  if (error) return error;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return errno;
  error = fstat(file, &status) ? errno : check(&status);
  if (!error) error = read_all(file, content);
  close(file);
  describe(&status, out);
  out->size = content->length;
  return error;
}
