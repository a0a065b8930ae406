/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Clang's recursion, and that of LLVM, on a stack that the application did not choose. */

#include "compiler/loader/large_stack.h"

#include "base/thread.h"
#include "compiler/loader/dump_files.h"

typedef struct job_t {
  void (*body)(void *data);
  void *data;
  /** Of the thread in whose place this one compiles. */
  unsigned dump_number;
} job_t;

static void *job_run(void *data) {
  job_t *job = data;
  dump_file_set_number(job->dump_number);
  job->body(job->data);
  job->dump_number = dump_file_number();
  return NULL;
}

void large_stack_run(void (*body)(void *data), void *data) {
  job_t job = {body, data, dump_file_number()};
  pthread_t thread;
  for (size_t size = LARGE_STACK_SIZE; size >= LARGE_STACK_SIZE / 16; size /= 4) {
    if (thread_create(&thread, size, job_run, &job)) continue;
    pthread_join(thread, NULL);
    dump_file_set_number(job.dump_number);
    return;
  }
  body(data);
}
