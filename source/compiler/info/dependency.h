/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writing the lists of files that a compilation looked at. */
#ifndef COMPILER_INFO_DEPENDENCY_H
#define COMPILER_INFO_DEPENDENCY_H

#include "base/hash.h"
#include "base/text.h"
#include "compiler/dependency.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Appends one dependency to a list. `content` counts for dependency_content only. */
void dependency_append(text_t *list, dependency_kind_e kind, const char *path, hash128_t content);

#ifdef __cplusplus
}
#endif

#endif
