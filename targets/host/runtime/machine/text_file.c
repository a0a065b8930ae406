/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One read, as these files give all they have at once. */
#include "host/runtime/machine/text_file.h"

#include <fcntl.h>
#include <unistd.h>

bool host_text_file_read(const char *path, char *text, size_t capacity) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t length = read(file, text, capacity - 1);
  close(file);
  if (length < 0) return false;
  text[length] = '\0';
  return true;
}
