/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What tells one build of a library from another. */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include <stdbool.h>

#include "base/text.h"

/** Appends what identifies the content of the ELF file `path`: the build id that its linker wrote, or, when it has
 * none, size, times and inode of the file. Reads a few hundred bytes; the file is not loaded. False when it cannot be
 * read or is no ELF file, or when memory ran out. Thread safe. */
__attribute__((warn_unused_result)) bool build_id_append(const char *path, text_t *out);

#endif
