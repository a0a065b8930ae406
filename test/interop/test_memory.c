/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory objects: what is moved and what is not (B6, T10), host memory, ranges, binding to a context (C1 to C3).
 * Argument: the OpenCL platform. */
#include "groups.h"

enum { items = 4096, bytes = items * sizeof(int) };

static test_place_t one, other, host;
static const char *platform_name;

static int open_places(void **state) {
  (void)state;
  quern_device_t found = test_find_device(platform_name);
  assert_non_null(found);
  test_place_open(&one, found);
  test_place_open(&other, found);
  test_place_open_host(&host);
  test_company_begin(&other, &host);
  return 0;
}

static int close_places(void **state) {
  (void)state;
  test_company_end();
  test_place_close(&one);
  test_place_close(&other);
  test_place_close(&host);
  return 0;
}

static quern_memory_statistics_t statistics_of(quern_memory_t memory) {
  quern_memory_statistics_t statistics = {0, 0, 0};
  ASSERT_SUCCESS(quern_memory_get_statistics(memory, &statistics));
  return statistics;
}

static quern_memory_t zeros(quern_memory_flags_t flags) {
  static int zero[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host | flags;
  return test_buffer(bytes, zero, &options);
}

/* ------------------------------------------------------------ what is moved */

/* Between contexts of a CPU, whose memory is the host's, contents are mapped (T10). */
static void shared_memory_is_never_copied(void **state) {
  (void)state;
  quern_memory_t memory = zeros(0);
  bool is_shared = false;
  ASSERT_SUCCESS(quern_device_get_has_host_unified_memory(one.device, &is_shared));
  if (!is_shared) skip();
  for (int i = 0; i < 10; i++) {
    test_add(&one, one.in_order, memory, 1, items);
    test_add(&other, other.out_of_order, memory, 1, items);
    test_add_on_host(host.in_order, memory, 1, items);
  }
  test_expect(memory, 30, items);
  quern_memory_statistics_t statistics = statistics_of(memory);
  assert_int_equal(statistics.copies, 0);
  assert_int_equal(statistics.copied_bytes, 0);
  assert_true(statistics.maps > 0);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void separate_memory_is_copied_when_stale(void **state) {
  (void)state;
  quern_memory_t memory = zeros(quern_memory_separate);
  for (int i = 0; i < 10; i++) test_add(&one, one.in_order, memory, 1, items);
  test_expect(memory, 10, items);
  /* In once; out once. */
  assert_int_equal(statistics_of(memory).copies, 2);
  test_expect(memory, 10, items);
  assert_int_equal(statistics_of(memory).copies, 2);
  test_add(&other, other.in_order, memory, 1, items);
  assert_int_equal(statistics_of(memory).copies, 3);
  test_add(&one, one.in_order, memory, 1, items);
  test_expect(memory, 12, items);
  quern_memory_statistics_t statistics = statistics_of(memory);
  assert_int_equal(statistics.copied_bytes, statistics.copies * bytes);
  assert_int_equal(statistics.maps, 0);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void fill_part(quern_queue_t queue, quern_memory_t memory, size_t first, size_t count, int value) {
  quern_accessor_t accessor;
  quern_group_t group = test_group(queue);
  ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_discard_write, first * sizeof(int), count * sizeof(int),
                                    &accessor));
  ASSERT_SUCCESS(quern_group_set_fill(group, accessor, &value, sizeof(value)));
  test_submit_only(group);
}

/* Only the stale range, and nothing for what is overwritten. */
static void only_what_is_needed_is_moved(void **state) {
  (void)state;
  quern_memory_t memory = zeros(quern_memory_separate);
  fill_part(one.in_order, memory, 0, items, 3);
  ASSERT_SUCCESS(quern_queue_wait(one.in_order));
  assert_int_equal(statistics_of(memory).copies, 0);
  fill_part(one.in_order, memory, 0, 16, 3);
  fill_part(other.in_order, memory, 16, 16, 3);
  test_expect(memory, 3, items);
  quern_memory_statistics_t statistics = statistics_of(memory);
  assert_int_equal(statistics.copied_bytes, bytes);
  test_add_on_host(host.in_order, memory, 0, items);
  quern_accessor_t accessor;
  int values[16];
  quern_group_t group = test_group(one.in_order);
  ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_read, 64, 64, &accessor));
  ASSERT_SUCCESS(quern_group_set_read(group, accessor, values));
  test_finish(test_submit(group));
  for (int i = 0; i < 16; i++) assert_int_equal(values[i], 3);
  assert_int_equal(statistics_of(memory).copied_bytes, bytes + 64);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ host memory */

static void contents_are_written_back(void **state) {
  (void)state;
  int *user = aligned_alloc(4096, bytes), *unaligned = malloc(bytes + 4), *chosen = calloc(1, bytes);
  for (int i = 0; i < items; i++) user[i] = unaligned[i + 1] = 1;
  quern_memory_t memory = test_buffer(bytes, user, NULL);
  test_add(&one, one.out_of_order, memory, 1, items);
  test_add(&other, other.out_of_order, memory, 1, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
  for (int i = 0; i < items; i++) assert_int_equal(user[i], 3);
  memory = test_buffer(bytes, unaligned + 1, NULL);
  test_add(&one, one.out_of_order, memory, 1, items);
  ASSERT_SUCCESS(quern_memory_set_write_back(memory, chosen));
  ASSERT_SUCCESS(quern_memory_retain(memory));
  ASSERT_SUCCESS(quern_memory_release(memory));
  assert_int_equal(chosen[0], 0);
  ASSERT_SUCCESS(quern_memory_release(memory));
  for (int i = 0; i < items; i++) assert_int_equal(chosen[i], 2);
  memory = zeros(0);
  test_add(&one, one.out_of_order, memory, 7, items);
  ASSERT_SUCCESS(quern_memory_set_write_back(memory, chosen));
  ASSERT_SUCCESS(quern_memory_set_write_back(memory, NULL));
  ASSERT_SUCCESS(quern_memory_release(memory));
  assert_int_equal(chosen[0], 2);
  free(user);
  free(unaligned);
  free(chosen);
}

static void *release_host_access(void *data) {
  int *pointer = data;
  pointer[0] = 41;
  return NULL;
}

/* Groups wait for the end of an access that conflicts, and run beside one that only reads. */
static void groups_wait_for_the_hosts_access(void **state) {
  (void)state;
  quern_memory_t memory = zeros(0);
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  ASSERT_SUCCESS(quern_host_access_begin(memory, quern_access_read_write, 0, 0, &pointer, &access));
  test_add(&one, one.in_order, memory, 1, items);
  quern_event_t event = test_submit(test_group(one.in_order));
  quern_event_status_t status;
  ASSERT_SUCCESS(quern_event_get_status(event, &status));
  assert_int_equal(status, quern_event_submitted);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, release_host_access, pointer), 0);
  pthread_join(thread, NULL);
  ASSERT_SUCCESS(quern_host_access_end(access));
  test_finish(event);
  int values[items];
  ASSERT_SUCCESS(quern_host_access_begin(memory, quern_access_read, 0, 0, &pointer, &access));
  assert_int_equal(*(int *)pointer, 42);
  quern_group_t group = test_group(one.in_order);
  ASSERT_SUCCESS(quern_group_set_read(group, test_access(group, memory, quern_access_read), values));
  test_finish(test_submit(group));
  assert_int_equal(values[0], 42);
  ASSERT_SUCCESS(quern_host_access_end(access));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ context bound */

static quern_memory_t bound(quern_context_t context, void *values) {
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.bound_context = context;
  return test_buffer(bytes, values, &options);
}

/* C1 */
static void the_bound_context_can_be_read_back(void **state) {
  (void)state;
  quern_context_t context = NULL;
  quern_memory_t memory = bound(one.context, NULL), free_one = zeros(0);
  ASSERT_SUCCESS(quern_memory_get_bound_context(memory, &context));
  assert_ptr_equal(context, one.context);
  ASSERT_SUCCESS(quern_memory_get_bound_context(free_one, &context));
  assert_null(context);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_memory_release(free_one));
}

/* C2, C3: from queues of another context, of the host, and as a fallback; then the contents are as they were. */
static void other_contexts_may_not_use_a_bound_buffer(void **state) {
  (void)state;
  static int values[items];
  memset(values, 0, sizeof(values));
  quern_memory_t memory = bound(one.context, values);
  test_add(&one, one.in_order, memory, 5, items);
  const quern_queue_t queues[] = {other.in_order, host.in_order};
  for (int i = 0; i < 2; i++) {
    quern_accessor_t accessor;
    quern_group_t group = test_group(queues[i]);
    ASSERT_ERROR(quern_group_access(group, memory, quern_access_read_write, 0, 0, &accessor), quern_error_wrong_context,
                 "bound to another context");
    ASSERT_SUCCESS(quern_group_discard(group));
  }
  quern_group_t group = test_group(one.in_order);
  test_access(group, memory, quern_access_read);
  ASSERT_ERROR(quern_group_set_fallback(group, other.in_order), quern_error_wrong_context, "bound");
  ASSERT_SUCCESS(quern_group_discard(group));
  cl_mem native = NULL;
  ASSERT_ERROR(quern_opencl_memory_get_native(memory, other.context, &native), quern_error_wrong_context, "bound");
  test_add(&one, one.out_of_order, memory, 1, items);
  test_expect(memory, 6, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
  for (int i = 0; i < items; i++) assert_int_equal(values[i], 6);
}

/* C3: no transfer at all, whoever looks: the host maps, and so do host tasks. */
static void a_bound_buffer_is_never_moved(void **state) {
  (void)state;
  quern_memory_t memory = bound(one.context, NULL);
  fill_part(one.in_order, memory, 0, items, 1);
  for (int i = 0; i < 10; i++) {
    test_add(&one, i % 2 ? one.in_order : one.out_of_order, memory, 1, items);
    test_add_on_host(one.out_of_order, memory, 1, items);
    test_expect(memory, 3 + 2 * i, items);
  }
  quern_memory_statistics_t statistics = statistics_of(memory);
  assert_int_equal(statistics.copies + statistics.maps, 0);
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  ASSERT_SUCCESS(quern_host_access_begin(memory, quern_access_read_write, 8, 8, &pointer, &access));
  memset(pointer, 0, 8);
  ASSERT_SUCCESS(quern_host_access_end(access));
  fill_part(one.in_order, memory, 0, 2, 0);
  fill_part(one.in_order, memory, 4, items - 4, 0);
  test_expect(memory, 0, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void buffers_can_be_bound_to_the_host(void **state) {
  (void)state;
  quern_memory_t memory = bound(host.context, NULL);
  quern_accessor_t accessor;
  fill_part(host.in_order, memory, 0, items, 2);
  quern_group_t group = test_group(one.in_order);
  ASSERT_ERROR(quern_group_access(group, memory, quern_access_read, 0, 0, &accessor), quern_error_wrong_context,
               "bound");
  ASSERT_SUCCESS(quern_group_discard(group));
  test_expect(memory, 2, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ refusals */

static void bad_memory_objects_are_refused(void **state) {
  (void)state;
  quern_memory_t memory = NULL;
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  const quern_result_t refused = quern_error_invalid_argument;
  ASSERT_ERROR(quern_buffer_create(0, NULL, NULL, &memory), refused, "no bytes");
  ASSERT_ERROR(quern_buffer_create(4, NULL, NULL, NULL), refused, "null");
  options.flags = quern_memory_copy_host;
  ASSERT_ERROR(quern_buffer_create(4, NULL, &options, &memory), refused, "no host memory");
  options.flags = 1u << 31;
  ASSERT_ERROR(quern_buffer_create(4, NULL, &options, &memory), refused, "flags");
  options.size = 1;
  ASSERT_ERROR(quern_buffer_create(4, NULL, &options, &memory), refused, "bytes");
  assert_null(memory);
  memory = test_buffer(16, NULL, NULL);
  ASSERT_ERROR(quern_host_access_begin(memory, quern_access_read, 16, 0, &pointer, &access), refused, "offset 16");
  ASSERT_ERROR(quern_host_access_begin(memory, quern_access_read, 8, 9, &pointer, &access), refused, "9 bytes");
  ASSERT_ERROR(quern_host_access_end(NULL), quern_error_invalid_object, "null");
  ASSERT_SUCCESS(quern_memory_release(memory));
}

int main(int argc, char **argv) {
  platform_name = argc > 1 ? argv[1] : "Quern";
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shared_memory_is_never_copied),
      cmocka_unit_test(separate_memory_is_copied_when_stale),
      cmocka_unit_test(only_what_is_needed_is_moved),
      cmocka_unit_test(contents_are_written_back),
      cmocka_unit_test(groups_wait_for_the_hosts_access),
      cmocka_unit_test(the_bound_context_can_be_read_back),
      cmocka_unit_test(other_contexts_may_not_use_a_bound_buffer),
      cmocka_unit_test(a_bound_buffer_is_never_moved),
      cmocka_unit_test(buffers_can_be_bound_to_the_host),
      cmocka_unit_test(bad_memory_objects_are_refused),
  };
  return test_result(cmocka_run_group_tests(tests, open_places, close_places));
}
