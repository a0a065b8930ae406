/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the tests of the Mux layer share: one device of the target under test, and objects on it. */
#ifndef TEST_MUX_SUPPORT_H
#define TEST_MUX_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mux/mux.h"

/** The target under test, chosen by the environment variable MUX_TEST_TARGET, and its first device. */
typedef struct test_context_t {
  mux_device_info_t info;
  mux_device_t device;
  mux_queue_t queue;
  mux_allocator_info_t allocator;
} test_context_t;
extern test_context_t test;

/** Group setup and teardown; the latter fails when an object of any test was leaked. */
int test_setup(void **state);
int test_teardown(void **state);

#define TEST(name) static void name(void **state __attribute__((unused)))
/** Leaves the test, saying why, unless it can run here. Nothing may have been created before. */
#define TEST_NEEDS(condition, what)               \
  do {                                            \
    if (condition) break;                         \
    print_message("skipped: needs %s\n", (what)); \
    skip();                                       \
  } while (0)

/** Runs `tests`, an array of CMUnitTest, as the program's main function. */
#define TEST_MAIN(tests) \
  int main(void) { return cmocka_run_group_tests_name(__FILE__, tests, test_setup, test_teardown); }

/** Compares results by name, so that a failure can be read. */
#define ASSERT_RESULT(expected, call) assert_string_equal(muxResultName(call), muxResultName(expected))
#define ASSERT_SUCCESS(call) ASSERT_RESULT(mux_success, call)
#define ASSERT_INVALID(call) ASSERT_RESULT(mux_error_invalid_value, call)
#define ASSERT_UNSUPPORTED(call) ASSERT_RESULT(mux_error_feature_unsupported, call)
#define ASSERT_NULL_OUTPUT(call) ASSERT_RESULT(mux_error_null_out_parameter, call)
/** `call` is refused by a device like that of the test, but whose info has another value in one member. */
#define ASSERT_UNSUPPORTED_WITH(member, value, call) \
  do {                                               \
    struct mux_device_info_s poor_info = *test.info; \
    poor_info.member = (value);                      \
    test.device->info = &poor_info;                  \
    const mux_result_t poor_result = (call);         \
    test.device->info = test.info;                   \
    ASSERT_UNSUPPORTED(poor_result);                 \
  } while (0)

/** `call`, which uses `bad` as a handle of that type and kind, refuses every handle that is no such thing. */
#define ASSERT_REFUSES_BAD(type, kind, call)                                     \
  for (unsigned bad_index = 0; bad_index < TEST_BAD_HANDLE_COUNT; bad_index++) { \
    const type bad = (type)test_bad_handle(bad_index, mux_object_id_##kind);     \
    ASSERT_INVALID(call);                                                        \
  }
enum { TEST_BAD_HANDLE_COUNT = 4 };
/** Null, of another kind, of target 0, of a target that does not exist. */
void *test_bad_handle(unsigned index, mux_object_id_e kind);

/** `call`, which uses `allocator`, refuses one without alloc and one without free. */
#define ASSERT_REFUSES_CALLBACKS(call)                      \
  do {                                                      \
    mux_allocator_info_t allocator = test.allocator;        \
    allocator.alloc = NULL;                                 \
    ASSERT_RESULT(mux_error_null_allocator_callback, call); \
    allocator = test.allocator;                             \
    allocator.free = NULL;                                  \
    ASSERT_RESULT(mux_error_null_allocator_callback, call); \
  } while (0)

/** `call`, which allocates through test.allocator, reports each allocation that fails, and succeeds when none does. */
#define ASSERT_SURVIVES_NO_MEMORY(call)                                               \
  do {                                                                                \
    mux_result_t no_memory_result = mux_error_out_of_memory;                          \
    for (long allowed = 0; no_memory_result; allowed++) {                             \
      test_allocations_limit(allowed);                                                \
      no_memory_result = (call);                                                      \
      if (no_memory_result) ASSERT_RESULT(mux_error_out_of_memory, no_memory_result); \
    }                                                                                 \
    test_allocations_limit(-1);                                                       \
  } while (0)
/** `call`, which records a command, runs out of memory at some repetition, and goes on when there is some. */
#define ASSERT_RECORDS_WITHOUT_MEMORY(call)                                     \
  do {                                                                          \
    mux_result_t record_result = mux_success;                                   \
    test_allocations_limit(0);                                                  \
    for (long i = 0; !record_result && i < 100000; i++) record_result = (call); \
    test_allocations_limit(-1);                                                 \
    ASSERT_RESULT(mux_error_out_of_memory, record_result);                      \
    ASSERT_SUCCESS(call);                                                       \
  } while (0)
/** From now on that many allocations through test.allocator succeed; negative: all. */
void test_allocations_limit(long allowed);

/** The end of a muxCommand call that has nothing to do with sync points. */
#define NO_SYNC 0, NULL, NULL
/** `call`, a muxCommand function ending in `sync`, checks its wait list. `command_buffer` is recording. */
#define ASSERT_CHECKS_SYNC(command_buffer, call)                                         \
  do {                                                                                   \
    const mux_sync_point_t bad_points[] = {NULL};                                        \
    const mux_sync_point_t *points = bad_points;                                         \
    uint32_t count = 0;                                                                  \
    ASSERT_INVALID(call);                                                                \
    count = 1;                                                                           \
    ASSERT_INVALID(call);                                                                \
    points = NULL;                                                                       \
    ASSERT_INVALID(call);                                                                \
    const mux_sync_point_t foreign_points[] = {test_foreign_sync_point(command_buffer)}; \
    points = foreign_points;                                                             \
    ASSERT_INVALID(call);                                                                \
  } while (0)
#define CHECKED_SYNC count, points, NULL
/** Of another command buffer than `command_buffer`; valid until the next call. */
mux_sync_point_t test_foreign_sync_point(mux_command_buffer_t command_buffer);

/** `call`, a muxCommand function that uses `command_buffer`, refuses it when it is none or not recording. */
#define ASSERT_CHECKS_COMMAND_BUFFER(call)                               \
  do {                                                                   \
    mux_command_buffer_t command_buffer = test_command_buffer_create();  \
    ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));            \
    ASSERT_INVALID(call);                                                \
    test_command_buffer_destroy(command_buffer);                         \
    for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++) {               \
      command_buffer = test_bad_handle(i, mux_object_id_command_buffer); \
      ASSERT_INVALID(call);                                              \
    }                                                                    \
  } while (0)

/** A buffer that is bound to mapped memory, all bytes zero. */
typedef struct test_buffer_t {
  mux_memory_t memory;
  mux_buffer_t buffer;
  uint8_t *bytes;
} test_buffer_t;
test_buffer_t test_buffer_create(size_t size);
void test_buffer_destroy(test_buffer_t *buffer);
/** Memory that the host can map. */
mux_memory_t test_memory_create(size_t size);
void test_memory_destroy(mux_memory_t memory);

/** An image that is bound to memory. Call it only when the device has images. */
typedef struct test_image_t {
  mux_memory_t memory;
  mux_image_t image;
} test_image_t;
test_image_t test_image_create(mux_image_type_e type, mux_extent_3d_t size, uint32_t layers);
void test_image_destroy(test_image_t *image);
/** A format that all three types have in both kinds of memory. */
mux_image_format_e test_image_format(void);

mux_command_buffer_t test_command_buffer_create(void);
void test_command_buffer_destroy(mux_command_buffer_t command_buffer);
/** Finalizes, dispatches, waits; the result that the completion callback got. */
mux_result_t test_command_buffer_run(mux_command_buffer_t command_buffer);
/** The same for one that is finalized. */
mux_result_t test_command_buffer_run_again(mux_command_buffer_t command_buffer);

/** A function that is given a dispatch by its fence refuses bad handles, and a fence that no dispatch has. */
void test_refuses_bad_dispatches(mux_result_t (*function)(mux_queue_t queue, mux_fence_t fence));
mux_fence_t test_fence_create(void);
void test_fence_destroy(mux_fence_t fence);

/** Holds back the dispatches that wait for `semaphore` until it is opened, once. */
typedef struct test_gate_t {
  mux_command_buffer_t command_buffer;
  mux_semaphore_t semaphore;
} test_gate_t;
test_gate_t test_gate_create(void);
void test_gate_open(test_gate_t *gate);
/** Waits for all work on the queue. */
void test_gate_destroy(test_gate_t *gate);

/** The kernel copy_id(global ulong *out, ulong first): out[i] = first + i. Skips the test when there is no way to get
 * it. */
typedef struct test_kernel_t {
  mux_executable_t executable;
  mux_kernel_t kernel;
} test_kernel_t;
test_kernel_t test_kernel_create(void);
/** A kernel of the host target's test executable (host/kernel.c). Skips the test on other targets. */
test_kernel_t test_kernel_load(const char *name);
void test_kernel_destroy(test_kernel_t *kernel);
/** The whole executable that has copy_id; null when the target has no such file. Freed with free(). */
void *test_binary_read(size_t *size);

/** A command that fails when it is executed. Skips the test when the target has none. */
typedef struct test_failure_t {
  test_kernel_t kernel;
  test_buffer_t buffer;
} test_failure_t;
test_failure_t test_failure_create(void);
void test_failure_record(test_failure_t *failure, mux_command_buffer_t command_buffer);
void test_failure_destroy(test_failure_t *failure);

/** Arguments and options of copy_id on `work_items` work-items, in groups of one. */
typedef struct test_launch_t {
  mux_descriptor_info_t descriptors[2];
  uint64_t first;
  size_t global_size;
  mux_ndrange_options_t options;
} test_launch_t;
/** `launch` must stay where it is. */
void test_launch_fill(test_launch_t *launch, mux_buffer_t out, uint64_t first, size_t work_items);
/** The first `count` values at `bytes` are those that copy_id writes. */
void test_launch_check(const void *bytes, uint64_t first, size_t count);

#endif
