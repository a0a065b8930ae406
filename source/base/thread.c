/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads of our own in a process that is the application's. */
#include "base/thread.h"

#include <dlfcn.h>
#include <signal.h>

/* What glibc takes of each new thread's stack for thread-local variables, of all libraries together, and a little more.
 * Its public interface does not tell; language runtimes ask this function, which is there for them. Other C libraries
 * take none of the stack. */
static size_t thread_local_size(const pthread_attr_t *attributes) {
  size_t (*get)(const pthread_attr_t *) = NULL;
  *(void **)&get = dlsym(RTLD_DEFAULT, "__pthread_get_minstack");
  return get ? get(attributes) : 0;
}

/* Without that, a thread could not be made, or ran out of stack, where an application has megabytes of such
 * variables. */
static int attributes_set_stack(pthread_attr_t *attributes, size_t stack_size) {
  const int error = stack_size ? 0 : pthread_attr_getstacksize(attributes, &stack_size);
  return error ? error : pthread_attr_setstacksize(attributes, stack_size + thread_local_size(attributes));
}

static int thread_create_with(const pthread_attr_t *attributes, pthread_t *thread, void *(*function)(void *argument),
                              void *argument) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  sigset_t set, previous;
  sigfillset(&set);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&set, faults[i]);
  pthread_sigmask(SIG_SETMASK, &set, &previous);
  const int error = pthread_create(thread, attributes, function, argument);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  return error;
}

int thread_create(pthread_t *thread, size_t stack_size, void *(*function)(void *argument), void *argument) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error) return error;
  error = attributes_set_stack(&attributes, stack_size);
  if (!error) error = thread_create_with(&attributes, thread, function, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

bool thread_start_detached(void *(*function)(void *argument), void *argument, const char *name) {
  pthread_t thread;
  if (thread_create(&thread, 0, function, argument)) return false;
  if (name) pthread_setname_np(thread, name);
  pthread_detach(thread);
  return true;
}
