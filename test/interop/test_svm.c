/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unified memory where devices have shared virtual memory alone, that without fine grain, or none. Arguments: the
 * OpenCL platform, the library in front of it, "none", "coarse" or "fine". */
#include "groups.h"
#include "limited_opencl.h"

enum { items = 512, bytes = items * sizeof(int), rounds = 20, thread_count = 4 };

static bool has(cl_device_svm_capabilities capability) { return (limited_svm & capability) != 0; }

/* What cannot be allocated is refused before the driver is asked. */
static void kinds_follow_the_devices(void **state) {
  (void)state;
  const bool is_possible[quern_usm_total] = {
      [quern_usm_device] = has(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
      [quern_usm_host] = has(CL_DEVICE_SVM_FINE_GRAIN_BUFFER),
      [quern_usm_shared] = has(CL_DEVICE_SVM_FINE_GRAIN_BUFFER),
  };
  for (quern_usm_kind_t kind = 0; kind < quern_usm_total; kind++) {
    void *pointer = NULL;
    quern_result_t result = quern_usm_allocate(test_on_device.context, test_on_device.device, kind, bytes, 0, &pointer);
    if (is_possible[kind]) {
      assert_int_equal(result, quern_success);
      ASSERT_SUCCESS(quern_usm_free(test_on_device.context, pointer));
    } else {
      ASSERT_ERROR(result, quern_error_feature_not_supported, "shared virtual");
      assert_null(pointer);
    }
  }
}

/* On a device's own allocation: filled, added to by address, copied to the host. */
static void *work(void *data) {
  quern_queue_t queue = data;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  int *x = NULL, *host = calloc(items, sizeof(int)), one = 1;
  void *pointer = NULL;
  assert_non_null(host);
  ASSERT_SUCCESS(
      quern_usm_allocate(test_on_device.context, test_on_device.device, quern_usm_device, bytes, 0, &pointer));
  x = pointer;
  for (int i = 0; i < rounds; i++) {
    quern_group_t group = test_group(queue);
    ASSERT_SUCCESS(quern_group_require_pointer(group, x, 0, quern_access_discard_write));
    ASSERT_SUCCESS(quern_group_set_usm_fill(group, x, &i, sizeof(i), bytes));
    test_submit_only(group);
    group = test_group(queue);
    ASSERT_SUCCESS(quern_group_require_pointer(group, x, 0, quern_access_read_write));
    ASSERT_SUCCESS(quern_group_set_argument_pointer(group, 0, x));
    ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(one), &one));
    ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
    test_submit_only(group);
    group = test_group(queue);
    ASSERT_SUCCESS(quern_group_require_pointer(group, x, 0, quern_access_read));
    ASSERT_SUCCESS(quern_group_set_prefetch(group, x, bytes));
    test_submit_only(group);
    group = test_group(queue);
    ASSERT_SUCCESS(quern_group_require_pointer(group, x, 0, quern_access_read));
    ASSERT_SUCCESS(quern_group_require_pointer(group, host, bytes, quern_access_discard_write));
    ASSERT_SUCCESS(quern_group_set_usm_copy(group, host, x, bytes));
    test_submit_only(group);
    ASSERT_SUCCESS(quern_usm_wait(test_on_device.context, host, bytes, quern_access_read));
    for (int j = 0; j < items; j++) assert_int_equal(host[j], i + 1);
  }
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, x));
  free(host);
  return NULL;
}

static void memory_of_a_device_works(void **state) {
  (void)state;
  if (!has(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
    /* Without any, groups on addresses fail, and say why. */
    int x[2] = {0};
    quern_group_t group = test_group(test_on_device.in_order);
    ASSERT_SUCCESS(quern_group_set_usm_copy(group, &x[0], &x[1], sizeof(int)));
    quern_event_t event = test_submit(group);
    ASSERT_ERROR(quern_event_wait(event), quern_error_feature_not_supported, "unified memory");
    ASSERT_SUCCESS(quern_event_release(event));
    assert_int_equal(atomic_exchange(&test_on_device.errors.count, 0), 1);
    return;
  }
  pthread_t threads[thread_count];
  for (int i = 0; i < thread_count; i++) {
    quern_queue_t queue = i % 2 ? test_on_device.in_order : test_on_device.out_of_order;
    assert_int_equal(pthread_create(&threads[i], NULL, work, queue), 0);
  }
  for (int i = 0; i < thread_count; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* The host maps it as any buffer, so coarse grain is enough. */
static void buffers_with_unified_storage_work(void **state) {
  (void)state;
  int values[items] = {0}, one = 1;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  quern_memory_t buffer = NULL;
  void *pointer = NULL;
  options.flags = quern_memory_unified;
  options.bound_context = test_on_device.context;
  if (!has(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
    ASSERT_ERROR(quern_buffer_create(bytes, values, &options, &buffer), quern_error_feature_not_supported,
                 "shared virtual");
    return;
  }
  buffer = test_buffer(bytes, values, &options);
  ASSERT_SUCCESS(quern_memory_get_pointer(buffer, &pointer));
  for (int i = 0; i < rounds; i++) {
    quern_group_t group = test_group(test_on_device.out_of_order);
    ASSERT_SUCCESS(quern_group_require_pointer(group, pointer, 0, quern_access_read_write));
    ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
    ASSERT_SUCCESS(quern_group_set_argument_pointer(group, 0, pointer));
    ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(one), &one));
    test_submit_only(group);
    test_add(&test_on_device, test_on_device.in_order, buffer, 10, items);
    test_add_on_host(test_on_device.in_order, buffer, 100, items);
    test_expect(buffer, 111 * (i + 1), items);
  }
  ASSERT_SUCCESS(quern_memory_release(buffer));
  for (int i = 0; i < items; i++) assert_int_equal(values[i], 111 * rounds);
}

/* What is required and is no argument, and nothing else. */
static void kernels_are_told_what_they_reach(void **state) {
  (void)state;
  if (!has(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) return;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  const int one = 1;
  void *pointers[2] = {NULL};
  for (int i = 0; i < 2; i++) {
    ASSERT_SUCCESS(
        quern_usm_allocate(test_on_device.context, test_on_device.device, quern_usm_device, bytes, 0, &pointers[i]));
  }
  for (int reaches = 0; reaches < 2; reaches++) {
    limited_told_count = 0;
    quern_group_t group = test_group(test_on_device.in_order);
    for (int i = 0; i <= reaches; i++) {
      ASSERT_SUCCESS(quern_group_require_pointer(group, pointers[i], 0, quern_access_read_write));
    }
    ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
    ASSERT_SUCCESS(quern_group_set_argument_pointer(group, 0, pointers[0]));
    ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(one), &one));
    test_finish(test_submit(group));
    assert_int_equal(limited_told_count, reaches);
    if (reaches) assert_ptr_equal(limited_told_first, pointers[1]);
  }
  for (int i = 0; i < 2; i++) ASSERT_SUCCESS(quern_usm_free(test_on_device.context, pointers[i]));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_follow_the_devices),
      cmocka_unit_test(memory_of_a_device_works),
      cmocka_unit_test(buffers_with_unified_storage_work),
      cmocka_unit_test(kernels_are_told_what_they_reach),
  };
  const char *mode = argc > 3 ? argv[3] : "none";
  if (strcmp(mode, "none") != 0) limited_svm |= CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  if (strcmp(mode, "fine") == 0) limited_svm |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  test_configure(argc > 2 ? argv[2] : NULL);
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
