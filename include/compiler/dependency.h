/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Files that a compilation looked at, so that a kept result is used only while they are as they were.
 *
 * A list of dependencies is text: one after the other, each ended by a NUL, a letter for the kind, for
 * dependency_content 32 hexadecimal digits, and the path as the compilation used it: relative ones are relative to the
 * working directory, now as then. */
#ifndef COMPILER_DEPENDENCY_H
#define COMPILER_DEPENDENCY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dependency_kind_e {
  /** Nothing was there: a file there now could be the one that `#include` finds first. */
  dependency_absent = 'a',
  dependency_folder = 'd',
  /** A file whose content does not matter (__has_include). */
  dependency_file = 'f',
  /** A file that was read. */
  dependency_content = 'c',
} dependency_kind_e;

/** Whether everything is as it was. The list is untrusted; a malformed one does not hold. Reads the files that were
 * read. Thread safe. */
__attribute__((warn_unused_result)) bool dependencies_hold(const char *list, size_t size);

#ifdef __cplusplus
}
#endif

#endif
