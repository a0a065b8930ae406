/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Signals and the driver's own threads. */
#include "base/signals.h"

void signals_block(sigset_t *previous) {
  sigset_t set;
  sigfillset(&set);
  sigdelset(&set, SIGSEGV);
  sigdelset(&set, SIGBUS);
  sigdelset(&set, SIGFPE);
  sigdelset(&set, SIGILL);
  sigdelset(&set, SIGTRAP);
  pthread_sigmask(SIG_SETMASK, &set, previous);
}
