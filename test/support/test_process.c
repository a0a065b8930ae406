/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * New processes and captured output. */
#include "test_process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

void test_capture_begin(test_capture_t *capture, int descriptor) {
  fflush(NULL);
  capture->descriptor = descriptor;
  capture->saved = dup(descriptor);
  capture->file = memfd_create("capture", MFD_CLOEXEC);
  assert_true(capture->saved >= 0 && capture->file >= 0);
  assert_true(dup2(capture->file, descriptor) >= 0);
}

void test_capture_end(test_capture_t *capture, char *text, size_t size) {
  fflush(NULL);
  assert_true(dup2(capture->saved, capture->descriptor) >= 0);
  ssize_t length = pread(capture->file, text, size - 1, 0);
  close(capture->file);
  close(capture->saved);
  assert_true(length >= 0);
  text[length] = '\0';
}

const char *test_capture_text(const test_capture_t *capture) {
  static char written[1 << 16];
  ssize_t size = pread(capture->file, written, sizeof written - 1, 0);
  assert_true(size >= 0);
  written[size] = '\0';
  return written;
}

static void read_all(int descriptor, char *output, size_t size) {
  size_t length = 0;
  ssize_t got;
  char rest[256];
  while (length + 1 < size && (got = read(descriptor, output + length, size - 1 - length)) > 0) length += (size_t)got;
  while (read(descriptor, rest, sizeof(rest)) > 0) {
  }
  output[length] = '\0';
}

int test_run_self(const char *role, char *output, size_t size) {
  int ends[2], status = 0;
  char program[4096] = ""; /* read here: under valgrind the link names this program, but cannot be executed */
  assert_true(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(program, program, role, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  read_all(ends[0], output, size);
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

double test_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare_doubles(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

double test_median(double *values, size_t count) {
  qsort(values, count, sizeof(*values), compare_doubles);
  return count % 2 != 0 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

size_t test_resident_bytes(void) {
  size_t total = 0, resident = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  assert_non_null(statm);
  assert_int_equal(fscanf(statm, "%zu %zu", &total, &resident), 2);
  fclose(statm);
  return resident * (size_t)sysconf(_SC_PAGESIZE);
}

bool test_is_mapped(const char *part) {
  char *line = NULL;
  size_t capacity = 0;
  bool found = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  assert_non_null(maps);
  while (getline(&line, &capacity, maps) > 0) found = found || strstr(line, part) != NULL;
  free(line);
  fclose(maps);
  return found;
}
