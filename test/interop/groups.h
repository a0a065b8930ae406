/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What tests of command groups share: devices with context, queues and kernels, and the errors that handlers got. */
#ifndef TEST_INTEROP_GROUPS_H
#define TEST_INTEROP_GROUPS_H

#include <pthread.h>
#include <stdatomic.h>

#include "quern/opencl.h"
#include "support.h"

/** Errors that reached a handler. */
typedef struct test_errors_t {
  atomic_int count;
  quern_result_t last;
  char message[256];
} test_errors_t;

void test_errors_add(const quern_async_error_t *error, void *data);

/** One device with what groups on it need. */
typedef struct test_place_t {
  quern_context_t context;
  quern_device_t device;
  quern_queue_t in_order, out_of_order;
  quern_program_t program;
  /** Kernels of the source below; null on the host. */
  quern_kernel_t add, scale, spin, fault;
  test_errors_t errors;
} test_place_t;

/** Context, queues and kernels on an OpenCL device, whose errors are collected. */
void test_place_open(test_place_t *place, quern_device_t device);
void test_place_open_host(test_place_t *place);
/** Places that are open: what a group's teardown asserts does not count for CMocka's result. */
extern int test_open_places;
/** The program's exit status: failed tests, or places that were not closed well. */
int test_result(int failures);
/** Waits for its queues, and expects no error. */
void test_place_close(test_place_t *place);
/** The first device of the OpenCL platform with that name; null when there is none. */
quern_device_t test_find_device(const char *platform_name);

/** Where most programs test: a device of an OpenCL platform, and the host. */
extern test_place_t test_on_device, test_on_host;
/** The platform's name; the program's first argument. */
extern const char *test_platform;
int test_places_open(void **state);
int test_places_close(void **state);

/** From begin to end other threads submit groups too, in the contexts of these two places: on queues of their own, with
 * memory of each and of all, whose contents they check. */
void test_company_begin(const test_place_t *device, const test_place_t *host);
void test_company_end(void);
int test_places_open_together(void **state);
int test_places_close_together(void **state);

/** Runs the tests over these places, with other threads: for the end of main. */
#define TEST_RUN_OVER_PLACES(argc, argv, tests)      \
  (test_platform = (argc) > 1 ? (argv)[1] : "Quern", \
   test_result(cmocka_run_group_tests(tests, test_places_open_together, test_places_close_together)))
/** The same alone. Tests with kernels that fault do: CMocka takes the handler of faults before each test, which
 * must not happen while kernels of others run. */
#define TEST_RUN_ALONE_OVER_PLACES(argc, argv, tests) \
  (test_platform = (argc) > 1 ? (argv)[1] : "Quern",  \
   test_result(cmocka_run_group_tests(tests, test_places_open, test_places_close)))

quern_memory_t test_buffer(size_t size, void *host, const quern_memory_options_t *options);
/** A group with one accessor for each memory object. */
quern_group_t test_group(quern_queue_t queue);
quern_accessor_t test_access(quern_group_t group, quern_memory_t memory, quern_access_t access);
quern_event_t test_submit(quern_group_t group);
void test_submit_only(quern_group_t group);
/** Waits for the event's success and releases it. */
void test_finish(quern_event_t event);

/** A group that does x[i] += value over `count` ints, as a kernel of the place; not submitted. */
quern_group_t test_addition(const test_place_t *place, quern_queue_t queue, quern_memory_t memory, int value,
                            size_t count);
/** Submits such a group. */
void test_add(const test_place_t *place, quern_queue_t queue, quern_memory_t memory, int value, size_t count);
/** The same as a host kernel or a host task. */
void test_add_on_host(quern_queue_t queue, quern_memory_t memory, int value, size_t count);
/** Reads the ints by a host access and expects each to be `value`. */
void test_expect(quern_memory_t memory, int value, size_t count);

#endif
