/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The bound of a store: the least recently used files make room for new ones. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "cl/cache/folder.h"

/* A writer needs milliseconds: what is older was left behind. */
static const time_t abandoned_seconds = 600;

typedef struct kept_file_t {
  char name[hash128_text_size];
  struct timespec used;
  uint64_t cost;
} kept_file_t;

typedef struct kept_files_t {
  kept_file_t *items;
  size_t count, capacity;
  uint64_t cost;
} kept_files_t;

/* ------------------------------------------------------------ whose a file is */

static bool is_hexadecimal(const char *text, size_t length) {
  return strlen(text) == length && strspn(text, "0123456789abcdef") == length;
}

static bool is_temporary_name(const char *name) {
  const size_t prefix = strlen(CACHE_TEMPORARY_PREFIX);
  return !strncmp(name, CACHE_TEMPORARY_PREFIX, prefix) && is_hexadecimal(name + prefix, 16);
}

static bool is_key_name(const char *name, char digit) {
  return name[0] == digit && is_hexadecimal(name, hash128_text_size - 1);
}

/* Whether the file begins as all of the cache's do, as far as a writer got. */
static bool has_magic(int shard, const char *name) {
  char magic[cache_magic_size];
  int file = openat(shard, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  ssize_t length = pread(file, magic, sizeof magic, 0);
  close(file);
  return length >= 0 && !memcmp(magic, CACHE_MAGIC, (size_t)length);
}

/* ------------------------------------------------------------ listing */

static void remove_abandoned(int shard, const char *name, const struct stat *status, time_t now) {
  if (status->st_mtim.tv_sec + abandoned_seconds < now && has_magic(shard, name)) (void)unlinkat(shard, name, 0);
}

/* False when out of memory. */
static bool add(kept_files_t *files, const char *name, const struct stat *status) {
  kept_file_t file = {.used = status->st_mtim, .cost = cache_file_cost((uint64_t)status->st_size)};
  strcpy(file.name, name);
  if (!array_reserve(&files->items, &files->capacity, files->count + 1, sizeof file)) return false;
  files->items[files->count++] = file;
  files->cost += file.cost;
  return true;
}

/* Lists the files of a shard that have names of keys, and removes those that were left behind. */
static bool list_files(int shard, char digit, kept_files_t *files) {
  int copy = openat(shard, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
  if (!folder) {
    if (copy >= 0) close(copy);
    return false;
  }
  time_t now = time(NULL);
  bool complete = true;
  for (struct dirent *entry; complete && (entry = readdir(folder));) {
    struct stat status;
    const char *name = entry->d_name;
    bool is_temporary = is_temporary_name(name);
    if (!is_temporary && !is_key_name(name, digit)) continue;
    if (fstatat(shard, name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode)) continue;
    if (is_temporary) {
      remove_abandoned(shard, name, &status, now);
    } else {
      complete = add(files, name, &status);
    }
  }
  closedir(folder);
  return complete;
}

/* Looks into the files, which is worth it when some are to be removed. */
static void drop_foreign(int shard, kept_files_t *files) {
  size_t kept = 0;
  for (size_t i = 0; i < files->count; i++) {
    if (has_magic(shard, files->items[i].name)) {
      files->items[kept++] = files->items[i];
    } else {
      files->cost -= files->items[i].cost;
    }
  }
  files->count = kept;
}

/* ------------------------------------------------------------ removing */

static int compare_use(const void *left, const void *right) {
  const struct timespec a = ((const kept_file_t *)left)->used, b = ((const kept_file_t *)right)->used;
  if (a.tv_sec != b.tv_sec) return a.tv_sec < b.tv_sec ? -1 : 1;
  return (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

/* An eighth more than needed goes, so that not every new file has to sort the old ones. */
static void remove_oldest(int shard, kept_files_t *files, uint64_t incoming, uint64_t limit) {
  size_t removed = 0;
  qsort(files->items, files->count, sizeof *files->items, compare_use);
  while (removed < files->count && files->cost + incoming > limit - limit / 8) {
    (void)unlinkat(shard, files->items[removed].name, 0);
    files->cost -= files->items[removed++].cost;
  }
  log_write(log_cache, "full: removed %zu of %zu files of a shard", removed, files->count);
}

void cache_folder_make_room(int shard, char digit, uint64_t incoming) {
  kept_files_t files = {0};
  const uint64_t limit = cache_shard_limit();
  if (list_files(shard, digit, &files) && files.cost + incoming > limit) {
    drop_foreign(shard, &files);
    if (files.cost + incoming > limit) remove_oldest(shard, &files, incoming, limit);
  }
  free(files.items);
}
