/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Content hashes (xxHash, XXH3). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Wide enough to stand for what it was made of: no two different contents are expected to share one. */
typedef struct hash128_t {
  uint64_t low, high;
} hash128_t;

enum { hash128_text_size = 33 };

/** 64-bit hash of `size` bytes. Thread safe. */
uint64_t hash_bytes(const void *data, size_t size);
/** 128-bit hash of `size` bytes. Thread safe. */
hash128_t hash_bytes_128(const void *data, size_t size);
/** Writes 32 hexadecimal digits, the highest first, and a NUL. */
void hash128_write(hash128_t hash, char out[hash128_text_size]);

#ifdef __cplusplus
}
#endif

#endif
