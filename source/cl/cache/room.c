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

#include "base/log.h"
#include "base/memory.h"
#include "cl/cache/folder.h"

/* A writer needs milliseconds: what is older was left behind. */
static const time_t abandoned_seconds = 600;

typedef struct kept_file_t {
  char name[40];
  struct timespec used;
  uint64_t cost;
} kept_file_t;

typedef struct kept_files_t {
  kept_file_t *items;
  size_t count, capacity;
  uint64_t cost;
} kept_files_t;

static bool is_abandoned(const char *name, const struct stat *status, time_t now) {
  bool is_temporary = !strncmp(name, CACHE_TEMPORARY_PREFIX, strlen(CACHE_TEMPORARY_PREFIX));
  return is_temporary && status->st_mtim.tv_sec + abandoned_seconds < now;
}

/* False when out of memory. */
static bool add(kept_files_t *files, const char *name, const struct stat *status) {
  kept_file_t file = {.used = status->st_mtim, .cost = cache_file_cost((uint64_t)status->st_size)};
  if (strlen(name) >= sizeof file.name) return true;
  strcpy(file.name, name);
  if (!array_reserve(&files->items, &files->capacity, files->count + 1, sizeof file)) return false;
  files->items[files->count++] = file;
  files->cost += file.cost;
  return true;
}

/* Lists the files of a shard, without those that were left behind, which are removed. */
static bool list_files(int shard, kept_files_t *files) {
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
    if (fstatat(shard, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode)) continue;
    if (is_abandoned(entry->d_name, &status, now)) {
      (void)unlinkat(shard, entry->d_name, 0);
    } else {
      complete = add(files, entry->d_name, &status);
    }
  }
  closedir(folder);
  return complete;
}

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

void cache_folder_make_room(int shard, uint64_t incoming) {
  kept_files_t files = {0};
  const uint64_t limit = cache_shard_limit();
  if (list_files(shard, &files) && files.cost + incoming > limit) remove_oldest(shard, &files, incoming, limit);
  free(files.items);
}
