/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Small files in which the system tells about itself. */
#ifndef HOST_RUNTIME_MACHINE_TEXT_FILE_H
#define HOST_RUNTIME_MACHINE_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/** Reads the beginning of the file into `text`, at most `capacity` - 1 bytes, and ends it with a zero. False, with
 * nothing said about `text`, when it cannot be read. Thread safe. */
bool host_text_file_read(const char *path, char *text, size_t capacity);

#endif
