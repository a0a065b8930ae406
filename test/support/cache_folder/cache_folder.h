/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A cache of compiled programs of a test program's own. */
#ifndef SUPPORT_CACHE_FOLDER_H
#define SUPPORT_CACHE_FOLDER_H

/** Setup and teardown of a group of cmocka's tests: this process and its children keep compiled programs, in a new
 * folder. To be called before the driver reads its options. `state` is left alone. Not 0 on failure. */
int cache_folder_make(void **state);
int cache_folder_remove(void **state);

#endif
