/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxGetQueue. */
#include "support.h"

TEST(gives_the_same_queue_at_every_call) {
  mux_queue_t again = NULL;
  ASSERT_SUCCESS(muxGetQueue(test.device, mux_queue_type_compute, 0, &again));
  assert_ptr_equal(again, test.queue);
  assert_ptr_equal(again->device, test.device);
}

TEST(gives_as_many_queues_as_the_info_says) {
  const uint32_t count = test.info->queue_types[mux_queue_type_compute];
  mux_queue_t queue = NULL, last = NULL;
  for (uint32_t i = 0; i < count; i++) {
    ASSERT_SUCCESS(muxGetQueue(test.device, mux_queue_type_compute, i, &queue));
    assert_ptr_not_equal(queue, last);
    last = queue;
  }
  ASSERT_INVALID(muxGetQueue(test.device, mux_queue_type_compute, count, &queue));
}

TEST(refuses_bad_arguments) {
  mux_queue_t queue;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxGetQueue(bad, mux_queue_type_compute, 0, &queue));
  ASSERT_INVALID(muxGetQueue(test.device, mux_queue_type_total, 0, &queue));
  ASSERT_NULL_OUTPUT(muxGetQueue(test.device, mux_queue_type_compute, 0, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gives_the_same_queue_at_every_call),
    cmocka_unit_test(gives_as_many_queues_as_the_info_says),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
