/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Threads of our own in a process that is the application's. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/** pthread_create, same arguments and errors, of a thread that takes none of the application's signals: only those
 * that a fault of its own raises are deliverable. The caller's mask is as before. */
int thread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *argument),
                  void *argument);

#endif
