/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Signals and the driver's own threads. */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <signal.h>

/** Blocks, in the calling thread and in those that it creates, the signals that are for the application's own threads:
 * all but those that a fault raises, which stay deliverable. Put `*previous` back with pthread_sigmask. */
void signals_block(sigset_t *previous);

#endif
