/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Runs code in a child process with an environment of its own, and collects what it prints on stderr. */
#include "child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"

static void run_body(const char *const *environment, void (*body)(void), int error_pipe) {
  clearenv();
  for (; *environment; environment++) putenv((char *)*environment);
  dup2(error_pipe, STDERR_FILENO);
  body();
  /* Not exit: the parent's buffers and cmocka's state were inherited. */
  _exit(0);
}

char *child_run(const char *const *environment, void (*body)(void)) {
  int ends[2], status;
  char buffer[256];
  ssize_t count;
  text_t output = {0};
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) run_body(environment, body, ends[1]);
  close(ends[1]);
  while ((count = read(ends[0], buffer, sizeof(buffer))) > 0) text_append_bytes(&output, buffer, (size_t)count);
  close(ends[0]);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (status) fprintf(stderr, "%s", text_string(&output));
  assert_int_equal(status, 0);
  return output.data ? output.data : calloc(1, 1);
}

unsigned child_count_lines(const char *text) {
  unsigned count = 0;
  for (; *text; text++) count += *text == '\n';
  return count;
}
