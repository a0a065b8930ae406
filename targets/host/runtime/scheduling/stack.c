/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Stack for kernels. */
#include "host/runtime/scheduling/stack.h"

#include <sys/resource.h>

#include "base/thread.h"

#define MINIMUM_THREAD_SIZE ((size_t)8 << 20)

/* What any thread that calls OpenCL has. */
#define SMALL_SIZE ((uint64_t)16 << 10)
/* For what code generation adds to the variables, and for the functions below and above the kernel. */
#define MARGIN ((uint64_t)64 << 10)

/* 8 MiB, or what the process's first thread may have. */
static size_t thread_size(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY) return MINIMUM_THREAD_SIZE;
  return limit.rlim_cur > MINIMUM_THREAD_SIZE ? (size_t)limit.rlim_cur : MINIMUM_THREAD_SIZE;
}

static bool is_held(uint64_t size, uint64_t stack_size) { return stack_size > MARGIN && size < stack_size - MARGIN; }

/* Of the calling thread; null until they are wanted. */
static _Thread_local char *stack_start, *stack_end;

/* Costs microseconds, in a process's first thread more. */
static void bounds_find(void) {
  pthread_attr_t attributes;
  void *start = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes)) return;
  if (!pthread_attr_getstack(&attributes, &start, &size)) {
    stack_start = start;
    stack_end = stack_start + size;
  }
  pthread_attr_destroy(&attributes);
}

bool host_stack_fits(uint64_t size) {
  if (size <= SMALL_SIZE) return true;
  if (!stack_start) bounds_find();
  const char *here = __builtin_frame_address(0);
  /* Elsewhere are coroutines, on stacks of which only the application knows. */
  const bool is_known = here >= stack_start && here < stack_end;
  return (is_known && is_held(size, (uint64_t)(here - stack_start))) || !is_held(size, thread_size());
}

int host_stack_thread_start(pthread_t *thread, void *(*function)(void *argument), void *argument) {
  return thread_create(thread, thread_size(), function, argument);
}

typedef struct call_t {
  void (*function)(void *data);
  void *data;
} call_t;

static void *thread_main(void *data) {
  const call_t *call = data;
  call->function(call->data);
  return NULL;
}

bool host_stack_call(void (*function)(void *data), void *data) {
  pthread_t thread;
  call_t call = {function, data};
  if (host_stack_thread_start(&thread, thread_main, &call)) return false;
  pthread_join(thread, NULL);
  return true;
}
