/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What may run together does: 64 independent groups of an out-of-order queue, and readers of one buffer. What may not,
 * does not. Argument: the OpenCL platform. */
#include <unistd.h>

#include "groups.h"

enum { groups = 64 };

/* Each launch counts itself, and looks at the counter until as many as the device has compute units, at most `groups`,
 * have come, or for a long time. Were they run one after another, the first ones would see less. */
static void independent_kernels_run_together(void **state) {
  (void)state;
  uint32_t units = 0;
  ASSERT_SUCCESS(quern_device_get_max_compute_units(test_on_device.device, &units));
  const int all = units < 2 ? 1 : 2, most = 200 * 1000 * 1000;
  const quern_range_t range = {.dimensions = 1, .global = {1}, .local = {1}};
  static int zero[1];
  quern_memory_t arrived = test_buffer(sizeof(zero), zero, NULL), met[groups];
  /* They share the counter behind the library's back: their accessors only read it. */
  for (int i = 0; i < groups; i++) {
    met[i] = test_buffer(sizeof(int), NULL, NULL);
    quern_group_t group = test_group(test_on_device.out_of_order);
    quern_accessor_t counter = test_access(group, arrived, quern_access_read);
    quern_accessor_t result = test_access(group, met[i], quern_access_discard_write);
    const int launch = 0;
    ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.spin, &range));
    ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, counter));
    ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 1, result));
    ASSERT_SUCCESS(quern_group_set_argument(group, 2, sizeof(all), &all));
    ASSERT_SUCCESS(quern_group_set_argument(group, 3, sizeof(launch), &launch));
    ASSERT_SUCCESS(quern_group_set_argument(group, 4, sizeof(most), &most));
    test_submit_only(group);
  }
  ASSERT_SUCCESS(quern_queue_wait(test_on_device.out_of_order));
  for (int i = 0; i < groups; i++) {
    quern_host_access_t access = NULL;
    void *pointer = NULL;
    ASSERT_SUCCESS(quern_host_access_begin(met[i], quern_access_read, 0, 0, &pointer, &access));
    assert_true(*(const int *)pointer >= all);
    ASSERT_SUCCESS(quern_host_access_end(access));
    ASSERT_SUCCESS(quern_memory_release(met[i]));
  }
  ASSERT_SUCCESS(quern_memory_release(arrived));
}

static quern_result_t meet(quern_handle_t handle, void *data) {
  (void)handle;
  pthread_barrier_wait(data);
  return quern_success;
}

/* Each waits for all the others: one after another, none would ever end. They read one buffer, as readers may. */
static void check_meeting(quern_queue_t queue) {
  pthread_barrier_t barrier;
  quern_memory_t memory = test_buffer(64, NULL, NULL);
  pthread_barrier_init(&barrier, NULL, groups);
  for (int i = 0; i < groups; i++) {
    quern_group_t group = test_group(queue);
    test_access(group, memory, quern_access_read);
    ASSERT_SUCCESS(quern_group_set_host_task(group, meet, &barrier));
    test_submit_only(group);
  }
  ASSERT_SUCCESS(quern_queue_wait(queue));
  pthread_barrier_destroy(&barrier);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void independent_tasks_run_together(void **state) {
  (void)state;
  check_meeting(test_on_host.out_of_order);
  check_meeting(test_on_device.out_of_order);
}

typedef struct tenants_t {
  atomic_int inside;
  atomic_bool met;
} tenants_t;

static quern_result_t be_alone(quern_handle_t handle, void *data) {
  tenants_t *tenants = data;
  (void)handle;
  if (atomic_fetch_add(&tenants->inside, 1)) atomic_store(&tenants->met, true);
  usleep(200);
  atomic_fetch_sub(&tenants->inside, 1);
  return quern_success;
}

/* Writers of one range exclude each other, on whatever queue; writers of different ranges do not. */
static void writers_are_alone(void **state) {
  (void)state;
  tenants_t tenants = {0};
  quern_memory_t memory = test_buffer(64, NULL, NULL);
  const quern_queue_t queues[] = {test_on_host.out_of_order, test_on_device.out_of_order, test_on_host.in_order,
                                  test_on_device.in_order};
  for (int i = 0; i < 40; i++) {
    quern_group_t group = test_group(queues[i % 4]);
    test_access(group, memory, i % 3 ? quern_access_write : quern_access_atomic);
    ASSERT_SUCCESS(quern_group_set_host_task(group, be_alone, &tenants));
    test_submit_only(group);
  }
  for (int i = 0; i < 4; i++) ASSERT_SUCCESS(quern_queue_wait(queues[i]));
  assert_false(atomic_load(&tenants.met));
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, 8);
  for (size_t i = 0; i < 8; i++) {
    quern_group_t group = test_group(test_on_host.out_of_order);
    ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_write, i * 8, 8, NULL));
    ASSERT_SUCCESS(quern_group_set_host_task(group, meet, &barrier));
    test_submit_only(group);
  }
  ASSERT_SUCCESS(quern_queue_wait(test_on_host.out_of_order));
  pthread_barrier_destroy(&barrier);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(independent_kernels_run_together),
                                     cmocka_unit_test(independent_tasks_run_together),
                                     cmocka_unit_test(writers_are_alone)};
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
