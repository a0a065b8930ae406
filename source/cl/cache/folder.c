/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The folders of a store. */
#include "cl/cache/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

enum { private_folder = 0700, block_size = 4096 };

bool cache_is_trusted(const struct stat *status) {
  return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

uint64_t cache_file_cost(uint64_t size) { return align_up(size, block_size); }

uint64_t cache_shard_limit(void) { return (options_get()->cache_size << 20) / cache_shard_count; }

static bool root_path(text_t *path) {
  const char *chosen = options_get()->cache_dir;
  if (*chosen) {
    text_append(path, chosen);
    return !path->failed;
  }
  if (!options_user_cache_folder(path)) return false;
  text_append(path, "/quern");
  return !path->failed;
}

/* Makes a folder and those above it that are missing. Whether it worked shows when it is opened. */
static void make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    (void)mkdir(path, private_folder);
    *slash = '/';
  }
  (void)mkdir(path, private_folder);
}

/* -1, with a line that says why, when the folder cannot be opened or trusted. `flags` are further ones of openat. */
static int open_trusted(int parent, const char *path, int flags, bool create) {
  int folder = openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
  struct stat status;
  if (folder < 0) {
    if (create || errno != ENOENT) log_write(log_cache, "not used: %s: %s", path, strerror(errno));
    return -1;
  }
  if (!fstat(folder, &status) && cache_is_trusted(&status)) return folder;
  log_write(log_cache, "not used: %s is not the user's alone", path);
  close(folder);
  return -1;
}

static int open_root(bool create) {
  text_t path = {0};
  int root = -1;
  if (root_path(&path)) {
    if (create) make_folders(path.data);
    root = open_trusted(AT_FDCWD, path.data, 0, create);
  } else {
    log_write(log_cache, "not used: no QUERN_CACHE_DIR, XDG_CACHE_HOME or HOME");
  }
  text_free(&path);
  return root;
}

int cache_folder_open(char digit, bool create) {
  const char name[] = {digit, '\0'};
  int root = open_root(create);
  if (root < 0) return -1;
  if (create) (void)mkdirat(root, name, private_folder);
  /* The user may have put the root elsewhere by a link; a shard is the cache's to make. */
  int shard = open_trusted(root, name, O_NOFOLLOW, create);
  close(root);
  return shard;
}
