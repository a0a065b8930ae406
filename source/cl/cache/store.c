/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Files that keep bytes under a key. */
#include "cl/cache/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/process.h"
#include "cl/cache/folder.h"

/* What a file begins with; its bytes follow. */
typedef struct store_header_t {
  char magic[cache_magic_size];
  /* Of this layout. */
  uint32_t version;
  uint32_t reserved;
  hash128_t key;
  /* Of the bytes. */
  hash128_t content;
  uint64_t size;
} store_header_t;

enum { store_version = 1, private_file = 0600 };

bool store_is_enabled(void) {
  const options_t *options = options_get();
  return options->cache && !*options->dump && !*options->print_after && !process_has_more_rights();
}

static bool hash_is(hash128_t a, hash128_t b) { return a.low == b.low && a.high == b.high; }

static store_header_t header_for(hash128_t key, const void *data, size_t size) {
  store_header_t header = {.version = store_version, .key = key, .content = hash_bytes_128(data, size), .size = size};
  memcpy(header.magic, CACHE_MAGIC, sizeof header.magic);
  return header;
}

/* ------------------------------------------------------------ reading */

/* Reads the whole file, header and bytes, into memory that the caller frees. Null when that fails, or when it is not a
 * file that this user wrote. */
static unsigned char *read_file(int file, size_t *out_size) {
  struct stat status;
  if (fstat(file, &status) || !S_ISREG(status.st_mode) || !cache_is_trusted(&status)) return NULL;
  const size_t size = (size_t)status.st_size;
  if (size < sizeof(store_header_t)) return NULL;
  unsigned char *data = malloc(size);
  size_t done = 0;
  while (data && done < size) {
    ssize_t got = read(file, data + done, size - done);
    if (got <= 0 && !(got < 0 && errno == EINTR)) break;
    if (got > 0) done += (size_t)got;
  }
  if (data && done == size) {
    *out_size = size;
    return data;
  }
  free(data);
  return NULL;
}

/* The bytes of a file's content, moved to its beginning. False when anything about it is not as it was written. */
static bool check_and_strip(hash128_t key, unsigned char *data, size_t size, store_bytes_t *out) {
  store_header_t header;
  memcpy(&header, data, sizeof header);
  const unsigned char *bytes = data + sizeof header;
  const size_t length = size - sizeof header;
  bool is_valid = !memcmp(header.magic, CACHE_MAGIC, sizeof header.magic) && header.version == store_version &&
                  header.reserved == 0 && hash_is(header.key, key) && header.size == length &&
                  hash_is(header.content, hash_bytes_128(bytes, length));
  if (!is_valid) return false;
  memmove(data, bytes, length);
  *out = (store_bytes_t){data, length};
  return true;
}

static bool find_in(int shard, const char *name, hash128_t key, store_bytes_t *out_bytes) {
  int file = openat(shard, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  size_t size = 0;
  unsigned char *data = read_file(file, &size);
  bool found = data && check_and_strip(key, data, size, out_bytes);
  if (found) {
    (void)futimens(file, NULL);
  } else {
    log_write(log_cache, "removed %s: it is damaged, or not the user's alone", name);
    (void)unlinkat(shard, name, 0);
    free(data);
  }
  close(file);
  return found;
}

bool store_find(hash128_t key, store_bytes_t *out_bytes) {
  char name[hash128_text_size];
  hash128_write(key, name);
  int shard = cache_folder_open(name[0], false);
  if (shard < 0) return false;
  bool found = find_in(shard, name, key, out_bytes);
  close(shard);
  return found;
}

/* ------------------------------------------------------------ writing */

/* Past this limit the system kills the process that writes. */
static bool may_write(uint64_t size) {
  struct rlimit limit;
  return !getrlimit(RLIMIT_FSIZE, &limit) && (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= size);
}

static bool write_parts(int file, struct iovec *parts, int count) {
  while (count) {
    ssize_t done = writev(file, parts, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    while (count && (size_t)done >= parts->iov_len) {
      done -= (ssize_t)parts->iov_len;
      parts++, count--;
    }
    if (count) *parts = (struct iovec){(char *)parts->iov_base + done, parts->iov_len - (size_t)done};
  }
  return true;
}

/* Written to the disk before it gets its name: after a crash the name stands for all of it or for nothing. */
static bool write_file(int shard, const char *temporary, const store_header_t *header, const void *data) {
  int file = openat(shard, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, private_file);
  if (file < 0) return false;
  struct iovec parts[] = {{(void *)(uintptr_t)header, sizeof *header}, {(void *)(uintptr_t)data, header->size}};
  bool written = write_parts(file, parts, header->size ? 2 : 1) && !fsync(file);
  int error = errno;
  if (close(file)) written = false;
  errno = error;
  return written;
}

static void put_in(int shard, const char *name, const store_header_t *header, const void *data) {
  uint64_t number;
  char temporary[sizeof CACHE_TEMPORARY_PREFIX + 16];
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) return;
  snprintf(temporary, sizeof temporary, "%s%016" PRIx64, CACHE_TEMPORARY_PREFIX, number);
  if (write_file(shard, temporary, header, data) && !renameat(shard, temporary, shard, name)) {
    log_write(log_cache, "kept %s, %" PRIu64 " bytes", name, header->size);
    return;
  }
  log_write(log_cache, "%s is not kept: %s", name, strerror(errno));
  (void)unlinkat(shard, temporary, 0);
}

void store_put(hash128_t key, const void *data, size_t size) {
  char name[hash128_text_size];
  size_t total;
  hash128_write(key, name);
  if (!size_add(size, sizeof(store_header_t), &total) || cache_file_cost(total) > cache_shard_limit() ||
      !may_write(total)) {
    log_write(log_cache, "%s is not kept: %zu bytes are too many", name, size);
    return;
  }
  int shard = cache_folder_open(name[0], true);
  if (shard < 0) return;
  const store_header_t header = header_for(key, data, size);
  cache_folder_make_room(shard, name[0], cache_file_cost(total));
  put_in(shard, name, &header, data);
  close(shard);
}

void store_remove(hash128_t key) {
  char name[hash128_text_size];
  hash128_write(key, name);
  int shard = cache_folder_open(name[0], false);
  if (shard < 0) return;
  (void)unlinkat(shard, name, 0);
  close(shard);
}
