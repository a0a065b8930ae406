/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Files that keep bytes under a key for later processes: QUERN_CACHE_DIR.
 *
 * A key is the hash of all that the bytes depend on. A file appears whole or not at all (it is written beside, synced
 * and renamed), is checked in whole before its bytes are used, and is removed when it is damaged. Any number of
 * processes and threads may work on one folder at once; there is no lock. Only what belongs to the user, and to nobody
 * else in writing, is trusted. Nothing here can fail in a way that matters: without a usable folder nothing is found
 * and nothing is kept, and QUERN_DEBUG=cache says why. */
#ifndef CL_CACHE_STORE_H
#define CL_CACHE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

/** Bytes from a store; from malloc. */
typedef struct store_bytes_t {
  void *data;
  size_t size;
} store_bytes_t;

/** False when the environment switched the cache off, or wants to see every compilation (QUERN_DUMP), or when the
 * process has more rights than the user that started it. Thread safe. */
bool store_is_enabled(void);

/** Finds the bytes of a key, which then count as used just now. False when there are none. The caller frees them.
 * Thread safe. */
__attribute__((warn_unused_result)) bool store_find(hash128_t key, store_bytes_t *out_bytes);

/** Keeps bytes, in place of those that the key had; the least recently used files make room. Thread safe. */
void store_put(hash128_t key, const void *data, size_t size);

/** Removes the bytes of a key that turned out to be of no use. Thread safe. */
void store_remove(hash128_t key);

#endif
