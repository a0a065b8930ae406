/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Moving contents between contexts at once. */
#ifndef INTEROP_EXECUTION_MOVE_H
#define INTEROP_EXECUTION_MOVE_H

#include "interop/object/node.h"

/** Moves a requirement's range between its storage in two contexts now, and waits; for retries. */
QUERN_MUST_CHECK quern_result_t interop_move(const quern_accessor_t *accessor, quern_queue_t from, quern_queue_t to);

#endif
