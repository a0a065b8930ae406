/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a thread owes to others while it is in a callback of the application: the rest of what it was doing. */
#ifndef CL_QUEUEING_OBLIGATION_H
#define CL_QUEUEING_OBLIGATION_H

#include <stdbool.h>

/** Lives in a function that calls code of the application before it is done with something that others may wait for.
 * When that code waits, and so might wait for this very thing, the rest is done first. */
typedef struct obligation_t {
  struct obligation_t *outer;
  /** Does the rest; may be called several times, also inside itself, and with no lock held. */
  void (*fulfil)(struct obligation_t *obligation);
} obligation_t;

/** Around the calls of the application's code. Nested ones end in the opposite order, on the same thread. */
void obligation_begin(obligation_t *obligation, void (*fulfil)(obligation_t *obligation));
void obligation_end(obligation_t *obligation);

/** Before the calling thread waits for commands or user events: does all that it owes. No lock may be held. */
void obligations_fulfil(void);
/** True when the calling thread is in a callback. */
bool obligations_exist(void);

#endif
