/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions on the device under test. */
#ifndef ACCURACY_DEVICE_H
#define ACCURACY_DEVICE_H

#include "arguments.h"
#include "test_device.h"

/** Makes one compute unit of the device under test the device under test, and returns what it was; where it cannot be
 * divided, it stays. To be followed by device_use_whole. */
test_device_t device_use_one_unit(void);
void device_use_whole(test_device_t whole);

/** A kernel that applies one function to a buffer of arguments, and the buffers. */
typedef struct accuracy_kernel_t {
  accuracy_format_e format;
  /** Arguments per work-item; a batch is padded to a multiple of it. */
  size_t step;
  size_t capacity;
  cl_kernel kernel;
  cl_mem x, y, n, results;
} accuracy_kernel_t;

/** What code there is to be for a function: on vectors of `width` (1, 2, 3, 4, 8 or 16), and in work-groups of one
 * work-item, if `alone`, so that nothing else is made of it. */
typedef struct accuracy_shape_t {
  size_t width;
  bool alone;
} accuracy_shape_t;

/** A kernel for batches of up to `capacity`. `options` may be null. */
accuracy_kernel_t kernel_create(const accuracy_function_t *function, accuracy_format_e format, accuracy_shape_t shape,
                                size_t capacity, const char *options);
void kernel_release(accuracy_kernel_t *kernel);

/** The batch's results, into memory for `batch->count` numbers of the format. */
void kernel_run(const accuracy_kernel_t *kernel, const accuracy_batch_t *batch, void *results);

/** Nanoseconds per argument: the best of several runs over a batch that stays in the cache. */
double kernel_time(const accuracy_kernel_t *kernel, const accuracy_batch_t *batch);

#endif
