/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unified memory: allocations, addresses as requirements, actions on addresses, buffers with unified storage.
 * Argument: the OpenCL platform. */
#include "groups.h"

enum { items = 4096, bytes = items * sizeof(int), rounds = 50, thread_count = 4 };

/* Where each test runs: on the device, and on the host where that can do it. */
static const test_place_t *const places[] = {&test_on_device, &test_on_host};
enum { place_count = 2 };

static quern_kernel_t chase;

static int *allocate(const test_place_t *place, quern_usm_kind_t kind) {
  void *pointer = NULL;
  ASSERT_SUCCESS(quern_usm_allocate(place->context, place->device, kind, bytes, 0, &pointer));
  assert_non_null(pointer);
  return pointer;
}

static void require(quern_group_t group, const void *pointer, quern_access_t access) {
  ASSERT_SUCCESS(quern_group_require_pointer(group, pointer, bytes, access));
}

/* x[i] += value by a kernel that takes the address; as a host task on the host. */
typedef struct addition_t {
  int *x, value;
} addition_t;

static quern_result_t run_addition(quern_handle_t handle, void *data) {
  const addition_t *addition = data;
  (void)handle;
  for (size_t i = 0; i < items; i++) addition->x[i] += addition->value;
  return quern_success;
}

static void set_addition(const test_place_t *place, quern_group_t group, int *x, int value) {
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  if (place->add) {
    ASSERT_SUCCESS(quern_group_set_kernel(group, place->add, &range));
    ASSERT_SUCCESS(quern_group_set_argument_pointer(group, 0, x));
    ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(value), &value));
    return;
  }
  addition_t *addition = malloc(sizeof(*addition));
  assert_non_null(addition);
  *addition = (addition_t){x, value};
  ASSERT_SUCCESS(quern_group_set_host_task(group, run_addition, addition));
  ASSERT_SUCCESS(quern_group_set_destructor(group, free, addition));
}

static void add(const test_place_t *place, quern_queue_t queue, int *x, int value) {
  quern_group_t group = test_group(queue);
  require(group, x, quern_access_read_write);
  set_addition(place, group, x, value);
  test_submit_only(group);
}

static void fill(quern_queue_t queue, int *x, int value) {
  quern_group_t group = test_group(queue);
  require(group, x, quern_access_discard_write);
  ASSERT_SUCCESS(quern_group_set_usm_fill(group, x, &value, sizeof(value), bytes));
  test_submit_only(group);
}

static void copy(quern_queue_t queue, int *to, const int *from) {
  quern_group_t group = test_group(queue);
  require(group, to, quern_access_discard_write);
  require(group, from, quern_access_read);
  ASSERT_SUCCESS(quern_group_set_usm_copy(group, to, from, bytes));
  test_submit_only(group);
}

static void expect(const int *x, int value) {
  for (size_t i = 0; i < items; i++) assert_int_equal(x[i], value);
}

/* ------------------------------------------------------------ allocations */

static void an_allocation_tells_what_it_is(void **state) {
  (void)state;
  for (int p = 0; p < place_count; p++) {
    const test_place_t *place = places[p];
    for (quern_usm_kind_t kind = 0; kind < quern_usm_total; kind++) {
      char *pointer = (char *)allocate(place, kind);
      quern_usm_facts_t facts;
      ASSERT_SUCCESS(quern_usm_find(place->context, pointer + bytes - 1, &facts));
      assert_int_equal(facts.kind, kind);
      assert_ptr_equal(facts.base, pointer);
      assert_int_equal(facts.size, bytes);
      assert_ptr_equal(facts.context, place->context);
      assert_ptr_equal(facts.device, place->device);
      ASSERT_ERROR(quern_usm_find(place->context, pointer + bytes, &facts), quern_error_not_found, "no allocation");
      ASSERT_ERROR(quern_usm_free(place->context, pointer + 1), quern_error_invalid_argument, "begins");
      ASSERT_SUCCESS(quern_usm_free(place->context, pointer));
      ASSERT_ERROR(quern_usm_free(place->context, pointer), quern_error_invalid_argument, "begins");
    }
  }
}

static void memory_of_a_device_is_of_one_context(void **state) {
  (void)state;
  quern_usm_facts_t facts;
  int *of_device = allocate(&test_on_device, quern_usm_device), *shared = allocate(&test_on_device, quern_usm_shared);
  ASSERT_ERROR(quern_usm_find(test_on_host.context, of_device, &facts), quern_error_not_found, "no allocation");
  ASSERT_SUCCESS(quern_usm_find(test_on_host.context, shared, &facts));
  assert_ptr_equal(facts.context, test_on_device.context);
  ASSERT_ERROR(quern_usm_free(test_on_host.context, shared), quern_error_invalid_argument, "begins");
  ASSERT_ERROR(quern_usm_wait(test_on_device.context, of_device, 0, quern_access_read), quern_error_wrong_context,
               "device alone");
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, of_device));
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, shared));
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, NULL));
}

static void alignment_is_kept(void **state) {
  (void)state;
  for (int p = 0; p < place_count; p++) {
    for (size_t alignment = 1; alignment <= 128; alignment *= 2) {
      void *pointer = NULL;
      ASSERT_SUCCESS(quern_usm_allocate(places[p]->context, NULL, quern_usm_shared, 3, alignment, &pointer));
      assert_int_equal((uintptr_t)pointer % alignment, 0);
      ASSERT_SUCCESS(quern_usm_free(places[p]->context, pointer));
    }
  }
}

static void wrong_allocations_are_refused(void **state) {
  (void)state;
  quern_context_t context = test_on_device.context;
  quern_device_t device = test_on_device.device;
  void *pointer = &pointer;
  ASSERT_ERROR(quern_usm_allocate(NULL, device, quern_usm_shared, 1, 0, &pointer), quern_error_invalid_object, "null");
  ASSERT_ERROR(quern_usm_allocate(context, NULL, quern_usm_device, 1, 0, &pointer), quern_error_invalid_object, "null");
  ASSERT_ERROR(quern_usm_allocate(context, test_on_host.device, quern_usm_shared, 1, 0, &pointer),
               quern_error_invalid_argument, "not one of the context");
  ASSERT_ERROR(quern_usm_allocate(context, device, (quern_usm_kind_t)test_unlisted(), 1, 0, &pointer),
               quern_error_invalid_argument, "no kind");
  ASSERT_ERROR(quern_usm_allocate(context, device, quern_usm_total, 1, 0, &pointer), quern_error_invalid_argument,
               "no kind");
  ASSERT_ERROR(quern_usm_allocate(context, device, quern_usm_shared, 0, 0, &pointer), quern_error_invalid_argument,
               "no bytes");
  ASSERT_ERROR(quern_usm_allocate(context, device, quern_usm_shared, 1, 3, &pointer), quern_error_invalid_argument,
               "power of two");
  ASSERT_ERROR(quern_usm_allocate(context, device, quern_usm_shared, 1, 0, NULL), quern_error_invalid_argument, "null");
  assert_ptr_equal(pointer, &pointer);
}

/* ------------------------------------------------------------ order */

/* Two queues, out of order and in order: only the addresses order. */
static void addresses_order_groups(void **state) {
  (void)state;
  for (int p = 0; p < place_count; p++) {
    const test_place_t *place = places[p];
    int *x = allocate(place, quern_usm_shared), *y = allocate(place, quern_usm_device);
    int *z = allocate(place, quern_usm_host);
    for (int i = 0; i < rounds; i++) {
      fill(place->out_of_order, x, i);
      add(place, place->in_order, x, 10);
      copy(place->out_of_order, y, x);
      add(place, place->out_of_order, y, 100);
      fill(place->in_order, x, -1);
      copy(place->in_order, z, y);
      ASSERT_SUCCESS(quern_usm_wait(place->context, z, bytes, quern_access_read));
      expect(z, i + 110);
    }
    ASSERT_SUCCESS(quern_usm_wait(place->context, x, 0, quern_access_read));
    expect(x, -1);
    ASSERT_SUCCESS(quern_usm_free(place->context, x));
    ASSERT_SUCCESS(quern_usm_free(place->context, y));
    ASSERT_SUCCESS(quern_usm_free(place->context, z));
  }
}

/* The host's queue uses shared memory of the device's context between kernels. */
static void the_host_takes_part(void **state) {
  (void)state;
  int *x = allocate(&test_on_device, quern_usm_shared);
  fill(test_on_device.out_of_order, x, 0);
  for (int i = 0; i < rounds; i++) {
    add(&test_on_device, test_on_device.out_of_order, x, 1);
    add(&test_on_host, test_on_host.out_of_order, x, 10);
  }
  ASSERT_SUCCESS(quern_usm_wait(test_on_host.context, x, 0, quern_access_read_write));
  expect(x, rounds * 11);
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, x));
}

/* Memory of malloc orders, too: between groups with memory objects and addresses. */
static void memory_that_is_no_allocation_orders(void **state) {
  (void)state;
  int *host = calloc(items, sizeof(int)), *x = allocate(&test_on_device, quern_usm_device);
  assert_non_null(host);
  quern_memory_t buffer = test_buffer(bytes, NULL, NULL);
  for (int i = 0; i < rounds; i++) {
    quern_group_t group = test_group(test_on_device.out_of_order);
    fill(test_on_device.out_of_order, x, i);
    copy(test_on_device.out_of_order, host, x);
    add(&test_on_host, test_on_host.out_of_order, host, 5);
    require(group, host, quern_access_read);
    ASSERT_SUCCESS(quern_group_set_write(group, host, test_access(group, buffer, quern_access_discard_write)));
    test_submit_only(group);
    add(&test_on_host, test_on_host.out_of_order, host, 5);
    test_expect(buffer, i + 5, items);
    ASSERT_SUCCESS(quern_usm_wait(test_on_host.context, host, bytes, quern_access_read));
    expect(host, i + 10);
  }
  ASSERT_SUCCESS(quern_memory_release(buffer));
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, x));
  free(host);
}

/* Parts of it are used by many groups at once, in no order of their addresses. */
static void ranges_of_such_memory_are_kept_apart(void **state) {
  (void)state;
  enum { parts = 64, most = 4000, part = items / parts };
  int *host = calloc(items, sizeof(int));
  assert_non_null(host);
  unsigned number = 1;
  int expected[parts] = {0};
  for (int i = 0; i < most; i++) {
    quern_group_t group = test_group(i % 2 ? test_on_host.out_of_order : test_on_device.out_of_order);
    number = number * 1664525u + 1013904223u;
    size_t index = (number >> 16) % parts;
    int *to = host + index * part;
    ASSERT_SUCCESS(quern_group_require_pointer(group, to, part * sizeof(int), quern_access_write));
    if (i % 2) {
      ASSERT_SUCCESS(quern_group_set_usm_fill(group, to, &i, sizeof(i), part * sizeof(int)));
    } else {
      quern_memory_t source = test_buffer(part * sizeof(int), NULL, NULL);
      quern_group_t before = test_group(test_on_device.out_of_order);
      ASSERT_SUCCESS(
          quern_group_set_fill(before, test_access(before, source, quern_access_discard_write), &i, sizeof(i)));
      test_submit_only(before);
      ASSERT_SUCCESS(quern_group_set_read(group, test_access(group, source, quern_access_read), to));
      ASSERT_SUCCESS(quern_memory_release(source));
    }
    test_submit_only(group);
    expected[index] = i;
  }
  ASSERT_SUCCESS(quern_usm_wait(test_on_host.context, host, bytes, quern_access_read));
  for (size_t i = 0; i < items; i++) assert_int_equal(host[i], expected[i / part]);
  free(host);
}

/* Each thread works with its own allocations and with one that all have. */
typedef struct worker_t {
  const test_place_t *place;
  int *common;
  atomic_int failed;
} worker_t;

static void *work(void *data) {
  worker_t *worker = data;
  const test_place_t *place = worker->place;
  for (int i = 0; i < rounds; i++) {
    int *own = allocate(place, i % 2 ? quern_usm_shared : quern_usm_host);
    fill(place->out_of_order, own, i);
    add(place, place->out_of_order, own, 1);
    add(place, i % 2 ? place->in_order : place->out_of_order, worker->common, 1);
    ASSERT_SUCCESS(quern_usm_wait(place->context, own, 0, quern_access_read));
    for (size_t j = 0; j < items; j++) {
      if (own[j] != i + 1) atomic_store(&worker->failed, 1);
    }
    add(place, place->out_of_order, own, 1);
    ASSERT_SUCCESS(quern_usm_free(place->context, own));
  }
  return NULL;
}

static void threads_work_with_addresses(void **state) {
  (void)state;
  for (int p = 0; p < place_count; p++) {
    pthread_t threads[thread_count];
    worker_t worker = {.place = places[p], .common = allocate(places[p], quern_usm_shared)};
    fill(worker.place->out_of_order, worker.common, 0);
    for (int i = 0; i < thread_count; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, &worker), 0);
    for (int i = 0; i < thread_count; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    ASSERT_SUCCESS(quern_usm_wait(worker.place->context, worker.common, 0, quern_access_read));
    expect(worker.common, thread_count * rounds);
    assert_int_equal(atomic_load(&worker.failed), 0);
    ASSERT_SUCCESS(quern_usm_free(worker.place->context, worker.common));
  }
}

/* ------------------------------------------------------------ kernels */

/* The kernel gets an address of addresses: the memory behind those is required, and is no argument. */
static void kernels_reach_what_is_required(void **state) {
  (void)state;
  enum { lists = 3 };
  quern_context_t context = test_on_device.context;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  for (int i = 0; i < rounds; i++) {
    int *table_memory = allocate(&test_on_device, quern_usm_shared), *lists_memory[lists];
    int **table = (int **)(void *)table_memory;
    quern_group_t group = test_group(test_on_device.out_of_order);
    require(group, table_memory, quern_access_read);
    for (int j = 0; j < lists; j++) {
      table[j] = lists_memory[j] = allocate(&test_on_device, quern_usm_shared);
      fill(test_on_device.out_of_order, table[j], j);
      require(group, table[j], quern_access_read_write);
    }
    ASSERT_SUCCESS(quern_group_set_kernel(group, chase, &range));
    ASSERT_SUCCESS(quern_group_set_argument_pointer(group, 0, table));
    test_submit_only(group);
    for (int j = 0; j < lists; j++) {
      ASSERT_SUCCESS(quern_usm_wait(context, lists_memory[j], 0, quern_access_read));
      expect(lists_memory[j], j + 1);
      ASSERT_SUCCESS(quern_usm_free(context, lists_memory[j]));
    }
    ASSERT_SUCCESS(quern_usm_free(context, table_memory));
  }
}

/* ------------------------------------------------------------ ends and failures */

static quern_result_t hold(quern_handle_t handle, void *data) {
  atomic_int *gate = data;
  (void)handle;
  while (!atomic_load(gate)) continue;
  return quern_success;
}

static void an_allocation_lives_as_long_as_its_groups(void **state) {
  (void)state;
  for (int p = 0; p < place_count; p++) {
    const test_place_t *place = places[p];
    atomic_int gate = 0;
    int *x = allocate(place, quern_usm_shared), *host = calloc(items, sizeof(int));
    assert_non_null(host);
    quern_group_t group = test_group(test_on_host.out_of_order);
    require(group, host, quern_access_write);
    ASSERT_SUCCESS(quern_group_set_host_task(group, hold, &gate));
    test_submit_only(group);
    fill(place->out_of_order, x, 7);
    copy(place->out_of_order, host, x);
    ASSERT_SUCCESS(quern_usm_free(place->context, x));
    quern_usm_facts_t facts;
    ASSERT_ERROR(quern_usm_find(place->context, x, &facts), quern_error_not_found, "no allocation");
    atomic_store(&gate, 1);
    ASSERT_SUCCESS(quern_usm_wait(place->context, host, bytes, quern_access_read));
    expect(host, 7);
    free(host);
  }
}

static quern_result_t fail_task(quern_handle_t handle, void *data) {
  (void)data;
  return quern_handle_fail(handle, quern_error_task_failed, "on purpose");
}

static void failures_are_passed_on_until_the_host_has_looked(void **state) {
  (void)state;
  test_errors_t errors = {0};
  quern_queue_t queue = NULL;
  quern_event_t event;
  int *x = allocate(&test_on_device, quern_usm_shared);
  fill(test_on_device.out_of_order, x, 3);
  ASSERT_SUCCESS(quern_queue_create(test_on_host.context, test_on_host.device, 0, test_errors_add, &errors, &queue));
  for (int looks = 0; looks < 2; looks++) {
    quern_group_t group = test_group(queue), reader = test_group(test_on_device.out_of_order);
    require(group, x, quern_access_write);
    ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
    event = test_submit(group);
    assert_int_equal(quern_event_wait(event), quern_error_task_failed);
    ASSERT_SUCCESS(quern_event_release(event));
    require(reader, x, quern_access_read_write);
    set_addition(&test_on_device, reader, x, 1);
    event = test_submit(reader);
    ASSERT_ERROR(quern_event_wait(event), quern_error_task_failed, "on purpose");
    ASSERT_SUCCESS(quern_event_release(event));
    if (looks) {
      ASSERT_SUCCESS(quern_usm_wait(test_on_device.context, x, 0, quern_access_read));
      expect(x, 3);
    } else {
      fill(test_on_device.out_of_order, x, 3);
    }
    add(&test_on_device, test_on_device.out_of_order, x, 0);
    ASSERT_SUCCESS(quern_usm_wait(test_on_device.context, x, 0, quern_access_read));
    expect(x, 3);
  }
  assert_int_equal(atomic_load(&errors.count), 2);
  ASSERT_SUCCESS(quern_queue_release(queue));
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, x));
}

/* What comes to be there later is nothing of the library's. */
static void failures_in_other_memory_are_those_of_one_group(void **state) {
  (void)state;
  test_errors_t errors = {0};
  quern_queue_t queue = NULL;
  int *host = calloc(items, sizeof(int));
  assert_non_null(host);
  ASSERT_SUCCESS(quern_queue_create(test_on_host.context, test_on_host.device, 0, test_errors_add, &errors, &queue));
  quern_group_t group = test_group(queue);
  require(group, host, quern_access_write);
  ASSERT_SUCCESS(quern_group_set_host_task(group, fail_task, NULL));
  test_submit_only(group);
  add(&test_on_host, test_on_host.out_of_order, host, 2);
  ASSERT_SUCCESS(quern_queue_wait(queue));
  add(&test_on_host, test_on_host.out_of_order, host, 3);
  ASSERT_SUCCESS(quern_usm_wait(test_on_host.context, host, bytes, quern_access_read));
  expect(host, 5);
  assert_int_equal(atomic_load(&errors.count), 1);
  ASSERT_SUCCESS(quern_queue_release(queue));
  free(host);
}

static void wrong_uses_are_refused(void **state) {
  (void)state;
  quern_context_t other = NULL;
  quern_queue_t queue = NULL;
  ASSERT_SUCCESS(quern_context_create(1, &test_on_device.device, NULL, NULL, &other));
  ASSERT_SUCCESS(quern_queue_create(other, test_on_device.device, 0, NULL, NULL, &queue));
  int *x = allocate(&test_on_device, quern_usm_shared), *of_device = allocate(&test_on_device, quern_usm_device), y = 0;
  quern_group_t group = test_group(queue), on_host = test_group(test_on_host.in_order);
  ASSERT_ERROR(quern_group_require_pointer(group, x, 0, quern_access_read), quern_error_wrong_context, "context");
  ASSERT_ERROR(quern_group_set_usm_copy(group, x, x + 1, 8), quern_error_invalid_argument, "overlap");
  ASSERT_ERROR(quern_group_set_usm_copy(group, NULL, x, 8), quern_error_invalid_argument, "null");
  ASSERT_ERROR(quern_group_set_usm_copy(group, &y, x, 0), quern_error_invalid_argument, "no bytes");
  ASSERT_ERROR(quern_group_set_usm_fill(group, x, &y, 3, 12), quern_error_invalid_argument, "pattern of 3");
  ASSERT_ERROR(quern_group_set_usm_fill(group, x, &y, 4, 6), quern_error_invalid_argument, "pattern of 4");
  ASSERT_ERROR(quern_group_set_usm_fill(group, x, NULL, 4, 8), quern_error_invalid_argument, "null");
  ASSERT_ERROR(quern_group_set_prefetch(group, x, 0), quern_error_invalid_argument, "no bytes");
  ASSERT_ERROR(quern_group_set_advice(group, NULL, 1, 0), quern_error_invalid_argument, "null");
  quern_group_t with_action = test_group(queue);
  ASSERT_SUCCESS(quern_group_set_usm_fill(with_action, x, &y, 4, 4));
  ASSERT_ERROR(quern_group_set_argument_pointer(with_action, 0, x), quern_error_invalid_operation, "only kernels");
  ASSERT_SUCCESS(quern_group_discard(with_action));
  ASSERT_ERROR(quern_group_require_pointer(on_host, &y, 0, quern_access_read), quern_error_invalid_argument,
               "no bytes");
  ASSERT_ERROR(quern_group_require_pointer(on_host, x, bytes + 1, quern_access_read), quern_error_invalid_argument,
               "bytes at offset");
  ASSERT_ERROR(quern_group_require_pointer(on_host, NULL, 1, quern_access_read), quern_error_invalid_argument, "null");
  ASSERT_SUCCESS(quern_group_require_pointer(on_host, x, 0, quern_access_read));
  ASSERT_ERROR(quern_group_require_pointer(on_host, of_device, 0, quern_access_read), quern_error_invalid_argument,
               "no bytes");
  ASSERT_SUCCESS(quern_group_discard(on_host));
  ASSERT_SUCCESS(quern_group_discard(group));
  ASSERT_SUCCESS(quern_queue_release(queue));
  ASSERT_SUCCESS(quern_context_release(other));
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, x));
  ASSERT_SUCCESS(quern_usm_free(test_on_device.context, of_device));
}

static void hints_are_taken(void **state) {
  (void)state;
  for (int p = 0; p < place_count; p++) {
    int *x = allocate(places[p], quern_usm_shared);
    quern_group_t prefetch = test_group(places[p]->in_order), advice = test_group(places[p]->out_of_order);
    fill(places[p]->in_order, x, 4);
    require(prefetch, x, quern_access_read);
    ASSERT_SUCCESS(quern_group_set_prefetch(prefetch, x, bytes));
    test_finish(test_submit(prefetch));
    require(advice, x, quern_access_read);
    ASSERT_SUCCESS(quern_group_set_advice(advice, x, bytes, 0));
    test_finish(test_submit(advice));
    expect(x, 4);
    ASSERT_SUCCESS(quern_usm_free(places[p]->context, x));
  }
}

/* ------------------------------------------------------------ buffers with unified storage */

static quern_memory_t unified_buffer(const test_place_t *place, void *host, quern_memory_flags_t flags) {
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_unified | flags;
  options.bound_context = place->context;
  return test_buffer(bytes, host, &options);
}

/* One content by address and by accessor, and what the host sees is at the same address. */
static void a_unified_buffer_is_one_content(void **state) {
  (void)state;
  for (int p = 0; p < place_count; p++) {
    const test_place_t *place = places[p];
    int *host = calloc(items, sizeof(int));
    assert_non_null(host);
    quern_memory_t buffer = unified_buffer(place, host, 0);
    quern_host_access_t access = NULL;
    void *pointer = NULL, *seen = NULL;
    ASSERT_SUCCESS(quern_memory_get_pointer(buffer, &pointer));
    for (int i = 0; i < rounds; i++) {
      add(place, place->out_of_order, pointer, 1);
      if (place->add) {
        test_add(place, place->out_of_order, buffer, 10, items);
      } else {
        test_add_on_host(place->out_of_order, buffer, 10, items);
      }
    }
    ASSERT_SUCCESS(quern_host_access_begin(buffer, quern_access_read, 0, 0, &seen, &access));
    assert_ptr_equal(seen, pointer);
    expect(seen, rounds * 11);
    ASSERT_SUCCESS(quern_host_access_end(access));
    quern_memory_t part = NULL;
    ASSERT_SUCCESS(quern_buffer_create_part(buffer, bytes / 2, 0, &part));
    ASSERT_SUCCESS(quern_memory_get_pointer(part, &seen));
    assert_ptr_equal(seen, (char *)pointer + bytes / 2);
    ASSERT_SUCCESS(quern_memory_release(part));
    expect(host, 0);
    ASSERT_SUCCESS(quern_memory_release(buffer));
    expect(host, rounds * 11);
    free(host);
  }
}

static void unified_storage_is_for_bound_buffers_only(void **state) {
  (void)state;
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  const quern_image_layout_t layout = {2, 4, 4, 1, CL_RGBA, CL_FLOAT};
  quern_memory_t memory = NULL;
  void *pointer = NULL;
  options.flags = quern_memory_unified;
  ASSERT_ERROR(quern_buffer_create(bytes, NULL, &options, &memory), quern_error_invalid_argument, "bound");
  options.bound_context = test_on_device.context;
  ASSERT_ERROR(quern_image_create(&layout, NULL, &options, &memory), quern_error_invalid_argument, "image");
  memory = test_buffer(bytes, NULL, NULL);
  ASSERT_ERROR(quern_memory_get_pointer(memory, &pointer), quern_error_invalid_operation, "unified");
  ASSERT_SUCCESS(quern_memory_release(memory));
  /* Elsewhere neither the buffer nor its address is used. */
  memory = unified_buffer(&test_on_device, NULL, 0);
  quern_group_t group = test_group(test_on_host.in_order);
  ASSERT_SUCCESS(quern_memory_get_pointer(memory, &pointer));
  ASSERT_ERROR(quern_group_access(group, memory, quern_access_read, 0, 0, NULL), quern_error_wrong_context, "bound");
  ASSERT_ERROR(quern_group_require_pointer(group, pointer, 0, quern_access_read), quern_error_wrong_context, "context");
  ASSERT_ERROR(quern_usm_free(test_on_device.context, pointer), quern_error_invalid_argument, "no allocation");
  ASSERT_SUCCESS(quern_group_discard(group));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* Whoever has the native object has the storage, too. */
static void unified_storage_lives_as_long_as_its_native_object(void **state) {
  (void)state;
  quern_memory_t buffer = unified_buffer(&test_on_device, NULL, 0);
  cl_command_queue queue = NULL;
  cl_mem native = NULL;
  int value = 9;
  ASSERT_SUCCESS(quern_opencl_queue_get_native(test_on_device.in_order, &queue));
  ASSERT_SUCCESS(quern_opencl_memory_get_native(buffer, test_on_device.context, &native));
  ASSERT_SUCCESS(quern_memory_release(buffer));
  int *others[8];
  for (int i = 0; i < 8; i++) others[i] = allocate(&test_on_device, quern_usm_shared);
  for (int i = 0; i < 8; i++) memset(others[i], 0, bytes);
  assert_int_equal(clEnqueueFillBuffer(queue, native, &value, sizeof(value), 0, bytes, 0, NULL, NULL), CL_SUCCESS);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  for (int i = 0; i < 8; i++) {
    expect(others[i], 0);
    ASSERT_SUCCESS(quern_usm_free(test_on_device.context, others[i]));
  }
  assert_int_equal(clReleaseMemObject(native), CL_SUCCESS);
  assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
}

static int open_all(void **state) {
  static const char source[] =
      "kernel void chase(global int *global *lists) {\n"
      "  for (int i = 0; i < 3; i++) lists[i][get_global_id(0)]++;\n"
      "}\n";
  quern_program_t program = NULL;
  if (test_places_open(state) != 0) return -1;
  ASSERT_SUCCESS(quern_program_create_from_source(test_on_device.context, source, "-cl-std=CL2.0", &program));
  ASSERT_SUCCESS(quern_kernel_create(program, "chase", &chase));
  ASSERT_SUCCESS(quern_program_release(program));
  return 0;
}

static int close_all(void **state) {
  ASSERT_SUCCESS(quern_kernel_release(chase));
  return test_places_close(state);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_allocation_tells_what_it_is),
      cmocka_unit_test(memory_of_a_device_is_of_one_context),
      cmocka_unit_test(alignment_is_kept),
      cmocka_unit_test(wrong_allocations_are_refused),
      cmocka_unit_test(addresses_order_groups),
      cmocka_unit_test(the_host_takes_part),
      cmocka_unit_test(memory_that_is_no_allocation_orders),
      cmocka_unit_test(ranges_of_such_memory_are_kept_apart),
      cmocka_unit_test(threads_work_with_addresses),
      cmocka_unit_test(kernels_reach_what_is_required),
      cmocka_unit_test(an_allocation_lives_as_long_as_its_groups),
      cmocka_unit_test(failures_are_passed_on_until_the_host_has_looked),
      cmocka_unit_test(failures_in_other_memory_are_those_of_one_group),
      cmocka_unit_test(wrong_uses_are_refused),
      cmocka_unit_test(hints_are_taken),
      cmocka_unit_test(a_unified_buffer_is_one_content),
      cmocka_unit_test(unified_storage_is_for_bound_buffers_only),
      cmocka_unit_test(unified_storage_lives_as_long_as_its_native_object),
  };
  test_platform = argc > 1 ? argv[1] : "Quern";
  return test_result(cmocka_run_group_tests(tests, open_all, close_all));
}
