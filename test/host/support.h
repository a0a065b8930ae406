/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the tests of the host target share: a device, the test kernels, and short forms of long calls. Every failure
 * fails the running test. */
#ifndef TEST_HOST_SUPPORT_H
#define TEST_HOST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mux/mux.h"

/** malloc and free; counts what is not freed. */
extern const mux_allocator_info_t allocator;
/** Blocks of `allocator` that are not freed. */
long allocator_live(void);

typedef struct host_test_t {
  mux_device_info_t info;
  mux_device_t device;
  mux_queue_t queue;
  mux_executable_t executable;
} host_test_t;

/** The host device with the test kernels loaded. */
void host_test_begin(host_test_t *test);
/** Destroys it, and checks that no object and no device memory is left. */
void host_test_end(host_test_t *test);

/** A whole file, malloc'ed. */
void *file_load(const char *path, size_t *size);
/** Path of the object with the test kernels, in code model `model`: small (position independent), large. */
const char *kernels_path(const char *model);

typedef struct host_test_buffer_t {
  mux_memory_t memory;
  mux_buffer_t buffer;
  void *data;
} host_test_buffer_t;

/** A zeroed buffer with its memory, mapped at `data`. */
host_test_buffer_t buffer_create(host_test_t *test, size_t size);
void buffer_destroy(host_test_t *test, host_test_buffer_t *buffer);

mux_kernel_t kernel_create(host_test_t *test, const char *name);
void kernel_destroy(host_test_t *test, mux_kernel_t kernel);

mux_command_buffer_t command_buffer_create(host_test_t *test);
void command_buffer_destroy(host_test_t *test, mux_command_buffer_t command_buffer);

mux_descriptor_info_t buffer_arg(mux_buffer_t buffer);
mux_descriptor_info_t value_arg(const void *data, size_t length);
mux_descriptor_info_t local_arg(size_t size);

/** Records a one-dimensional launch. */
mux_result_t launch_record(mux_command_buffer_t command_buffer, mux_kernel_t kernel, size_t global, size_t local,
                           const mux_descriptor_info_t *args, size_t arg_count);

/** Dispatches without semaphores; waits for everything on the queue. */
mux_result_t dispatch(mux_queue_t queue, mux_command_buffer_t command_buffer);
/** Finalizes, dispatches, waits, checks. */
void run(host_test_t *test, mux_command_buffer_t command_buffer);

#endif
