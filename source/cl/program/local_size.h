/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work-group size of launches that leave it to the driver. */
#ifndef CL_PROGRAM_LOCAL_SIZE_H
#define CL_PROGRAM_LOCAL_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mux/mux.h"

typedef struct local_size_limits_t {
  /** Work-items of a group, in each dimension and in all. */
  size_t maximum[3];
  size_t maximum_total;
  /** The dimension in which work-items share vectors. */
  size_t dimension;
  /** What the target prefers in `dimension`, a multiple of `width`. */
  size_t preferred;
  /** Work-items that one vector instruction handles. */
  size_t width;
  /** Work-items up to which each is handled by itself all the same; 0: none. */
  size_t scalar_items;
  /** Groups that run at once. */
  size_t compute_units;
} local_size_limits_t;

/** Those of a kernel on its device. */
local_size_limits_t local_size_limits(mux_kernel_t kernel, mux_device_info_t info);

/** The dimension in which work-groups should be long: that of the kernel's vectors, or x where the global size in that
 * dimension is less than a vector. */
size_t local_size_dimension(const local_size_limits_t *limits, const size_t global[3]);

/** Chooses a size for `global` (nothing zero): rows of whole vectors in local_size_dimension(), enough groups to keep
 * all compute units busy, dividing the global size where that costs nothing, and always when `uniform`. 1 where every
 * compute unit gets no more than `scalar_items`. Remembers the last answer per thread. */
void local_size_choose(const local_size_limits_t *limits, const size_t global[3], bool uniform, size_t out_local[3]);

#endif
