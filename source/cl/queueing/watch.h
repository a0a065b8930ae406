/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Waiting for file descriptors without a thread for each: one thread of the process waits for all. */
#ifndef CL_QUEUEING_WATCH_H
#define CL_QUEUEING_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

/** Part of whoever waits. Its members but the first three are the watcher's. */
typedef struct watch_t {
  /** Stays open while the watch is armed. */
  int descriptor;
  /** Called once, on the watcher's thread, with no lock held, when the descriptor can be read or has failed. The watch
   * is then not armed any more, and may be armed again. */
  void (*ready)(void *data);
  void *data;
  bool armed;
  /** 0 before the watch was armed. */
  uint64_t number;
  list_t link;
} watch_t;

/** Begins to wait; nothing when armed already, and then `out_fresh` is false. The first one of a process starts the
 * thread. False when the system has no thread or no room. Thread safe, as is watch_disarm. */
bool watch_arm(watch_t *watch, bool *out_fresh);

/** Ends the waiting. True when the watch was armed: `ready` will not be called. */
bool watch_disarm(watch_t *watch);

/** Around fork: locks and unlocks the watcher; in the child, which has no such thread, nothing is armed. */
void watcher_lock(void);
void watcher_unlock(void);
void watcher_forget(void);

#endif
