/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Flushes of queues that the application has stopped filling, and forgot to flush. */
#ifndef CL_QUEUEING_IMPLICIT_FLUSH_H
#define CL_QUEUEING_IMPLICIT_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "cl/object/object.h"

/** Part of a queue. A thread of the process looks at the queues that are watched, and flushes one whose device is idle
 * once its pending commands have been the same for some time; it sleeps while no queue is watched. */
typedef struct implicit_flush_t {
  /** Among the queues that are watched; under the mutex of implicit_flush.c. */
  list_t link;
  /** In the list, or about to be; under the queue's mutex. */
  bool is_watched;
  /* The thread's own. */
  /** When it looked last (ns); the oldest pending batch then, and when that was seen first. */
  uint64_t last_look, sequence, since;
  /** What was pending then: changes with every command. */
  uint64_t fill;
  /** Looks in a row that found nothing pending. */
  uint32_t idle_looks;
} implicit_flush_t;

void implicit_flush_init(implicit_flush_t *flush);

/** To be asked after each command, with the queue locked: true when implicit_flush_watch has to be called, after the
 * queue is unlocked. */
static inline bool implicit_flush_begins(implicit_flush_t *flush) {
  if (flush->is_watched) return false;
  return flush->is_watched = true;
}

/** Watches the queue until nothing has been pending for a while. No lock but graphs' and queues' may be held. */
void implicit_flush_watch(cl_command_queue queue);

/** Before the queue goes. */
void implicit_flush_forget(cl_command_queue queue);

/** Around fork: locks and unlocks the list. */
void implicit_flush_lock(void);
void implicit_flush_unlock(void);
/** In the child, locked: there is no thread, and no queue is watched. */
void implicit_flush_abandon(void);

#endif
