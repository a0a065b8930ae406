/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where this driver, or program, was loaded from. */
#ifndef BASE_OWN_PATH_H
#define BASE_OWN_PATH_H

#ifdef __cplusplus
extern "C" {
#endif

/** The file that holds this very code. Absolute, as found out when it was loaded: a name relative to the working
 * directory, as LD_LIBRARY_PATH=lib gives, means nothing once the application has gone to another one. Without a slash
 * for a program that was found by its name alone, and empty when nothing is known. Never null. Thread safe. */
const char *own_path(void);

/** The same file with all symbolic links resolved when it was loaded: what belongs to it may lie beside the file, and
 * not beside a link to it. Empty when nothing is known. Never null. Thread safe. */
const char *own_real_path(void);

#ifdef __cplusplus
}
#endif

#endif
