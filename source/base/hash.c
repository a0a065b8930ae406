/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Content hashes (xxHash, XXH3). */
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t size) { return XXH3_64bits(data, size); }

hash128_t hash_bytes_128(const void *data, size_t size) {
  XXH128_hash_t hash = XXH3_128bits(data, size);
  return (hash128_t){hash.low64, hash.high64};
}

void hash128_write(hash128_t hash, char out[hash128_text_size]) {
  snprintf(out, hash128_text_size, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
}
