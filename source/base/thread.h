/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads of our own in a process that is the application's. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/** pthread_create, same errors, of a thread that takes none of the application's signals: only those that a fault of
 * its own raises are deliverable. The caller's mask is as before. `stack_size` is in bytes, 0 for the C library's
 * default; thread-local variables, however large the application's are, have room beside it. */
int thread_create(pthread_t *thread, size_t stack_size, void *(*function)(void *argument), void *argument);

/** Such a thread that nobody joins. `name`, of at most 15 characters, is what debuggers show; null for the caller's.
 * False when there can be none: then `argument` is still the caller's. */
bool thread_start_detached(void *(*function)(void *argument), void *argument, const char *name);

/** From here on pthread_cancel does not end the calling thread, which would leave locked or half done what others wait
 * for; until thread_cancel_release, which takes what this gave. No system call. */
static inline int thread_cancel_hold(void) {
  int state;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  return state;
}
static inline void thread_cancel_release(int state) { pthread_setcancelstate(state, &state); }

#endif
