/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Content hashes (xxHash, XXH3). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/** 64-bit hash of `size` bytes. Thread safe. */
uint64_t hash_bytes(const void *data, size_t size);

#endif
