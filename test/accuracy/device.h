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

/** Memory for a batch of up to `capacity` arguments and two sets of results, used by the device in place: what the
 * kernels of all functions read and write. */
typedef struct accuracy_buffers_t {
  size_t capacity;
  accuracy_batch_t batch;
  void *results[2];
  cl_mem x, y, n, of_results[2];
  /** Mapped for reading: the arguments, results. */
  bool filled, computed[2];
} accuracy_buffers_t;

/** For the device under test, which must stay the same until they are released. */
accuracy_buffers_t buffers_create(size_t capacity);
void buffers_release(accuracy_buffers_t *buffers);

/** Sets the batch to the arguments of `sequence` from number `first` on, at most as many as `most` and the capacity. To
 * be followed by kernel_run before it is read. */
void buffers_fill(accuracy_buffers_t *buffers, const accuracy_sequence_t *sequence, uint64_t first, uint64_t most);

/** A kernel that applies one function to the batch. */
typedef struct accuracy_kernel_t {
  /** Arguments per work-item; a batch is padded to a multiple of it. */
  size_t step;
  cl_kernel kernel;
} accuracy_kernel_t;

/** What code there is to be for a function: on vectors of `width` (1, 2, 3, 4, 8 or 16), and in work-groups of one
 * work-item, if `alone`, so that nothing else is made of it. */
typedef struct accuracy_shape_t {
  size_t width;
  bool alone;
} accuracy_shape_t;

/** `options` may be null. */
accuracy_kernel_t kernel_create(const accuracy_function_t *function, accuracy_format_e format, accuracy_shape_t shape,
                                const char *options);
void kernel_release(accuracy_kernel_t *kernel);

/** Sets `results[set]` to the batch's results. */
void kernel_run(const accuracy_kernel_t *kernel, accuracy_buffers_t *buffers, unsigned set);

/** Nanoseconds per argument: the best of several runs over a batch that stays in the cache. */
double kernel_time(const accuracy_kernel_t *kernel, accuracy_buffers_t *buffers);

#endif
