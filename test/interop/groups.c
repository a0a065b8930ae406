/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What tests of command groups share. */
#include "groups.h"

#include <unistd.h>

static const char *const source =
    "kernel void add(global int *x, int value) { x[get_global_id(0)] += value; }\n"
    "kernel void scale(global const int *x, global int *y, int value) {\n"
    "  size_t i = get_global_id(0); y[i] = (x[i] * value) & 0x7fffffff;\n"
    "}\n"
    /* Every launch adds itself, and looks for the others until it has seen them all, or for long enough. */
    "kernel void spin(global volatile int *arrived, global int *met, int all, int launch, int most) {\n"
    "  atomic_inc(arrived);\n"
    "  int seen = 0;\n"
    "  for (int i = 0; i < most && seen < all; i++) seen = atomic_or(arrived, 0);\n"
    "  met[launch] = seen;\n"
    "}\n"
    "kernel void fault(global int *x, ulong address) {\n"
    "  x[get_global_id(0)] = *(global int *)address;\n"
    "}\n";

void test_errors_add(const quern_async_error_t *error, void *data) {
  test_errors_t *errors = data;
  errors->last = error->result;
  snprintf(errors->message, sizeof(errors->message), "%s", error->message);
  atomic_fetch_add(&errors->count, 1);
}

int test_open_places;

int test_result(int failures) {
  if (!failures && test_open_places) print_error("%d places were not closed well\n", test_open_places);
  return failures ? failures : test_open_places;
}

static void open_queues(test_place_t *place) {
  test_open_places++;
  ASSERT_SUCCESS(quern_context_create(1, &place->device, test_errors_add, &place->errors, &place->context));
  ASSERT_SUCCESS(quern_queue_create(place->context, place->device, 0, NULL, NULL, &place->in_order));
  ASSERT_SUCCESS(
      quern_queue_create(place->context, place->device, quern_queue_out_of_order, NULL, NULL, &place->out_of_order));
}

void test_place_open(test_place_t *place, quern_device_t device) {
  memset(place, 0, sizeof(*place));
  place->device = device;
  open_queues(place);
  ASSERT_SUCCESS(quern_program_create_from_source(place->context, source, NULL, &place->program));
  ASSERT_SUCCESS(quern_kernel_create(place->program, "add", &place->add));
  ASSERT_SUCCESS(quern_kernel_create(place->program, "scale", &place->scale));
  ASSERT_SUCCESS(quern_kernel_create(place->program, "spin", &place->spin));
  ASSERT_SUCCESS(quern_kernel_create(place->program, "fault", &place->fault));
}

void test_place_open_host(test_place_t *place) {
  memset(place, 0, sizeof(*place));
  place->device = test_host_device();
  open_queues(place);
}

void test_place_close(test_place_t *place) {
  ASSERT_SUCCESS(quern_queue_wait(place->in_order));
  ASSERT_SUCCESS(quern_queue_wait(place->out_of_order));
  if (atomic_load(&place->errors.count)) print_error("%s\n", place->errors.message);
  assert_int_equal(atomic_load(&place->errors.count), 0);
  if (place->program) {
    quern_kernel_release(place->add);
    quern_kernel_release(place->scale);
    quern_kernel_release(place->spin);
    quern_kernel_release(place->fault);
    quern_program_release(place->program);
  }
  ASSERT_SUCCESS(quern_queue_release(place->in_order));
  ASSERT_SUCCESS(quern_queue_release(place->out_of_order));
  ASSERT_SUCCESS(quern_context_release(place->context));
  test_open_places--;
}

quern_device_t test_find_device(const char *platform_name) {
  quern_platform_t platforms[test_list_capacity];
  size_t count = 0;
  if (quern_platform_list_of_backend(quern_backend_opencl, test_list_capacity, platforms, &count) != quern_success) {
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    const char *name = "";
    quern_device_t device = NULL;
    ASSERT_SUCCESS(quern_platform_get_name(platforms[i], &name));
    if (strcmp(name, platform_name) != 0) continue;
    ASSERT_SUCCESS(quern_platform_get_devices(platforms[i], quern_device_type_all, 1, &device, NULL));
    return device;
  }
  return NULL;
}

test_place_t test_on_device, test_on_host;
const char *test_platform;

int test_places_open(void **state) {
  (void)state;
  quern_device_t device = test_find_device(test_platform);
  assert_non_null(device);
  test_place_open(&test_on_device, device);
  test_place_open_host(&test_on_host);
  return 0;
}

int test_places_close(void **state) {
  (void)state;
  test_place_close(&test_on_device);
  test_place_close(&test_on_host);
  return 0;
}

/* ------------------------------------------------------------ company */

enum { company_size = 3, company_items = 64, company_pause_us = 300 };

static struct {
  pthread_t threads[company_size];
  atomic_bool ends;
  atomic_int additions;
  /** Of all of them. */
  quern_memory_t shared;
  /** Whose kernels they use, and their own queues in the contexts of two places. */
  const test_place_t *device;
  quern_queue_t on_device, on_host;
} company;

static quern_queue_t company_queue(const test_place_t *place) {
  quern_queue_t queue = NULL;
  ASSERT_SUCCESS(quern_queue_create(place->context, place->device, quern_queue_out_of_order, NULL, NULL, &queue));
  return queue;
}

static void *keep_company(void *data) {
  int values[company_items] = {0};
  quern_memory_t own = test_buffer(sizeof(values), values, NULL);
  (void)data;
  int rounds = 0;
  while (!atomic_load(&company.ends)) {
    test_add(company.device, company.on_device, own, 1, company_items);
    test_add_on_host(company.on_host, own, 1, company_items);
    test_add_on_host(company.on_host, company.shared, 1, company_items);
    quern_event_t last =
        test_submit(test_addition(company.device, company.on_device, company.shared, 1, company_items));
    atomic_fetch_add(&company.additions, 2);
    test_expect(own, 2 * ++rounds, company_items);
    /* Otherwise groups of the common memory, which run one after another, would pile up. */
    test_finish(last);
    usleep(company_pause_us);
  }
  ASSERT_SUCCESS(quern_memory_release(own));
  for (int i = 0; i < company_items; i++) assert_int_equal(values[i], 2 * rounds);
  return NULL;
}

void test_company_begin(const test_place_t *device, const test_place_t *host) {
  static int zeros[company_items];
  atomic_store(&company.ends, false);
  atomic_store(&company.additions, 0);
  company.device = device;
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  company.shared = test_buffer(sizeof(zeros), zeros, &options);
  company.on_device = company_queue(device);
  company.on_host = company_queue(host);
  for (int i = 0; i < company_size; i++) {
    assert_int_equal(pthread_create(&company.threads[i], NULL, keep_company, NULL), 0);
  }
}

void test_company_end(void) {
  atomic_store(&company.ends, true);
  for (int i = 0; i < company_size; i++) pthread_join(company.threads[i], NULL);
  test_expect(company.shared, atomic_load(&company.additions), company_items);
  ASSERT_SUCCESS(quern_memory_release(company.shared));
  ASSERT_SUCCESS(quern_queue_release(company.on_device));
  ASSERT_SUCCESS(quern_queue_release(company.on_host));
}

int test_places_open_together(void **state) {
  int failed = test_places_open(state);
  if (!failed) test_company_begin(&test_on_device, &test_on_host);
  return failed;
}

int test_places_close_together(void **state) {
  test_company_end();
  return test_places_close(state);
}

/* ------------------------------------------------------------ groups */

quern_memory_t test_buffer(size_t size, void *host, const quern_memory_options_t *options) {
  quern_memory_t memory = NULL;
  ASSERT_SUCCESS(quern_buffer_create(size, host, options, &memory));
  return memory;
}

quern_group_t test_group(quern_queue_t queue) {
  quern_group_t group = NULL;
  ASSERT_SUCCESS(quern_group_create(queue, &group));
  return group;
}

quern_accessor_t test_access(quern_group_t group, quern_memory_t memory, quern_access_t access) {
  quern_accessor_t accessor;
  ASSERT_SUCCESS(quern_group_access(group, memory, access, 0, 0, &accessor));
  return accessor;
}

quern_event_t test_submit(quern_group_t group) {
  quern_event_t event = NULL;
  ASSERT_SUCCESS(quern_group_submit(group, &event));
  return event;
}

void test_submit_only(quern_group_t group) { ASSERT_SUCCESS(quern_group_submit(group, NULL)); }

void test_finish(quern_event_t event) {
  ASSERT_SUCCESS(quern_event_wait(event));
  ASSERT_SUCCESS(quern_event_release(event));
}

quern_group_t test_addition(const test_place_t *place, quern_queue_t queue, quern_memory_t memory, int value,
                            size_t count) {
  const quern_range_t range = {.dimensions = 1, .global = {count}};
  quern_group_t group = test_group(queue);
  quern_accessor_t x = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_kernel(group, place->add, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, x));
  ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(value), &value));
  return group;
}

void test_add(const test_place_t *place, quern_queue_t queue, quern_memory_t memory, int value, size_t count) {
  test_submit_only(test_addition(place, queue, memory, value, count));
}

typedef struct addition_t {
  quern_accessor_t x;
  int value;
  size_t count;
} addition_t;

static quern_result_t run_addition(quern_handle_t handle, void *data) {
  const addition_t *addition = data;
  void *pointer;
  quern_result_t result = quern_handle_get_pointer(handle, addition->x, &pointer);
  if (result != quern_success) return result;
  int *x = pointer;
  for (size_t i = 0; i < addition->count; i++) x[i] += addition->value;
  return quern_success;
}

void test_add_on_host(quern_queue_t queue, quern_memory_t memory, int value, size_t count) {
  quern_group_t group = test_group(queue);
  addition_t *addition = malloc(sizeof(*addition));
  assert_non_null(addition);
  *addition = (addition_t){test_access(group, memory, quern_access_read_write), value, count};
  ASSERT_SUCCESS(quern_group_set_host_task(group, run_addition, addition));
  ASSERT_SUCCESS(quern_group_set_destructor(group, free, addition));
  test_submit_only(group);
}

void test_expect(quern_memory_t memory, int value, size_t count) {
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  ASSERT_SUCCESS(quern_host_access_begin(memory, quern_access_read, 0, 0, &pointer, &access));
  const int *x = pointer;
  for (size_t i = 0; i < count; i++) assert_int_equal(x[i], value);
  ASSERT_SUCCESS(quern_host_access_end(access));
}
