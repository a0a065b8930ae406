/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * New processes and captured output, for tests of what a program prints, how fast it starts and what it maps. */
#ifndef SUPPORT_TEST_PROCESS_H
#define SUPPORT_TEST_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/** Sends what this process writes on file descriptor 1 or 2 into a temporary file, until test_capture_end. */
typedef struct test_capture_t {
  int descriptor, saved, file;
} test_capture_t;

void test_capture_begin(test_capture_t *capture, int descriptor);
/** Ends the capture; the text is NUL-terminated and cut to `size`. */
void test_capture_end(test_capture_t *capture, char *text, size_t size);

/** The first 64 KiB of what was written so far, until the next call. */
const char *test_capture_text(const test_capture_t *capture);

/** Runs this same program in a new process with the single argument `role`; what it prints on stdout goes to `output`,
 * NUL-terminated and cut to `size`. Returns its exit status, or -1 when it did not exit by itself. */
int test_run_self(const char *role, char *output, size_t size);

/** Seconds on the monotonic clock. */
double test_seconds(void);

/** The median of `count` values, which are sorted in place. */
double test_median(double *values, size_t count);

/** Bytes of memory this process has resident. */
size_t test_resident_bytes(void);

/** True when a file whose path contains `part` is mapped into this process. */
bool test_is_mapped(const char *part);

#endif
