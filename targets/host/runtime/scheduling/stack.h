/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Stack for kernels: their private variables lie there, and an application's threads may have little. */
#ifndef HOST_RUNTIME_SCHEDULING_STACK_H
#define HOST_RUNTIME_SCHEDULING_STACK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** Starts a thread that has stack for kernels, 8 MiB or more, and takes none of the application's signals. An errno
 * value when there can be none, else 0. */
__attribute__((warn_unused_result)) int host_stack_thread_start(pthread_t *thread, void *(*function)(void *argument),
                                                                void *argument);

/** True when what is left of the calling thread's stack holds a kernel whose variables take `size` bytes, or when that
 * of a thread made here does not either. Looks only when that is much. */
bool host_stack_fits(uint64_t size);

/** Calls `function` in a thread that is made for it, and waits for it. False when there can be none. */
__attribute__((warn_unused_result)) bool host_stack_call(void (*function)(void *data), void *data);

#endif
