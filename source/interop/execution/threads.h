/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which of the library's threads the system did not give: whoever waits does their work. */
#ifndef INTEROP_EXECUTION_THREADS_H
#define INTEROP_EXECUTION_THREADS_H

#include <stdbool.h>

#include "interop/object/error.h"

typedef enum interop_thread_e {
  /** Runs functions of the host. There may be several. */
  interop_thread_worker,
  /** Learns from devices what is complete. */
  interop_thread_watch,
  /** Runs callbacks and destructors. */
  interop_thread_end
} interop_thread_t;

/** Starts one, which nobody joins. False: there is none of this kind now, or none more if `has_others`; it is logged,
 * once. */
QUERN_MUST_CHECK bool interop_thread_start(interop_thread_t kind, void *(*function)(void *data), bool has_others);

/** Whether some kind was wanted and not to be had since. Then nobody may sleep in a device's wait, as what the device
 * waits for could be the caller's to do. */
bool interop_threads_are_missing(void);
/** The same of one kind. */
bool interop_thread_is_missing(interop_thread_t kind);

#endif
