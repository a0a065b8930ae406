/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateDevices and muxDestroyDevice. */
#include <pthread.h>

#include "support.h"

/* All devices of all targets; returns their number. */
static uint64_t list_infos(mux_device_info_t infos[16]) {
  uint64_t count = 0;
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, 16, infos, &count));
  return count < 16 ? count : 16;
}

TEST(creates_independent_devices) {
  const mux_device_info_t infos[] = {test.info, test.info};
  mux_device_t devices[2] = {NULL};
  mux_queue_t queues[2] = {NULL};
  ASSERT_SUCCESS(muxCreateDevices(2, infos, test.allocator, devices));
  assert_ptr_not_equal(devices[0], devices[1]);
  for (int i = 0; i < 2; i++) {
    assert_ptr_equal(devices[i]->info, test.info);
    ASSERT_SUCCESS(muxGetQueue(devices[i], mux_queue_type_compute, 0, &queues[i]));
    assert_ptr_equal(queues[i]->device, devices[i]);
  }
  assert_ptr_not_equal(queues[0], queues[1]);
  for (int i = 0; i < 2; i++) muxDestroyDevice(devices[i], test.allocator);
}

TEST(creates_devices_of_several_targets_at_once) {
  mux_device_info_t infos[16];
  mux_device_t devices[16];
  const uint64_t count = list_infos(infos);
  ASSERT_SUCCESS(muxCreateDevices(count, infos, test.allocator, devices));
  for (uint64_t i = 0; i < count; i++) {
    assert_ptr_equal(devices[i]->info, infos[i]);
    muxDestroyDevice(devices[i], test.allocator);
  }
}

TEST(survives_a_lack_of_memory) {
  mux_device_info_t infos[16];
  mux_device_t devices[16];
  const uint64_t count = list_infos(infos);
  ASSERT_SURVIVES_NO_MEMORY(muxCreateDevices(count, infos, test.allocator, devices));
  for (uint64_t i = 0; i < count; i++) muxDestroyDevice(devices[i], test.allocator);
}

/* No thread can have a stack of this size: a device that needs one at once does not start. */
TEST(reports_a_device_that_does_not_start) {
  pthread_attr_t usual, huge;
  mux_device_t device = NULL;
  assert_int_equal(pthread_getattr_default_np(&usual), 0);
  assert_int_equal(pthread_attr_init(&huge), 0);
  assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 50), 0);
  assert_int_equal(pthread_setattr_default_np(&huge), 0);
  const mux_result_t result = muxCreateDevices(1, &test.info, test.allocator, &device);
  assert_int_equal(pthread_setattr_default_np(&usual), 0);
  pthread_attr_destroy(&huge);
  pthread_attr_destroy(&usual);
  if (result)
    ASSERT_RESULT(mux_error_device_entry_hook_failed, result);
  else
    muxDestroyDevice(device, test.allocator);
}

TEST(refuses_objects_of_another_target) {
  mux_device_info_t infos[16], other = NULL;
  const uint64_t count = list_infos(infos);
  for (uint64_t i = 0; i < count; i++) {
    if ((infos[i]->id & 0xffff) != (test.info->id & 0xffff)) other = infos[i];
  }
  TEST_NEEDS(other, "a second target");
  mux_device_t device = NULL;
  mux_queue_t queue = NULL;
  mux_fence_t fence = NULL;
  ASSERT_SUCCESS(muxCreateDevices(1, &other, test.allocator, &device));
  ASSERT_SUCCESS(muxGetQueue(device, mux_queue_type_compute, 0, &queue));
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  test_buffer_t buffer = test_buffer_create(64);
  ASSERT_INVALID(muxTryWait(queue, 0, fence));
  ASSERT_INVALID(muxDispatch(queue, command_buffer, NULL, NULL, 0, NULL, 0, NULL, NULL));
  ASSERT_INVALID(muxBindBufferMemory(device, buffer.memory, buffer.buffer, 0));
  muxDestroyFence(device, fence, test.allocator); /* Ignored. */
  muxDestroyFence(test.device, fence, test.allocator);
  test_buffer_destroy(&buffer);
  test_command_buffer_destroy(command_buffer);
  muxDestroyDevice(device, test.allocator);
}

TEST(refuses_bad_arguments) {
  mux_device_t device;
  const mux_device_info_t infos[] = {test.info, NULL};
  ASSERT_INVALID(muxCreateDevices(0, &test.info, test.allocator, &device));
  ASSERT_INVALID(muxCreateDevices(1, NULL, test.allocator, &device));
  ASSERT_INVALID(muxCreateDevices(2, infos, test.allocator, &device));
  ASSERT_REFUSES_BAD(mux_device_info_t, device, muxCreateDevices(1, &bad, test.allocator, &device));
  ASSERT_NULL_OUTPUT(muxCreateDevices(1, &test.info, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateDevices(1, &test.info, allocator, &device));
}

TEST(ignores_destruction_of_what_is_no_device) {
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroyDevice(test_bad_handle(i, mux_object_id_device), test.allocator);
  mux_allocator_info_t allocator = test.allocator;
  allocator.free = NULL;
  muxDestroyDevice(test.device, allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(creates_independent_devices),
    cmocka_unit_test(creates_devices_of_several_targets_at_once),
    cmocka_unit_test(survives_a_lack_of_memory),
    cmocka_unit_test(reports_a_device_that_does_not_start),
    cmocka_unit_test(refuses_objects_of_another_target),
    cmocka_unit_test(refuses_bad_arguments),
    cmocka_unit_test(ignores_destruction_of_what_is_no_device),
};

TEST_MAIN(tests)
