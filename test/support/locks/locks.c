/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Stands between the driver's code and its mutexes: a thread that releases one which it has not locked ends the
 * process. A lock that is missing shows so in every run, and not when two threads meet by chance.
 *
 * The linker leads the calls of the program's own code here (CMakeLists.txt beside this file). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

/** A child of fork() has those of the thread that it comes from. */
static _Thread_local struct {
  pthread_mutex_t *mutexes[MOST];
  int count;
} held;

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

static _Noreturn void end(const char *what) {
  fprintf(stderr, "locks: %s\n", what);
  abort();
}

static void put(pthread_mutex_t *mutex) {
  if (held.count == MOST) end("a thread has more mutexes than any should");
  held.mutexes[held.count++] = mutex;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex) {
  int error = __real_pthread_mutex_lock(mutex);
  if (!error) put(mutex);
  return error;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int error = __real_pthread_mutex_trylock(mutex);
  if (!error) put(mutex);
  return error;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex) {
  int at = held.count;
  while (at && held.mutexes[at - 1] != mutex) at--;
  if (!at) end("a thread releases a mutex that it has not locked");
  held.mutexes[at - 1] = held.mutexes[--held.count];
  return __real_pthread_mutex_unlock(mutex);
}
