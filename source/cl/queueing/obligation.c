/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The obligations of each thread. */
#include "cl/queueing/obligation.h"

#include <stddef.h>

static _Thread_local obligation_t *innermost;

void obligation_begin(obligation_t *obligation, void (*fulfil)(obligation_t *obligation)) {
  *obligation = (obligation_t){.outer = innermost, .fulfil = fulfil};
  innermost = obligation;
}

void obligation_end(obligation_t *obligation) { innermost = obligation->outer; }

void obligations_fulfil(void) {
  for (obligation_t *obligation = innermost; obligation; obligation = obligation->outer) obligation->fulfil(obligation);
}

bool obligations_exist(void) { return innermost; }
