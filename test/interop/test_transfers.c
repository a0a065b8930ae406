/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Transfers that fail, and that nobody waits in. Arguments: the OpenCL platform; the library of failing_opencl.c. */
#include "failing_opencl.h"
#include "groups.h"

enum { items = 64, bytes = items * sizeof(int) };

static quern_memory_t ones(void) {
  int values[items];
  for (int i = 0; i < items; i++) values[i] = 1;
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host | quern_memory_separate;
  return test_buffer(bytes, values, &options);
}

static quern_event_t submit_addition(quern_memory_t memory) {
  return test_submit(test_addition(&test_on_device, test_on_device.in_order, memory, 1, items));
}

/* The group must not run on what the transfer did not bring. */
static void expect_failure(quern_memory_t memory) {
  atomic_store(&failing_writes, true);
  quern_event_t event = submit_addition(memory);
  ASSERT_ERROR(quern_event_wait(event), quern_error_backend_failure, "clEnqueueWriteBuffer");
  atomic_store(&failing_writes, false);
  ASSERT_SUCCESS(quern_event_release(event));
  assert_int_equal(atomic_exchange(&test_on_device.errors.count, 0), 1);
}

static void who_needs_a_failed_transfer_fails(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  expect_failure(memory);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* What the host's access forgives is what had failed then. */
static void also_after_the_host_has_looked(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  test_expect(memory, 1, items);
  expect_failure(memory);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* To the device and back to the host for groups: neither the thread that submits nor any other waits in the backend. */
static void groups_do_not_wait_in_transfers(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  atomic_store(&transfer_count, 0);
  atomic_store(&blocking_transfer_count, 0);
  test_finish(submit_addition(memory));
  assert_int_equal(atomic_load(&transfer_count), 1);
  test_add_on_host(test_on_host.in_order, memory, 1, items);
  ASSERT_SUCCESS(quern_queue_wait(test_on_host.in_order));
  assert_int_equal(atomic_load(&transfer_count), 2);
  assert_int_equal(atomic_load(&blocking_transfer_count), 0);
  test_expect(memory, 3, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_needs_a_failed_transfer_fails),
      cmocka_unit_test(also_after_the_host_has_looked),
      cmocka_unit_test(groups_do_not_wait_in_transfers),
  };
  test_configure(argc > 2 ? argv[2] : NULL);
  return TEST_RUN_ALONE_OVER_PLACES(argc, argv, tests);
}
