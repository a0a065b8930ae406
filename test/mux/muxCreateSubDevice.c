/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateSubDevice and muxGetAffinityPartition. The host target is run with eight compute units. */
#include <stdlib.h>

#include "support.h"

#define NEEDS_SUB_DEVICES() TEST_NEEDS(test.info->supports_sub_devices, "sub-devices")

enum { domain_count = 5 };

static mux_device_t create_sub_device(mux_device_t device, uint32_t first_unit, uint32_t unit_count) {
  mux_device_t part = NULL;
  ASSERT_SUCCESS(muxCreateSubDevice(device, first_unit, unit_count, test.allocator, &part));
  return part;
}

static mux_queue_t queue_of(mux_device_t device) {
  mux_queue_t queue = NULL;
  ASSERT_SUCCESS(muxGetQueue(device, mux_queue_type_compute, 0, &queue));
  assert_ptr_equal(queue->device, device);
  return queue;
}

TEST(differs_in_compute_units_only) {
  NEEDS_SUB_DEVICES();
  mux_device_t half = create_sub_device(test.device, 4, 4), quarter = create_sub_device(half, 1, 2);
  struct mux_device_info_s expected = *test.info;
  assert_int_equal(half->id, test.device->id);
  expected.compute_units = 4;
  assert_memory_equal(half->info, &expected, sizeof(expected));
  expected.compute_units = 2;
  assert_memory_equal(quarter->info, &expected, sizeof(expected));
  assert_ptr_not_equal(queue_of(half), queue_of(quarter));
  muxDestroyDevice(quarter, test.allocator);
  muxDestroyDevice(half, test.allocator);
}

TEST(refuses_bad_arguments) {
  NEEDS_SUB_DEVICES();
  const mux_allocator_info_t good = test.allocator;
  mux_device_t part;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateSubDevice(bad, 0, 1, good, &part));
  ASSERT_INVALID(muxCreateSubDevice(test.device, 0, 0, good, &part));
  ASSERT_INVALID(muxCreateSubDevice(test.device, 0, test.info->compute_units + 1, good, &part));
  ASSERT_INVALID(muxCreateSubDevice(test.device, test.info->compute_units, 1, good, &part));
  ASSERT_INVALID(muxCreateSubDevice(test.device, UINT32_MAX, UINT32_MAX, good, &part));
  ASSERT_REFUSES_CALLBACKS(muxCreateSubDevice(test.device, 0, 1, allocator, &part));
  ASSERT_NULL_OUTPUT(muxCreateSubDevice(test.device, 0, 1, good, NULL));
}

TEST(needs_the_feature) {
  uint64_t count;
  mux_device_t part;
  ASSERT_UNSUPPORTED_WITH(supports_sub_devices, false, muxCreateSubDevice(test.device, 0, 1, test.allocator, &part));
  ASSERT_UNSUPPORTED_WITH(supports_sub_devices, false,
                          muxGetAffinityPartition(test.device, mux_affinity_domain_numa, 0, NULL, &count));
}

TEST(survives_a_lack_of_memory) {
  NEEDS_SUB_DEVICES();
  mux_device_t part = NULL;
  ASSERT_SURVIVES_NO_MEMORY(muxCreateSubDevice(test.device, 0, 1, test.allocator, &part));
  muxDestroyDevice(part, test.allocator);
}

/* ------------------------------------------------------------ domains */

TEST(partitions_have_all_units) {
  NEEDS_SUB_DEVICES();
  for (unsigned i = 0; i < domain_count; i++) {
    const mux_affinity_domain_e domain = (mux_affinity_domain_e)(1u << i);
    uint32_t counts[64] = {0}, sum = 0;
    uint64_t length = 0, again = 0;
    ASSERT_SUCCESS(muxGetAffinityPartition(test.device, domain, 0, NULL, &length));
    assert_in_range(length, 1, test.info->compute_units);
    ASSERT_SUCCESS(muxGetAffinityPartition(test.device, domain, 64, counts, &again));
    assert_int_equal(again, length);
    for (uint64_t part = 0; part < length; part++) sum += counts[part];
    assert_int_equal(sum, test.info->compute_units);
    /* An array that is too short gets the first ones. */
    uint32_t first[2] = {0, 77};
    ASSERT_SUCCESS(muxGetAffinityPartition(test.device, domain, 1, first, NULL));
    assert_int_equal(first[0], counts[0]);
    assert_int_equal(first[1], 77);
  }
}

TEST(refuses_bad_domains) {
  NEEDS_SUB_DEVICES();
  uint64_t length;
  uint32_t counts[1];
  ASSERT_REFUSES_BAD(mux_device_t, device, muxGetAffinityPartition(bad, mux_affinity_domain_numa, 0, NULL, &length));
  ASSERT_INVALID(muxGetAffinityPartition(test.device, (mux_affinity_domain_e)0, 0, NULL, &length));
  ASSERT_INVALID(muxGetAffinityPartition(test.device, (mux_affinity_domain_e)3, 0, NULL, &length));
  ASSERT_INVALID(muxGetAffinityPartition(test.device, (mux_affinity_domain_e)32, 0, NULL, &length));
  ASSERT_INVALID(muxGetAffinityPartition(test.device, mux_affinity_domain_numa, 0, counts, &length));
  ASSERT_NULL_OUTPUT(muxGetAffinityPartition(test.device, mux_affinity_domain_numa, 0, NULL, NULL));
  ASSERT_NULL_OUTPUT(muxGetAffinityPartition(test.device, mux_affinity_domain_numa, 1, NULL, &length));
}

/* ------------------------------------------------------------ the family */

static void append(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  (void)queue, (void)command_buffer;
  int *numbers = user_data;
  numbers[numbers[0]] = numbers[0];
  numbers[0]++;
}

/* Dispatched from the last to the first over a device and two sub-devices. */
TEST(semaphores_order_work_of_a_family) {
  NEEDS_SUB_DEVICES();
  enum { length = 9 };
  mux_device_t devices[] = {test.device, create_sub_device(test.device, 0, 4), create_sub_device(test.device, 4, 4)};
  mux_command_buffer_t steps[length];
  mux_semaphore_t semaphores[length];
  int numbers[length + 1] = {1};
  for (int i = 0; i < length; i++) {
    ASSERT_SUCCESS(muxCreateSemaphore(devices[i % 3], test.allocator, &semaphores[i]));
    ASSERT_SUCCESS(muxCreateCommandBuffer(devices[i % 3], NULL, test.allocator, &steps[i]));
    ASSERT_SUCCESS(muxCommandUserCallback(steps[i], append, numbers, NO_SYNC));
    ASSERT_SUCCESS(muxFinalizeCommandBuffer(steps[i]));
  }
  for (int i = length - 1; i >= 0; i--) {
    ASSERT_SUCCESS(muxDispatch(queue_of(devices[i % 3]), steps[i], NULL, i ? &semaphores[i - 1] : NULL, i ? 1 : 0,
                               &semaphores[i], 1, NULL, NULL));
  }
  for (int i = 2; i >= 0; i--) ASSERT_SUCCESS(muxWaitAll(queue_of(devices[i])));
  assert_int_equal(numbers[0], length + 1);
  for (int i = 1; i <= length; i++) assert_int_equal(numbers[i], i);
  for (int i = 0; i < length; i++) {
    muxDestroyCommandBuffer(devices[i % 3], steps[i], test.allocator);
    muxDestroySemaphore(devices[i % 3], semaphores[i], test.allocator);
  }
  for (int i = 1; i < 3; i++) muxDestroyDevice(devices[i], test.allocator);
}

/* Kernel and buffer are of the parent, command buffer, fence and queue of the sub-device. */
TEST(runs_its_parents_kernels) {
  NEEDS_SUB_DEVICES();
  enum { work_items = 500 };
  test_kernel_t kernel = test_kernel_create();
  test_buffer_t buffer = test_buffer_create(work_items * sizeof(uint64_t));
  mux_device_t part = create_sub_device(test.device, 2, 3);
  mux_command_buffer_t commands;
  mux_fence_t fence;
  test_launch_t launch;
  test_launch_fill(&launch, buffer.buffer, 7, work_items);
  ASSERT_SUCCESS(muxCreateCommandBuffer(part, NULL, test.allocator, &commands));
  ASSERT_SUCCESS(muxCreateFence(part, test.allocator, &fence));
  ASSERT_SUCCESS(muxCommandNDRange(commands, kernel.kernel, launch.options, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(commands));
  ASSERT_INVALID(muxDispatch(test.queue, commands, fence, NULL, 0, NULL, 0, NULL, NULL));
  for (int i = 0; i < 20; i++) {
    memset(buffer.bytes, 0, work_items * sizeof(uint64_t));
    ASSERT_SUCCESS(muxDispatch(queue_of(part), commands, fence, NULL, 0, NULL, 0, NULL, NULL));
    ASSERT_SUCCESS(muxWait(queue_of(part), fence));
    ASSERT_SUCCESS(muxResetFence(fence));
    test_launch_check(buffer.bytes, 7, work_items);
  }
  muxDestroyFence(part, fence, test.allocator);
  muxDestroyCommandBuffer(part, commands, test.allocator);
  muxDestroyDevice(part, test.allocator);
  test_buffer_destroy(&buffer);
  test_kernel_destroy(&kernel);
}

static int setup(void **state) {
  setenv("QUERN_NUM_THREADS", "8", 1);
  return test_setup(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differs_in_compute_units_only),
      cmocka_unit_test(refuses_bad_arguments),
      cmocka_unit_test(needs_the_feature),
      cmocka_unit_test(survives_a_lack_of_memory),
      cmocka_unit_test(partitions_have_all_units),
      cmocka_unit_test(refuses_bad_domains),
      cmocka_unit_test(semaphores_order_work_of_a_family),
      cmocka_unit_test(runs_its_parents_kernels),
  };
  return cmocka_run_group_tests_name(__FILE__, tests, setup, test_teardown);
}
