/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads of our own in a process that is the application's. */
#include "base/thread.h"

#include <signal.h>

int thread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *argument),
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

bool thread_start_detached(void *(*function)(void *argument), void *argument, const char *name) {
  pthread_t thread;
  if (thread_create(&thread, NULL, function, argument)) return false;
  if (name) pthread_setname_np(thread, name);
  pthread_detach(thread);
  return true;
}
