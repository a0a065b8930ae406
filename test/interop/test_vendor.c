/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Backends of others: the example backend registered beside the host and OpenCL. Argument: the OpenCL platform. */
#include <time.h>

#include "groups.h"
#include "vendor_example.h"

enum { items = 2048, bytes = items * sizeof(int), rounds = 40, thread_count = 4, device_total = 2 };

static example_t example;
static quern_backend_t backend;
/** The example's devices: with memory of its own, and with the host's. */
static test_place_t places[device_total];

static quern_device_t device_of_example(size_t index) {
  quern_platform_t platform = NULL;
  quern_device_t devices[device_total] = {NULL};
  size_t count = 0;
  ASSERT_SUCCESS(quern_platform_make(backend, &platform));
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_all, device_total, devices, &count));
  assert_int_equal(count, device_total);
  return devices[index];
}

static void open_place(test_place_t *place, quern_device_t device) {
  memset(place, 0, sizeof(*place));
  place->device = device;
  test_open_places++;
  ASSERT_SUCCESS(quern_context_create(1, &device, test_errors_add, &place->errors, &place->context));
  ASSERT_SUCCESS(quern_queue_create(place->context, device, quern_queue_profiling, NULL, NULL, &place->in_order));
  ASSERT_SUCCESS(
      quern_queue_create(place->context, device, quern_queue_out_of_order, NULL, NULL, &place->out_of_order));
  ASSERT_SUCCESS(quern_program_create_from_source(place->context, "add scale chase fault", NULL, &place->program));
  ASSERT_SUCCESS(quern_kernel_create(place->program, "add", &place->add));
  ASSERT_SUCCESS(quern_kernel_create(place->program, "scale", &place->scale));
  ASSERT_SUCCESS(quern_kernel_create(place->program, "chase", &place->spin));
  ASSERT_SUCCESS(quern_kernel_create(place->program, "fault", &place->fault));
}

/* ------------------------------------------------------------ registering */

static void wrong_tables_are_refused(void **state) {
  (void)state;
  quern_vendor_functions_t functions = example_functions;
  quern_backend_t other = quern_backend_total;
  ASSERT_ERROR(quern_vendor_register(NULL, &functions, NULL, &other), quern_error_invalid_argument, "name");
  ASSERT_ERROR(quern_vendor_register("", &functions, NULL, &other), quern_error_invalid_argument, "name");
  ASSERT_ERROR(quern_vendor_register("opencl", &functions, NULL, &other), quern_error_invalid_argument, "already");
  ASSERT_ERROR(quern_vendor_register("example", &functions, NULL, &other), quern_error_invalid_argument, "already");
  ASSERT_ERROR(quern_vendor_register("other", NULL, NULL, &other), quern_error_invalid_argument, "null");
  ASSERT_ERROR(quern_vendor_register("other", &functions, NULL, NULL), quern_error_invalid_argument, "null");
#define WITHOUT(member, part)    \
  functions = example_functions; \
  functions.member = 0;          \
  ASSERT_ERROR(quern_vendor_register("other", &functions, NULL, &other), quern_error_invalid_argument, part)
  WITHOUT(size, "bytes");
  WITHOUT(list_platforms, "list_platforms");
  WITHOUT(enqueue, "enqueue");
  WITHOUT(wait, "wait");
  WITHOUT(map, "map");
  WITHOUT(create_kernel, "create_kernel");
  WITHOUT(deallocate, "deallocate");
  WITHOUT(complete_event, "complete_event");
  WITHOUT(find_context, "find_context");
  WITHOUT(get_buffer_size, "get_buffer_size");
  WITHOUT(list_context_devices, "list_context_devices");
#undef WITHOUT
  functions = example_functions;
  functions.natives |= 1u << quern_object_image;
  ASSERT_ERROR(quern_vendor_register("other", &functions, NULL, &other), quern_error_invalid_argument, "native");
  assert_int_equal(other, quern_backend_total);
}

static void a_backend_is_listed(void **state) {
  (void)state;
  quern_platform_t platforms[test_list_capacity], platform = NULL;
  quern_device_t device = NULL;
  const char *name = NULL;
  bool has = true;
  size_t count = 0;
  assert_string_equal(quern_backend_name(backend), "example");
  assert_true(quern_backend_is_active(backend) && quern_backend_is_available(backend));
  assert_true(quern_backend_has_native(backend, quern_object_queue));
  assert_false(quern_backend_has_native(backend, quern_object_sampler));
  ASSERT_SUCCESS(quern_platform_make(backend, &platform));
  ASSERT_SUCCESS(quern_platform_list(test_list_capacity, platforms, &count));
  assert_ptr_equal(platforms[count - 1], platform);
  ASSERT_SUCCESS(quern_platform_get_name(platform, &name));
  assert_string_equal(name, "Example");
  ASSERT_SUCCESS(quern_device_select(quern_selector_accelerator, NULL, &device));
  assert_ptr_equal(device, places[0].device);
  ASSERT_SUCCESS(quern_device_get_name(places[1].device, &name));
  assert_string_equal(name, "unified");
  ASSERT_SUCCESS(quern_device_get_has_host_unified_memory(places[1].device, &has));
  assert_true(has);
  ASSERT_SUCCESS(quern_device_get_has_images(places[1].device, &has));
  assert_false(has);
}

static quern_result_t say_host_too(void *data, void *device, quern_device_info_t info, size_t size, void *out_value) {
  quern_result_t result = example_functions.get_device_info(data, device, info, size, out_value);
  if (info == quern_device_info_type) *(quern_device_type_t *)out_value |= quern_device_type_host;
  return result;
}

/* Then the library's storage could end before the buffer over it. */
static void without_telling_of_ends_nothing_is_shared(void **state) {
  (void)state;
  quern_vendor_functions_t functions = example_functions;
  quern_backend_t copying;
  quern_platform_t platform = NULL;
  quern_device_t devices[device_total] = {NULL};
  bool has = true;
  quern_device_type_t type = 0;
  functions.on_destroy = NULL;
  functions.get_device_info = say_host_too;
  ASSERT_SUCCESS(quern_vendor_register("copying", &functions, &example, &copying));
  ASSERT_SUCCESS(quern_platform_make(copying, &platform));
  ASSERT_SUCCESS(quern_platform_get_devices(platform, quern_device_type_all, device_total, devices, NULL));
  ASSERT_SUCCESS(quern_device_get_has_host_unified_memory(devices[1], &has));
  assert_false(has);
  /* The host is one device, and none of these. */
  ASSERT_SUCCESS(quern_device_get_type(devices[1], &type));
  assert_int_equal(type, quern_device_type_accelerator);
}

static quern_result_t refuse_devices(void *data, void *platform, size_t capacity, void **out_devices,
                                     size_t *out_count) {
  (void)data, (void)platform, (void)capacity, (void)out_devices;
  *out_count = 0;
  return quern_error_invalid_object;
}

/* Whatever a vendor says. */
static void backends_whose_devices_cannot_be_listed_are_not_available(void **state) {
  (void)state;
  quern_vendor_functions_t functions = example_functions;
  quern_backend_t refusing;
  functions.list_devices = refuse_devices;
  ASSERT_SUCCESS(quern_vendor_register("refusing", &functions, &example, &refusing));
  assert_int_equal(quern_backend_check(refusing), quern_error_backend_not_available);
  assert_false(quern_backend_is_available(refusing));
}

/* It fails as a missing OpenCL does, and hides nobody. Then there is no place for more. */
static void backends_without_platforms_are_not_available(void **state) {
  (void)state;
  static example_t absent = {.is_absent = true};
  quern_platform_t platforms[test_list_capacity];
  quern_backend_t other;
  size_t before = 0, count = 0;
  ASSERT_SUCCESS(quern_platform_list(test_list_capacity, platforms, &before));
  for (int i = 3; i < quern_vendor_capacity; i++) {
    char name[24];
    snprintf(name, sizeof(name), "absent %d", i);
    ASSERT_SUCCESS(quern_vendor_register(name, &example_functions, &absent, &other));
    assert_string_equal(quern_backend_name(other), name);
    assert_false(quern_backend_is_available(other));
    ASSERT_ERROR(quern_backend_check(other), quern_error_backend_not_available, "no platforms");
  }
  ASSERT_ERROR(quern_vendor_register("one more", &example_functions, &absent, &other), quern_error_invalid_operation,
               "already");
  ASSERT_SUCCESS(quern_platform_list(test_list_capacity, platforms, &count));
  assert_int_equal(count, before);
}

/* ------------------------------------------------------------ groups */

static quern_result_t clear(quern_handle_t handle, void *data) {
  void *native = NULL, *queue = NULL;
  quern_backend_t found;
  quern_result_t result = quern_handle_get_mem(handle, *(quern_accessor_t *)data, &native);
  if (result == quern_success) result = quern_handle_get_queue(handle, &queue);
  if (result == quern_success) result = quern_handle_get_backend(handle, &found);
  if (result != quern_success || found != backend) return quern_error_backend_mismatch;
  /* By the vendor's own functions, as a library of its world would. */
  const int zero = 0;
  void *event = NULL;
  const char *message;
  const quern_vendor_command_t command = {.size = sizeof(command),
                                          .action = quern_vendor_fill,
                                          .queue = queue,
                                          .to = native,
                                          .bytes = bytes,
                                          .pattern = &zero,
                                          .pattern_size = sizeof(zero)};
  result = example_functions.enqueue(&example, &command, &event);
  if (result != quern_success) return result;
  example_functions.wait(&example, event);
  bool is_complete = example_functions.get_status(&example, event, &message) == quern_vendor_complete;
  example_functions.release(&example, quern_object_event, event);
  return is_complete ? quern_success : quern_error_backend_failure;
}

static void every_action_runs(void **state) {
  (void)state;
  for (int p = 0; p < device_total; p++) {
    const test_place_t *place = &places[p];
    int source[items], result[items], value = 3;
    for (int i = 0; i < items; i++) source[i] = i;
    quern_memory_t x = test_buffer(bytes, NULL, NULL), y = test_buffer(bytes, NULL, NULL), part = NULL;
    quern_group_t group = test_group(place->out_of_order);
    ASSERT_SUCCESS(quern_group_require_pointer(group, source, bytes, quern_access_read));
    ASSERT_SUCCESS(quern_group_set_write(group, source, test_access(group, x, quern_access_discard_write)));
    test_submit_only(group);
    group = test_group(place->out_of_order);
    const quern_range_t range = {.dimensions = 1, .global = {items}};
    ASSERT_SUCCESS(quern_group_set_kernel(group, place->scale, &range));
    ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, test_access(group, x, quern_access_read)));
    ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 1, test_access(group, y, quern_access_discard_write)));
    ASSERT_SUCCESS(quern_group_set_argument(group, 2, sizeof(value), &value));
    test_submit_only(group);
    ASSERT_SUCCESS(quern_buffer_create_part(y, bytes / 2, 0, &part));
    test_add(place, place->in_order, part, 100, items / 2);
    group = test_group(place->in_order);
    quern_accessor_t from = test_access(group, y, quern_access_read), to = test_access(group, x, quern_access_write);
    ASSERT_SUCCESS(quern_group_set_copy(group, from, to));
    test_submit_only(group);
    group = test_group(place->out_of_order);
    ASSERT_SUCCESS(quern_group_set_read(group, test_access(group, x, quern_access_read), result));
    quern_event_t event = test_submit(group);
    test_finish(event);
    for (int i = 0; i < items; i++) assert_int_equal(result[i], 3 * i + (i >= items / 2 ? 100 : 0));
    group = test_group(place->out_of_order);
    quern_accessor_t cleared = test_access(group, x, quern_access_write);
    ASSERT_SUCCESS(quern_group_set_interop_task(group, clear, &cleared));
    test_finish(test_submit(group));
    test_expect(x, 0, items);
    ASSERT_SUCCESS(quern_memory_release(part));
    ASSERT_SUCCESS(quern_memory_release(x));
    ASSERT_SUCCESS(quern_memory_release(y));
  }
}

/* Contents follow the work between the example's devices, OpenCL and the host; where memory is the host's, nothing is
 * copied. */
static void contents_follow_the_work(void **state) {
  (void)state;
  quern_memory_statistics_t statistics;
  quern_memory_t x = test_buffer(bytes, NULL, NULL), unified = test_buffer(bytes, NULL, NULL);
  quern_group_t group = test_group(places[0].out_of_order);
  int zero = 0;
  ASSERT_SUCCESS(quern_group_set_fill(group, test_access(group, x, quern_access_discard_write), &zero, sizeof(zero)));
  test_submit_only(group);
  for (int i = 0; i < rounds; i++) {
    test_add(&places[0], places[0].out_of_order, x, 1, items);
    test_add(&test_on_device, test_on_device.out_of_order, x, 10, items);
    test_add_on_host(test_on_host.out_of_order, x, 100, items);
    test_add(&places[1], places[1].in_order, x, 1000, items);
  }
  test_expect(x, rounds * 1111, items);
  ASSERT_SUCCESS(quern_memory_get_statistics(x, &statistics));
  assert_true(statistics.copies != 0);
  group = test_group(places[1].out_of_order);
  ASSERT_SUCCESS(
      quern_group_set_fill(group, test_access(group, unified, quern_access_discard_write), &zero, sizeof(zero)));
  test_submit_only(group);
  for (int i = 0; i < rounds; i++) {
    test_add(&places[1], places[1].out_of_order, unified, 1, items);
    test_add_on_host(test_on_host.out_of_order, unified, 2, items);
  }
  test_expect(unified, rounds * 3, items);
  ASSERT_SUCCESS(quern_memory_get_statistics(unified, &statistics));
  assert_int_equal(statistics.copies, 0);
  ASSERT_SUCCESS(quern_memory_release(x));
  ASSERT_SUCCESS(quern_memory_release(unified));
}

/* What a group needs of a buffer is brought to its own place. */
static void parts_follow_the_work(void **state) {
  (void)state;
  int values[items] = {0};
  for (int i = items / 2; i < items; i++) values[i] = 7;
  for (int p = 0; p < device_total; p++) {
    quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
    options.flags = quern_memory_copy_host;
    quern_memory_t x = test_buffer(bytes, values, &options), part;
    ASSERT_SUCCESS(quern_buffer_create_part(x, bytes / 2, 0, &part));
    test_add(&places[p], places[p].in_order, part, 100, items / 2);
    test_expect(part, 107, items / 2);
    ASSERT_SUCCESS(quern_memory_release(part));
    ASSERT_SUCCESS(quern_memory_release(x));
  }
}

static void bound_buffers_are_mapped(void **state) {
  (void)state;
  for (int p = 0; p < device_total; p++) {
    int values[items] = {0};
    quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
    options.bound_context = places[p].context;
    for (int unified = 0; unified < 2; unified++) {
      options.flags = unified ? quern_memory_unified : 0;
      quern_memory_t x = test_buffer(bytes, values, &options);
      test_add(&places[p], places[p].out_of_order, x, 7, items);
      test_expect(x, 7 * (unified + 1), items);
      ASSERT_SUCCESS(quern_memory_release(x));
      for (int i = 0; i < items; i++) assert_int_equal(values[i], 7 * (unified + 1));
    }
  }
}

/* Out of order, and each waits for the one before. */
static void commands_wait_for_each_other(void **state) {
  (void)state;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  for (int p = 0; p < device_total; p++) {
    quern_queue_t queue = places[p].out_of_order;
    int zero = 0, one = 1, result[items];
    quern_kernel_t late = NULL;
    quern_memory_t x = test_buffer(bytes, NULL, NULL), y = test_buffer(bytes, NULL, NULL);
    ASSERT_SUCCESS(quern_kernel_create(places[p].program, "late", &late));
    quern_group_t group = test_group(queue);
    ASSERT_SUCCESS(quern_group_set_fill(group, test_access(group, x, quern_access_discard_write), &zero, sizeof(zero)));
    test_submit_only(group);
    group = test_group(queue);
    ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, test_access(group, x, quern_access_read_write)));
    ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(one), &one));
    ASSERT_SUCCESS(quern_group_set_kernel(group, late, &range));
    test_submit_only(group);
    group = test_group(queue);
    quern_accessor_t from = test_access(group, x, quern_access_read);
    ASSERT_SUCCESS(quern_group_set_copy(group, from, test_access(group, y, quern_access_discard_write)));
    test_submit_only(group);
    group = test_group(queue);
    ASSERT_SUCCESS(quern_group_set_read(group, test_access(group, y, quern_access_read), result));
    test_finish(test_submit(group));
    for (int i = 0; i < items; i++) assert_int_equal(result[i], 1);
    ASSERT_SUCCESS(quern_kernel_release(late));
    ASSERT_SUCCESS(quern_memory_release(x));
    ASSERT_SUCCESS(quern_memory_release(y));
  }
}

static void addresses_work(void **state) {
  (void)state;
  const test_place_t *place = &places[0];
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  void *lists[3] = {NULL};
  for (int i = 0; i < 3; i++) {
    ASSERT_SUCCESS(quern_usm_allocate(place->context, place->device, quern_usm_shared, bytes, 0, &lists[i]));
  }
  int *x = lists[0], *y = lists[1], **table = lists[2], value = 4;
  table[0] = x;
  table[1] = y;
  quern_group_t group = test_group(place->out_of_order);
  ASSERT_SUCCESS(quern_group_require_pointer(group, x, 0, quern_access_discard_write));
  ASSERT_SUCCESS(quern_group_set_usm_fill(group, x, &value, sizeof(value), bytes));
  test_submit_only(group);
  group = test_group(place->out_of_order);
  ASSERT_SUCCESS(quern_group_require_pointer(group, x, 0, quern_access_read));
  ASSERT_SUCCESS(quern_group_require_pointer(group, y, 0, quern_access_discard_write));
  ASSERT_SUCCESS(quern_group_set_usm_copy(group, y, x, bytes));
  test_submit_only(group);
  group = test_group(place->out_of_order);
  for (int i = 0; i < 3; i++) {
    ASSERT_SUCCESS(quern_group_require_pointer(group, lists[i], 0, quern_access_read_write));
  }
  ASSERT_SUCCESS(quern_group_set_argument_pointer(group, 0, table));
  ASSERT_SUCCESS(quern_group_set_kernel(group, place->spin, &range));
  test_submit_only(group);
  group = test_group(place->out_of_order);
  ASSERT_SUCCESS(quern_group_require_pointer(group, x, 0, quern_access_read));
  ASSERT_SUCCESS(quern_group_set_prefetch(group, x, bytes));
  test_submit_only(group);
  ASSERT_SUCCESS(quern_usm_wait(place->context, y, 0, quern_access_read));
  ASSERT_SUCCESS(quern_usm_wait(place->context, x, 0, quern_access_read_write));
  for (int i = 0; i < items; i++) assert_true(x[i] == 5 && y[i] == 5);
  for (int i = 0; i < 3; i++) ASSERT_SUCCESS(quern_usm_free(place->context, lists[i]));
}

/* ------------------------------------------------------------ failures, events */

static void failures_of_commands_reach_handlers(void **state) {
  (void)state;
  test_errors_t errors = {0};
  quern_queue_t queue = NULL;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  ASSERT_SUCCESS(quern_queue_create(places[0].context, places[0].device, quern_queue_out_of_order, test_errors_add,
                                    &errors, &queue));
  quern_memory_t x = test_buffer(bytes, NULL, NULL);
  quern_group_t group = test_group(queue);
  quern_accessor_t access = test_access(group, x, quern_access_discard_write);
  ASSERT_SUCCESS(quern_group_set_kernel(group, places[0].fault, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, access));
  quern_event_t failed = test_submit(group);
  ASSERT_ERROR(quern_event_wait(failed), quern_error_backend_failure, "on purpose");
  quern_event_t behind = test_submit(test_addition(&places[0], queue, x, 1, items));
  ASSERT_ERROR(quern_event_wait(behind), quern_error_backend_failure, "on purpose");
  /* What the vendor refuses fails its group. */
  group = test_group(queue);
  ASSERT_SUCCESS(quern_group_set_advice(group, &errors, 1, 0));
  quern_event_t refused = test_submit(group);
  ASSERT_ERROR(quern_event_wait(refused), quern_error_feature_not_supported, "enqueue");
  assert_int_equal(atomic_load(&errors.count), 2);
  quern_program_t program = NULL;
  ASSERT_ERROR(quern_program_create_from_source(places[0].context, "kernel void f() {}", NULL, &program),
               quern_error_build_failed, "names, not");
  quern_kernel_t kernel = NULL;
  ASSERT_ERROR(quern_kernel_create(places[0].program, "none", &kernel), quern_error_not_found, "create_kernel");
  quern_sampler_t sampler = NULL;
  const quern_sampler_description_t description = {false, quern_addressing_clamp, false};
  ASSERT_ERROR(quern_sampler_create(places[0].context, &description, &sampler), quern_error_feature_not_supported,
               "samplers");
  ASSERT_SUCCESS(quern_event_release(failed));
  ASSERT_SUCCESS(quern_event_release(behind));
  ASSERT_SUCCESS(quern_event_release(refused));
  ASSERT_SUCCESS(quern_memory_release(x));
  ASSERT_SUCCESS(quern_queue_release(queue));
}

static void native_objects_go_both_ways(void **state) {
  (void)state;
  void *context = NULL, *queue = NULL, *event = NULL, *buffer = NULL, *device = NULL;
  quern_context_t same_context = NULL;
  quern_queue_t same_queue = NULL;
  quern_event_t same_event = NULL, added;
  quern_memory_t x = test_buffer(bytes, NULL, NULL), same_buffer = NULL;
  quern_device_t same_device = NULL;
  quern_queue_flags_t flags = 0;
  int zero = 0;
  quern_group_t group = test_group(places[0].in_order);
  ASSERT_SUCCESS(quern_group_set_fill(group, test_access(group, x, quern_access_discard_write), &zero, sizeof(zero)));
  added = test_submit(group);
  ASSERT_SUCCESS(quern_context_get_native(places[0].context, backend, &context));
  ASSERT_SUCCESS(quern_queue_get_native(places[0].in_order, backend, &queue));
  ASSERT_SUCCESS(quern_event_get_native(added, backend, &event));
  ASSERT_SUCCESS(quern_device_get_native(places[0].device, backend, &device));
  ASSERT_SUCCESS(quern_memory_get_native(x, places[0].context, &buffer));
  ASSERT_ERROR(quern_queue_get_native(places[0].in_order, quern_backend_opencl, &queue), quern_error_backend_mismatch,
               "example");
  ASSERT_SUCCESS(quern_device_make_from_native(backend, device, quern_ownership_transfer, &same_device));
  assert_ptr_equal(same_device, places[0].device);
  ASSERT_SUCCESS(quern_context_make_from_native(backend, context, quern_ownership_transfer, NULL, NULL, &same_context));
  ASSERT_SUCCESS(quern_queue_make_from_native(places[0].context, queue, quern_ownership_transfer, &same_queue));
  ASSERT_SUCCESS(quern_queue_get_flags(same_queue, &flags));
  assert_int_equal(flags, quern_queue_profiling);
  ASSERT_SUCCESS(quern_event_make_from_native(places[0].context, event, quern_ownership_transfer, &same_event));
  ASSERT_SUCCESS(quern_event_wait(same_event));
  ASSERT_SUCCESS(
      quern_memory_make_from_native(places[0].context, buffer, quern_ownership_transfer, false, &same_buffer));
  assert_ptr_equal(same_buffer, x);
  test_expect(same_buffer, 0, items);
  quern_event_times_t times;
  ASSERT_SUCCESS(quern_event_wait(added));
  ASSERT_SUCCESS(quern_event_get_profiling(added, &times));
  assert_true(times.submitted <= times.started && times.started <= times.ended);
  ASSERT_SUCCESS(quern_event_release(added));
  ASSERT_SUCCESS(quern_event_release(same_event));
  ASSERT_SUCCESS(quern_queue_release(same_queue));
  ASSERT_SUCCESS(quern_context_release(same_context));
  ASSERT_SUCCESS(quern_memory_release(same_buffer));
  ASSERT_SUCCESS(quern_memory_release(x));
}

/* ------------------------------------------------------------ threads */

static void *work(void *data) {
  quern_memory_t common = data;
  for (int i = 0; i < rounds; i++) {
    quern_memory_t own = test_buffer(bytes, NULL, NULL);
    quern_group_t group = test_group(places[i % 2].in_order);
    ASSERT_SUCCESS(quern_group_set_fill(group, test_access(group, own, quern_access_discard_write), &i, sizeof(i)));
    test_submit_only(group);
    test_add(&places[(i + 1) % 2], places[(i + 1) % 2].out_of_order, own, 1, items);
    test_add(&places[0], i % 3 ? places[0].in_order : places[0].out_of_order, common, 1, items);
    test_add(&test_on_device, test_on_device.out_of_order, common, 1, items);
    test_add(&places[1], places[1].out_of_order, common, 1, items);
    test_expect(own, i + 1, items);
    ASSERT_SUCCESS(quern_memory_release(own));
  }
  return NULL;
}

static void threads_use_all_backends(void **state) {
  (void)state;
  static const int values[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  quern_memory_t common = test_buffer(bytes, (void *)(uintptr_t)values, &options);
  pthread_t threads[thread_count];
  for (int i = 0; i < thread_count; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, common), 0);
  for (int i = 0; i < thread_count; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  test_expect(common, 3 * thread_count * rounds, items);
  ASSERT_SUCCESS(quern_memory_release(common));
}

/* ------------------------------------------------------------ all */

static int open_all(void **state) {
  /* For what is asserted when all are closed. */
  test_open_places++;
  ASSERT_SUCCESS(quern_vendor_register("example", &example_functions, &example, &backend));
  assert_int_equal(backend, quern_backend_total);
  if (test_places_open(state) != 0) return -1;
  for (size_t i = 0; i < device_total; i++) open_place(&places[i], device_of_example(i));
  return 0;
}

/* Then nothing of the example's is left. Completions that a thread of the library is told of may come later. */
static int close_all(void **state) {
  for (int i = 0; i < device_total; i++) test_place_close(&places[i]);
  if (test_places_close(state) != 0) return -1;
  example_finish();
  const struct timespec moment = {0, 1000000};
  for (int i = 0; i < 5000 && atomic_load(&example.objects); i++) nanosleep(&moment, NULL);
  assert_int_equal(atomic_load(&example.objects), 0);
  test_open_places--;
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_tables_are_refused),
      cmocka_unit_test(a_backend_is_listed),
      cmocka_unit_test(every_action_runs),
      cmocka_unit_test(contents_follow_the_work),
      cmocka_unit_test(parts_follow_the_work),
      cmocka_unit_test(bound_buffers_are_mapped),
      cmocka_unit_test(commands_wait_for_each_other),
      cmocka_unit_test(addresses_work),
      cmocka_unit_test(failures_of_commands_reach_handlers),
      cmocka_unit_test(native_objects_go_both_ways),
      cmocka_unit_test(threads_use_all_backends),
      cmocka_unit_test(without_telling_of_ends_nothing_is_shared),
      cmocka_unit_test(backends_whose_devices_cannot_be_listed_are_not_available),
      cmocka_unit_test(backends_without_platforms_are_not_available),
  };
  test_platform = argc > 1 ? argv[1] : "Quern";
  return test_result(cmocka_run_group_tests(tests, open_all, close_all));
}
