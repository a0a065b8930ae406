/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The folders of a store: one root, and in it a shard for each first digit of a key. Each shard is bounded by itself,
 * so that no process needs to know the size of all. */
#ifndef CL_CACHE_FOLDER_H
#define CL_CACHE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum { cache_shard_count = 16 };

/** Opens the shard `digit`, a hexadecimal digit; with `create` the folders are made where they are missing. -1 when
 * that cannot be done, or when root or shard are not the user's alone, or the shard is a link. The caller closes it.
 * Thread safe. */
int cache_folder_open(char digit, bool create);

/** True when nobody else can have put something into the file or folder. */
bool cache_is_trusted(const struct stat *status);

/** Bytes that a shard may take (QUERN_CACHE_SIZE). */
uint64_t cache_shard_limit(void);

/** Bytes that a file takes, as the bound counts them. */
uint64_t cache_file_cost(uint64_t size);

/** Makes room for `incoming` bytes in the shard `digit`: removes files that writers left behind when they were killed,
 * and when the bound would be exceeded, those used least recently. Whatever else is in the folder stays, and does not
 * count: a file is the cache's own when its name is that of a key of the shard, or what it has while it is written, and
 * it begins with CACHE_MAGIC. Thread safe. */
void cache_folder_make_room(int shard, char digit, uint64_t incoming);

/** What names of files begin with while they are being written; sixteen hexadecimal digits follow. */
#define CACHE_TEMPORARY_PREFIX "new-"
/** What files begin with. */
#define CACHE_MAGIC "QUERNKEP"
enum { cache_magic_size = sizeof CACHE_MAGIC - 1 };

#endif
