/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Processes with more rights than the user who started them (AT_SECURE). */
#include "secure_process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { path_size = 4096, nobody = 65534, cannot_start = 127 };

#define SKIP_BECAUSE(...)                     \
  do {                                        \
    fprintf(stderr, "skipped: " __VA_ARGS__); \
    fprintf(stderr, "\n");                    \
    skip();                                   \
  } while (0)

/* ------------------------------------------------------------ the kernel's word, changed */

/* Where the arguments lie, and behind them the environment and the vector: the 28th field of `stat`, the 26th after the
 * name. */
static unsigned long stack_start(pid_t process) {
  char path[64], text[2048];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = '\0';
  const char *field = strrchr(text, ')') + 1;
  for (int i = 0; i < 25; i++) field = strchr(field + 1, ' ');
  return strtoul(field, NULL, 10);
}

static unsigned long word_at(pid_t process, unsigned long address) {
  errno = 0;
  const long word = ptrace(PTRACE_PEEKDATA, process, (void *)address, NULL);
  assert_int_equal(errno, 0);
  return (unsigned long)word;
}

static void vector_change(pid_t process) {
  const unsigned long word = sizeof(long);
  unsigned long at = stack_start(process);
  for (int list = 0; list < 2; list++) {
    at += word;
    while (word_at(process, at)) at += word;
  }
  for (at += word; word_at(process, at) != AT_SECURE; at += 2 * word)
    assert_int_not_equal(word_at(process, at), AT_NULL);
  assert_int_equal(ptrace(PTRACE_POKEDATA, process, (void *)(at + word), (void *)1L), 0);
}

/* ------------------------------------------------------------ a copy of the program */

/* A group of the user's that a process of his does not have as its first; -1 when there is none. */
static gid_t other_group(void) {
  gid_t groups[256];
  const int count = getgroups(256, groups);
  for (int i = 0; i < count; i++)
    if (groups[i] != getegid()) return groups[i];
  return (gid_t)-1;
}

/* Copies the program to `path` with rights: those of its user when that is root, else those of a group. */
static bool copy_make(const char *program, const char *path) {
  const gid_t group = geteuid() ? other_group() : (gid_t)-1;
  if (geteuid() && group == (gid_t)-1) return false;
  const int from = open(program, O_RDONLY | O_CLOEXEC), to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  char buffer[1 << 16];
  ssize_t got;
  assert_true(from >= 0 && to >= 0);
  while ((got = read(from, buffer, sizeof buffer)) > 0) assert_int_equal(write(to, buffer, (size_t)got), got);
  assert_int_equal(fchown(to, (uid_t)-1, group), 0);
  assert_int_equal(fchmod(to, geteuid() ? 02755 : 04755), 0);
  close(from);
  close(to);
  return true;
}

/* ------------------------------------------------------------ running */

static void execute(secure_way_e way, const char *program, const char *role, int out) {
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  if (way == secure_way_vector && ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(cannot_start);
  if (way == secure_way_file && !geteuid() && (setgid(nobody) || setuid(nobody))) _exit(cannot_start);
  execl(program, program, role, (char *)NULL);
  _exit(cannot_start);
}

/* The child stops when its program is loaded. False when it cannot be looked at, and has ended. */
static bool change_before_start(pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFSTOPPED(status)) return false;
  vector_change(child);
  assert_int_equal(ptrace(PTRACE_DETACH, child, NULL, NULL), 0);
  return true;
}

static void read_all(int descriptor, char *output, size_t size) {
  size_t length = 0;
  ssize_t got;
  char rest[256];
  while (length + 1 < size && (got = read(descriptor, output + length, size - 1 - length)) > 0) length += (size_t)got;
  while (read(descriptor, rest, sizeof rest) > 0) continue;
  output[length] = '\0';
}

static int run(secure_way_e way, const char *program, const char *role, char *output, size_t size) {
  int ends[2], status = 0;
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) execute(way, program, role, ends[1]);
  close(ends[1]);
  if (way == secure_way_vector && !change_before_start(child)) SKIP_BECAUSE("no process may be traced here");
  read_all(ends[0], output, size);
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Files give no rights on file systems mounted so, nor in processes that asked for it, as some containers do. */
static bool files_give_rights(const char *folder) {
  struct statvfs system;
  return !statvfs(folder, &system) && !(system.f_flag & ST_NOSUID) && !prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

static int run_copy(const char *program, const char *role, char *output, size_t size) {
  char folder[] = "/tmp/secure-process-XXXXXX", copy[sizeof folder + 8];
  int status = -1;
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chmod(folder, 0755), 0);
  snprintf(copy, sizeof copy, "%s/program", folder);
  const bool possible = files_give_rights(folder) && copy_make(program, copy);
  if (possible) status = run(secure_way_file, copy, role, output, size);
  (void)unlink(copy);
  (void)rmdir(folder);
  if (!possible) SKIP_BECAUSE("programs get no rights from their files here, or this user has one group only");
  return status;
}

int secure_process_run(secure_way_e way, const char *role, char *output, size_t size) {
  char program[path_size] = "";
  assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
  if (way == secure_way_file) return run_copy(program, role, output, size);
  return run(way, program, role, output, size);
}
