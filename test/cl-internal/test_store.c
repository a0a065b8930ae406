/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The store of files behind the cache of programs: whatever happens to its folder, bytes that are found are those that
 * were put, and nothing fails. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cl/cache/folder.h"
#include "cl/cache/store.h"

enum { path_size = 256, content_size = 6000, cache_mib = 1 };

static char root[] = "/tmp/quern-store-XXXXXX";

static hash128_t key_of(unsigned number) { return hash_bytes_128(&number, sizeof number); }

/* What the tests keep under a key: bytes that nothing but that key has. */
static void content_of(unsigned number, unsigned char out[content_size]) {
  for (size_t i = 0; i < content_size; i++) out[i] = (unsigned char)(number * 31 + i * (number + 7));
  memcpy(out, &number, sizeof number);
}

static void put(unsigned number) {
  unsigned char content[content_size];
  content_of(number, content);
  store_put(key_of(number), content, sizeof content);
}

/* Whether the key has bytes; `*right` becomes false when they are not its own. */
static bool find(unsigned number, bool *right) {
  unsigned char content[content_size];
  store_bytes_t bytes;
  if (!store_find(key_of(number), &bytes)) return false;
  content_of(number, content);
  *right &= bytes.size == sizeof content && !memcmp(bytes.data, content, sizeof content);
  free(bytes.data);
  return true;
}

static bool is_there(unsigned number) {
  bool right = true, found = find(number, &right);
  assert_true(right);
  return found;
}

static void path_of(unsigned number, char out[path_size]) {
  char name[hash128_text_size];
  hash128_write(key_of(number), name);
  snprintf(out, path_size, "%s/cache/%c/%s", root, name[0], name);
}

/* Calls `visit` for each file of the store; returns how many there are. */
static size_t each_file(void (*visit)(const char *path, void *data), void *data) {
  size_t count = 0;
  for (int shard = 0; shard < cache_shard_count; shard++) {
    char folder[path_size], path[2 * path_size];
    snprintf(folder, sizeof folder, "%s/cache/%x", root, (unsigned)shard);
    DIR *open_folder = opendir(folder);
    if (!open_folder) continue;
    for (struct dirent *entry; (entry = readdir(open_folder));) {
      if (entry->d_name[0] == '.') continue;
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      if (visit) visit(path, data);
      count++;
    }
    closedir(open_folder);
  }
  return count;
}

static void remove_file(const char *path, void *data) {
  (void)data;
  unlink(path);
}

static int clear(void **state) {
  (void)state;
  each_file(remove_file, NULL);
  return 0;
}

static void add_size(const char *path, void *data) {
  struct stat status;
  assert_int_equal(stat(path, &status), 0);
  *(uint64_t *)data += cache_file_cost((uint64_t)status.st_size);
}

static void check_private(const char *path, void *data) {
  (void)data;
  struct stat status;
  assert_int_equal(stat(path, &status), 0);
  assert_int_equal(status.st_mode & 07777, 0600);
}

static void gives_back_what_was_put(void **state) {
  (void)state;
  assert_false(is_there(1));
  put(1);
  assert_true(is_there(1));
  assert_false(is_there(2));
  put(1);
  assert_true(is_there(1));
  store_put(key_of(3), "", 0);
  store_bytes_t bytes;
  assert_true(store_find(key_of(3), &bytes));
  assert_int_equal(bytes.size, 0);
  free(bytes.data);
  store_remove(key_of(1));
  assert_false(is_there(1));
}

static void files_and_folders_are_the_users_alone(void **state) {
  (void)state;
  struct stat status;
  char folder[path_size], shard[path_size];
  put(1);
  assert_int_equal(each_file(check_private, NULL), 1);
  path_of(1, shard);
  *strrchr(shard, '/') = '\0';
  snprintf(folder, sizeof folder, "%s/cache", root);
  assert_int_equal(stat(folder, &status), 0);
  assert_int_equal(status.st_mode & 07777, 0700);
  assert_int_equal(stat(shard, &status), 0);
  assert_int_equal(status.st_mode & 07777, 0700);
}

static void what_others_may_write_is_not_trusted(void **state) {
  (void)state;
  char path[path_size], folder[path_size];
  put(1);
  path_of(1, path);
  snprintf(folder, sizeof folder, "%s/cache", root);
  assert_int_equal(chmod(folder, 0770), 0);
  assert_false(is_there(1));
  assert_int_equal(chmod(folder, 0700), 0);
  assert_true(is_there(1));
  assert_int_equal(chmod(path, 0602), 0);
  assert_false(is_there(1));
  assert_int_not_equal(access(path, F_OK), 0);
  if (geteuid()) return; /* Only root gives files away. */
  put(1);
  assert_int_equal(chown(path, 1, 1), 0);
  assert_false(is_there(1));
  assert_int_equal(chown(folder, 1, 1), 0);
  put(1);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(chown(folder, 0, 0), 0);
}

static void a_link_to_another_file_is_not_followed(void **state) {
  (void)state;
  char path[path_size], other[path_size];
  put(1);
  path_of(1, path);
  snprintf(other, sizeof other, "%s/other", root);
  assert_int_equal(rename(path, other), 0);
  assert_int_equal(symlink(other, path), 0);
  assert_false(is_there(1));
  assert_int_equal(unlink(path), 0);
  assert_int_equal(unlink(other), 0);
}

static void flip_byte(const char *path, off_t at) {
  unsigned char byte;
  int file = open(path, O_RDWR);
  assert_true(file >= 0);
  assert_int_equal(pread(file, &byte, 1, at), 1);
  byte ^= 0x10;
  assert_int_equal(pwrite(file, &byte, 1, at), 1);
  close(file);
}

static void every_damaged_byte_is_found_out(void **state) {
  (void)state;
  char path[path_size];
  struct stat status;
  path_of(5, path);
  put(5);
  assert_int_equal(stat(path, &status), 0);
  for (off_t at = 0; at < status.st_size; at += at < 128 ? 1 : 97) {
    put(5);
    flip_byte(path, at);
    assert_false(is_there(5));
    assert_int_not_equal(access(path, F_OK), 0);
  }
}

static void every_wrong_length_is_found_out(void **state) {
  (void)state;
  char path[path_size];
  path_of(5, path);
  for (off_t length = 0; length <= content_size + 1000; length += length < 80 ? 1 : 331) {
    put(5);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    if (length == status.st_size) continue;
    assert_int_equal(truncate(path, length), 0);
    assert_false(is_there(5));
  }
}

static void a_file_of_another_key_is_found_out(void **state) {
  (void)state;
  char path[path_size], other[path_size];
  put(5);
  put(6);
  path_of(5, path);
  path_of(6, other);
  assert_int_equal(rename(path, other), 0);
  assert_false(is_there(6));
}

static void the_size_is_bounded(void **state) {
  (void)state;
  for (unsigned i = 0; i < 300; i++) put(i);
  uint64_t size = 0;
  each_file(add_size, &size);
  assert_in_range(size, (cache_mib << 20) / 2, cache_mib << 20);
  bool right = true;
  assert_true(find(299, &right) && right);
}

/* Keys of one shard: each has room for cache_shard_limit() bytes. */
static unsigned next_of_shard(unsigned number, char digit) {
  for (char name[hash128_text_size];; number++) {
    hash128_write(key_of(number), name);
    if (name[0] == digit) return number;
  }
}

static void the_least_recently_used_goes_first(void **state) {
  (void)state;
  const unsigned room = (unsigned)(cache_shard_limit() / cache_file_cost(content_size + 64));
  const unsigned used = next_of_shard(0, '7'), unused = next_of_shard(used + 1, '7');
  put(used);
  put(unused);
  unsigned number = unused;
  for (unsigned i = 0; i < room; i++) {
    assert_true(is_there(used));
    put(number = next_of_shard(number + 1, '7'));
    /* The clock that times of files come from ticks more slowly than this writes. */
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  assert_true(is_there(used));
  assert_false(is_there(unused));
  assert_true(is_there(number));
}

static void what_does_not_fit_is_not_kept(void **state) {
  (void)state;
  size_t size = (size_t)cache_shard_limit();
  void *large = calloc(1, size);
  store_bytes_t bytes;
  assert_non_null(large);
  put(1);
  store_put(key_of(2), large, size);
  assert_false(store_find(key_of(2), &bytes));
  assert_true(is_there(1));
  free(large);
}

static void what_killed_writers_left_is_removed(void **state) {
  (void)state;
  char path[path_size];
  put(1);
  path_of(1, path);
  strcpy(strrchr(path, '/') + 1, CACHE_TEMPORARY_PREFIX "0123456789abcdef");
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  assert_true(file >= 0);
  put(1);
  assert_int_equal(access(path, F_OK), 0);
  const struct timespec long_ago[2] = {{.tv_sec = time(NULL) - 3600}, {.tv_sec = time(NULL) - 3600}};
  assert_int_equal(futimens(file, long_ago), 0);
  close(file);
  put(1);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_true(is_there(1));
}

/* ------------------------------------------------------------ files of others */

static void shard_path(char digit, const char *name, char out[path_size]) {
  snprintf(out, path_size, "%s/cache/%c/%s", root, digit, name);
}

/* Larger than a shard may be, and older than anything. */
static void write_foreign(const char *path, const char *content) {
  const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_true(file >= 0);
  assert_int_equal(write(file, content, strlen(content)), strlen(content));
  assert_int_equal(ftruncate(file, (off_t)cache_shard_limit() + 1), 0);
  assert_int_equal(futimens(file, long_ago), 0);
  close(file);
}

/* More keys of the shard than it has room for. */
static unsigned overfill(char digit) {
  const unsigned room = (unsigned)(cache_shard_limit() / cache_file_cost(content_size + 64));
  unsigned number = 1000;
  for (unsigned i = 0; i < 2 * room; i++) put(number = next_of_shard(number + 1, digit));
  return number;
}

static void files_of_others_stay_and_do_not_count(void **state) {
  (void)state;
  static const char *const names[] = {
      "a",
      "README",
      "70000000000000000000000000000000",
      "7000000000000000000000000000000",
      "700000000000000000000000000000000",
      "7000000000000000000000000000000G",
      "7ABCDEF0000000000000000000000000",
      "80000000000000000000000000000000",
      CACHE_TEMPORARY_PREFIX "notes",
      CACHE_TEMPORARY_PREFIX "0123456789abcdef",
      CACHE_TEMPORARY_PREFIX "0123456789abcdef0",
      "old-0123456789abcdef",
  };
  enum { name_count = sizeof names / sizeof *names };
  char path[path_size];
  put(next_of_shard(0, '7'));
  for (int i = 0; i < name_count; i++) {
    /* Of the cache's own names and its own content, each has one. */
    bool has_own_name = !strcmp(names[i], "70000000000000000000000000000000") ||
                        !strcmp(names[i], CACHE_TEMPORARY_PREFIX "0123456789abcdef");
    shard_path('7', names[i], path);
    write_foreign(path, has_own_name ? "QUERN is theirs" : CACHE_MAGIC);
  }
  const unsigned last = overfill('7');
  assert_true(is_there(last));
  for (int i = 0; i < name_count; i++) {
    shard_path('7', names[i], path);
    if (access(path, F_OK)) fail_msg("%s is gone", names[i]);
    assert_int_equal(unlink(path), 0);
  }
  assert_true(each_file(NULL, NULL) > 1);
  assert_true(each_file(NULL, NULL) <= cache_shard_limit() / cache_file_cost(content_size + 64));
}

static void links_are_not_followed_when_room_is_made(void **state) {
  (void)state;
  char elsewhere[path_size], shard[path_size], foreign[path_size], link_path[path_size];
  static const char name[] = "70000000000000000000000000000000";
  put(next_of_shard(0, '7'));
  clear(NULL);
  shard_path('7', "", shard);
  shard[strlen(shard) - 1] = '\0';
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", root);
  assert_int_equal(mkdir(elsewhere, 0700), 0);
  assert_int_equal(snprintf(foreign, sizeof foreign, "%s/elsewhere/%s", root, name) < path_size, 1);
  write_foreign(foreign, CACHE_MAGIC);
  /* In place of a shard. */
  assert_int_equal(rmdir(shard), 0);
  assert_int_equal(symlink(elsewhere, shard), 0);
  assert_false(is_there(overfill('7')));
  assert_int_equal(unlink(shard), 0);
  /* In place of a file, whose link may go but not itself. */
  assert_int_equal(mkdir(shard, 0700), 0);
  shard_path('7', name, link_path);
  assert_int_equal(symlink(foreign, link_path), 0);
  assert_true(is_there(overfill('7')));
  assert_int_equal(access(link_path, F_OK), 0);
  assert_int_equal(unlink(link_path), 0);
  assert_int_equal(unlink(foreign), 0);
  /* Nothing else was put there. */
  assert_int_equal(rmdir(elsewhere), 0);
}

/* ------------------------------------------------------------ many at once */

enum { workers = 6, shared_keys = 400, rounds = 300 };

/* Puts and finds keys that all workers share, more than there is room for. True when all that it found was right. */
static bool work(unsigned seed) {
  bool right = true;
  for (unsigned i = 0; i < rounds; i++) {
    seed = seed * 1664525u + 1013904223u;
    unsigned number = (seed >> 8) % shared_keys;
    if (!find(number, &right)) put(number);
  }
  return right;
}

static void *work_thread(void *data) { return work((unsigned)(uintptr_t)data) ? data : NULL; }

static void threads_share_the_folder(void **state) {
  (void)state;
  pthread_t threads[workers];
  for (uintptr_t i = 0; i < workers; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, work_thread, (void *)(i + 1)), 0);
  }
  for (int i = 0; i < workers; i++) {
    void *answer;
    pthread_join(threads[i], &answer);
    assert_non_null(answer);
  }
}

static pid_t start_worker(unsigned seed) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) _exit(work(seed) ? 0 : 1);
  return child;
}

static void processes_share_the_folder(void **state) {
  (void)state;
  pid_t children[workers];
  for (unsigned i = 0; i < workers; i++) children[i] = start_worker(i + 1);
  for (int i = 0; i < workers; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

/* What a process left when it was killed at any point is either right or not found. */
static void killed_processes_leave_nothing_wrong(void **state) {
  (void)state;
  for (unsigned i = 0; i < 60; i++) {
    pid_t child = start_worker(i);
    nanosleep(&(struct timespec){.tv_nsec = 1000000 + (long)i * 137000}, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
  }
  for (unsigned i = 0; i < shared_keys; i++) (void)is_there(i);
}

/* ------------------------------------------------------------ no room, no rights */

/* Runs `body` in a new process; its exit status. */
static int in_child(int (*body)(void)) {
  int status;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) _exit(body());
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int put_with_a_limit(void) {
  const struct rlimit limit = {content_size / 2, content_size / 2};
  bool right = true;
  if (setrlimit(RLIMIT_FSIZE, &limit)) return 1;
  put(1);
  return find(1, &right) ? 2 : 0;
}

static void a_limit_of_file_sizes_kills_nobody(void **state) {
  (void)state;
  assert_int_equal(in_child(put_with_a_limit), 0);
  assert_int_equal(each_file(NULL, NULL), 0);
}

enum { may_not_mount = 77 };

/* On a file system of 64 KiB that only this process sees. */
static int fill_a_disk(void) {
  bool right = true;
  unsigned kept = 0;
  if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS)) return may_not_mount;
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) return may_not_mount;
  if (mount("none", root, "tmpfs", 0, "size=64k")) return may_not_mount;
  for (unsigned i = 0; i < 40; i++) put(i);
  for (unsigned i = 0; i < 40; i++) kept += find(i, &right);
  if (!right) return 1;
  /* Some fit, not all do, and no remains of those that did not. */
  if (kept == 0 || kept >= 20) return 2;
  return each_file(NULL, NULL) == kept ? 0 : 3;
}

static void a_full_disk_keeps_what_fits(void **state) {
  (void)state;
  int status = in_child(fill_a_disk);
  if (status == may_not_mount) {
    print_message("skipped: this process may not mount a file system\n");
    skip();
  }
  assert_int_equal(status, 0);
}

static void a_folder_that_cannot_be_made_is_no_error(void **state) {
  (void)state;
  char folder[path_size], aside[path_size];
  snprintf(folder, sizeof folder, "%s/cache", root);
  snprintf(aside, sizeof aside, "%s/aside", root);
  put(1);
  assert_int_equal(rename(folder, aside), 0);
  int file = open(folder, O_WRONLY | O_CREAT, 0600);
  assert_true(file >= 0);
  close(file);
  put(1);
  assert_false(is_there(1));
  assert_int_equal(unlink(folder), 0);
  assert_int_equal(rename(aside, folder), 0);
  assert_true(is_there(1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(gives_back_what_was_put, clear),
      cmocka_unit_test_setup(files_and_folders_are_the_users_alone, clear),
      cmocka_unit_test_setup(what_others_may_write_is_not_trusted, clear),
      cmocka_unit_test_setup(a_link_to_another_file_is_not_followed, clear),
      cmocka_unit_test_setup(every_damaged_byte_is_found_out, clear),
      cmocka_unit_test_setup(every_wrong_length_is_found_out, clear),
      cmocka_unit_test_setup(a_file_of_another_key_is_found_out, clear),
      cmocka_unit_test_setup(the_size_is_bounded, clear),
      cmocka_unit_test_setup(the_least_recently_used_goes_first, clear),
      cmocka_unit_test_setup(what_does_not_fit_is_not_kept, clear),
      cmocka_unit_test_setup(what_killed_writers_left_is_removed, clear),
      cmocka_unit_test_setup(files_of_others_stay_and_do_not_count, clear),
      cmocka_unit_test_setup(links_are_not_followed_when_room_is_made, clear),
      cmocka_unit_test_setup(threads_share_the_folder, clear),
      cmocka_unit_test_setup(processes_share_the_folder, clear),
      cmocka_unit_test_setup(killed_processes_leave_nothing_wrong, clear),
      cmocka_unit_test_setup(a_limit_of_file_sizes_kills_nobody, clear),
      cmocka_unit_test_setup(a_full_disk_keeps_what_fits, clear),
      cmocka_unit_test_setup(a_folder_that_cannot_be_made_is_no_error, clear),
  };
  char folder[path_size], command[path_size + 16], size[16];
  if (!mkdtemp(root)) return 1;
  snprintf(folder, sizeof folder, "%s/cache", root);
  snprintf(size, sizeof size, "%d", cache_mib);
  setenv("QUERN_CACHE", "1", 1);
  setenv("QUERN_CACHE_DIR", folder, 1);
  setenv("QUERN_CACHE_SIZE", size, 1);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  snprintf(command, sizeof command, "rm -rf %s", root);
  return system(command) || failed;
}
