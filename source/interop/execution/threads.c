/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which of the library's threads the system did not give. */
#include "interop/execution/threads.h"

#include <stdatomic.h>

#include "base/log.h"
#include "base/thread.h"

static const char *const names[] = {
    [interop_thread_worker] = "quern-task",
    [interop_thread_watch] = "quern-watch",
    [interop_thread_end] = "quern-end",
};

/** A bit for each kind. */
static atomic_uint missing;

static unsigned bit_of(interop_thread_t kind) { return 1U << (unsigned)kind; }

bool interop_thread_start(interop_thread_t kind, void *(*function)(void *data), bool has_others) {
  const unsigned bit = bit_of(kind);
  if (thread_start_detached(function, NULL, names[kind])) {
    atomic_fetch_and(&missing, ~bit);
    return true;
  }
  if (has_others || atomic_fetch_or(&missing, bit) & bit) return false;
  log_write(log_error, "interop: the system gives no thread (%s): whoever waits does its work", names[kind]);
  return false;
}

bool interop_threads_are_missing(void) { return atomic_load(&missing) != 0; }

bool interop_thread_is_missing(interop_thread_t kind) { return (atomic_load(&missing) & bit_of(kind)) != 0; }
