/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Content hashes (xxHash, XXH3). */
#include "base/hash.h"

#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t size) { return XXH3_64bits(data, size); }
