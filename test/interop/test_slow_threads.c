/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A thread that learns of a failure and goes on only when others have settled everything. Arguments: the OpenCL
 * platform; the library of failing_opencl.c. */
#include <pthread.h>

#include "failing_opencl.h"
#include "groups.h"

enum { items = 64, bytes = items * sizeof(int) };

static void *wait_slowly(void *data) {
  quern_event_t event = data;
  is_slow_and_watched = true;
  quern_result_t result = quern_event_wait(event);
  is_slow_and_watched = false;
  if (quern_event_release(event) != quern_success) abort();
  return (void *)(uintptr_t)result;
}

/* The event of a group that faults. */
static quern_event_t submit_fault(quern_memory_t memory, quern_access_t access) {
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  const cl_ulong address = 0;
  quern_group_t group = test_group(test_on_device.out_of_order);
  quern_accessor_t x = test_access(group, memory, access);
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.fault, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, x));
  ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(address), &address));
  return test_submit(group);
}

/* The second group waits on the device for one that faults; meanwhile nobody holds the events of either. */
static void expect_results(quern_access_t access, quern_result_t expected) {
  forget_released();
  quern_memory_t memory = test_buffer(bytes, NULL, NULL);
  quern_event_t fault = submit_fault(memory, access);
  quern_event_t behind = test_submit(test_addition(&test_on_device, test_on_device.out_of_order, memory, 1, items));
  pthread_t thread;
  ASSERT_SUCCESS(quern_event_retain(behind));
  assert_int_equal(pthread_create(&thread, NULL, wait_slowly, behind), 0);
  assert_int_equal(quern_event_wait(behind), expected);
  assert_int_equal(quern_event_wait(fault), quern_error_backend_failure);
  ASSERT_SUCCESS(quern_event_release(behind));
  ASSERT_SUCCESS(quern_event_release(fault));
  ASSERT_SUCCESS(quern_memory_release(memory));
  void *result = NULL;
  assert_int_equal(pthread_join(thread, &result), 0);
  assert_int_equal((quern_result_t)(uintptr_t)result, expected);
  assert_int_equal(atomic_load(&asked_of_released), 0);
  atomic_store(&test_on_device.errors.count, 0);
}

static void what_fails_with_it(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) expect_results(quern_access_read_write, quern_error_backend_failure);
}

static void what_is_repeated(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) expect_results(quern_access_read, quern_success);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_fails_with_it),
      cmocka_unit_test(what_is_repeated),
  };
  if (argc > 1 && strcmp(argv[1], "Quern") != 0) {
    print_message("a fault in a kernel ends the process with this driver: left out\n");
    return 0;
  }
  test_configure(argc > 2 ? argv[2] : NULL);
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
