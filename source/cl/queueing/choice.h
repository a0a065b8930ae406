/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which batch a command goes into (tables in docs/opencl-on-mux.md). */
#ifndef CL_QUEUEING_CHOICE_H
#define CL_QUEUEING_CHOICE_H

#include "cl/queueing/queue.h"

enum {
  /** Batches that an out-of-order queue keeps pending before independent commands share them. More than any CPU needs
   * to be busy, and few enough that a long list of small commands costs little each. */
  queue_lanes = 64,
};

/** The batch for the command, of the queue which is locked; `out_fresh` tells whether it was made for it.
 * CL_OUT_OF_HOST_MEMORY when there is none. */
cl_int choose_batch(const enqueue_t *enqueue, batch_t **out_batch, bool *out_fresh);

#endif
