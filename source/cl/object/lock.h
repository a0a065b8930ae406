/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mutexes that are held for a fraction of a microsecond. */
#ifndef CL_OBJECT_LOCK_H
#define CL_OBJECT_LOCK_H

#include <pthread.h>

/** A mutex that spins for a moment before it sleeps, where the C library has such. */
static inline void lock_init(pthread_mutex_t *mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifdef __GLIBC__
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

#endif
