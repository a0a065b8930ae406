/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Parts of buffers: one content and history with the whole, native sub-buffers. Argument: the OpenCL platform. */
#include "groups.h"

/* A half begins where every device lets a sub-buffer begin. */
enum { half_items = 4096, items = 2 * half_items, half = half_items * sizeof(int), bytes = 2 * half };

#define ASSERT_CL(call) assert_int_equal(call, CL_SUCCESS)

static quern_memory_t zeros(quern_context_t bound) {
  static const int values[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  options.bound_context = bound;
  return test_buffer(bytes, (void *)(uintptr_t)values, &options);
}

static quern_memory_t part_of(quern_memory_t whole, size_t offset, size_t size) {
  quern_memory_t part = NULL;
  ASSERT_SUCCESS(quern_buffer_create_part(whole, offset, size, &part));
  return part;
}

/* The kernel's indices begin at the part's beginning. */
static void parts_and_whole_are_one_content(void **state) {
  (void)state;
  for (int bound = 0; bound < 2; bound++) {
    quern_memory_t whole = zeros(bound ? test_on_device.context : NULL);
    quern_memory_t low = part_of(whole, 0, half), high = part_of(whole, half, 0);
    for (int i = 0; i < 20; i++) {
      test_add(&test_on_device, test_on_device.out_of_order, low, 1, half_items);
      test_add(&test_on_device, test_on_device.in_order, high, 2, half_items);
      test_add(&test_on_device, test_on_device.out_of_order, whole, 10, items);
      if (!bound) test_add_on_host(test_on_host.out_of_order, high, 100, half_items);
    }
    test_expect(low, 20 * 11, half_items);
    test_expect(high, 20 * (bound ? 12 : 112), half_items);
    test_expect(whole, 20 * 11, half_items);
    ASSERT_SUCCESS(quern_memory_release(low));
    ASSERT_SUCCESS(quern_memory_release(high));
    ASSERT_SUCCESS(quern_memory_release(whole));
  }
}

static void a_part_tells_what_it_is(void **state) {
  (void)state;
  quern_memory_t whole = zeros(NULL), part = part_of(whole, half, half), inner = part_of(part, 256, 512), found = NULL;
  size_t size = 0, offset = 0;
  ASSERT_SUCCESS(quern_memory_get_size(inner, &size));
  ASSERT_SUCCESS(quern_memory_get_whole(inner, &found, &offset));
  assert_int_equal(size, 512);
  assert_ptr_equal(found, whole);
  assert_int_equal(offset, half + 256);
  ASSERT_SUCCESS(quern_memory_get_whole(whole, &found, &offset));
  assert_null(found);
  assert_int_equal(offset, 0);
  ASSERT_SUCCESS(quern_memory_release(inner));
  ASSERT_SUCCESS(quern_memory_release(part));
  ASSERT_SUCCESS(quern_memory_release(whole));
}

static void the_native_object_is_a_sub_buffer(void **state) {
  (void)state;
  quern_memory_t whole = zeros(NULL), part = part_of(whole, half, half);
  quern_context_t contexts[2] = {NULL};
  cl_mem native = NULL, native_whole = NULL, associated = NULL;
  size_t offset = 0, size = 0, count = 5;
  ASSERT_SUCCESS(quern_memory_get_contexts(part, 2, contexts, &count));
  assert_int_equal(count, 0);
  ASSERT_SUCCESS(quern_opencl_memory_get_native(part, test_on_device.context, &native));
  ASSERT_SUCCESS(quern_opencl_memory_get_native(whole, test_on_device.context, &native_whole));
  ASSERT_CL(clGetMemObjectInfo(native, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), (void *)&associated, NULL));
  ASSERT_CL(clGetMemObjectInfo(native, CL_MEM_OFFSET, sizeof(offset), &offset, NULL));
  ASSERT_CL(clGetMemObjectInfo(native, CL_MEM_SIZE, sizeof(size), &size, NULL));
  assert_ptr_equal(associated, native_whole);
  assert_int_equal(offset, half);
  assert_int_equal(size, half);
  ASSERT_SUCCESS(quern_memory_get_contexts(part, 2, contexts, &count));
  assert_int_equal(count, 1);
  assert_ptr_equal(contexts[0], test_on_device.context);
  ASSERT_CL(clReleaseMemObject(native));
  ASSERT_CL(clReleaseMemObject(native_whole));
  ASSERT_SUCCESS(quern_memory_release(part));
  ASSERT_SUCCESS(quern_memory_release(whole));
}

/* Memory of the user's is written back when the last part goes. */
static void a_part_keeps_the_whole(void **state) {
  (void)state;
  int *values = calloc(items, sizeof(int));
  assert_non_null(values);
  quern_memory_t whole = test_buffer(bytes, values, NULL), part = part_of(whole, half, half);
  ASSERT_SUCCESS(quern_memory_release(whole));
  test_add(&test_on_device, test_on_device.in_order, part, 5, half_items);
  ASSERT_SUCCESS(quern_memory_retain(part));
  ASSERT_SUCCESS(quern_memory_release(part));
  ASSERT_SUCCESS(quern_memory_release(part));
  for (int i = 0; i < items; i++) assert_int_equal(values[i], i < half_items ? 0 : 5);
  free(values);
}

typedef struct copying_t {
  quern_accessor_t from, to;
} copying_t;

static quern_result_t copy_natively(quern_handle_t handle, void *data) {
  const copying_t *copying = data;
  cl_command_queue queue = quern_opencl_handle_get_queue(handle);
  cl_mem from = quern_opencl_handle_get_mem(handle, copying->from);
  cl_mem to = quern_opencl_handle_get_mem(handle, copying->to);
  cl_int error = clEnqueueCopyBuffer(queue, from, to, 0, 0, half, 0, NULL, NULL);
  if (error == CL_SUCCESS) error = clFinish(queue);
  return error == CL_SUCCESS ? quern_success : quern_error_backend_failure;
}

/* Also by actions of the library, and native ones. */
static void all_actions_work_on_parts(void **state) {
  (void)state;
  const int seven = 7;
  static int values[half_items];
  quern_memory_t whole = zeros(NULL), low = part_of(whole, 0, half), high = part_of(whole, half, half);
  quern_group_t group = test_group(test_on_device.in_order);
  quern_accessor_t to = test_access(group, high, quern_access_discard_write);
  ASSERT_SUCCESS(quern_group_set_fill(group, to, &seven, sizeof(seven)));
  test_submit_only(group);
  group = test_group(test_on_device.out_of_order);
  copying_t copying = {test_access(group, high, quern_access_read), test_access(group, low, quern_access_write)};
  ASSERT_SUCCESS(quern_group_set_interop_task(group, copy_natively, &copying));
  test_submit_only(group);
  group = test_group(test_on_device.in_order);
  quern_accessor_t from = test_access(group, low, quern_access_read);
  ASSERT_SUCCESS(quern_group_set_read(group, from, values));
  test_finish(test_submit(group));
  for (int i = 0; i < half_items; i++) assert_int_equal(values[i], 7);
  test_expect(whole, 7, items);
  ASSERT_SUCCESS(quern_memory_release(low));
  ASSERT_SUCCESS(quern_memory_release(high));
  ASSERT_SUCCESS(quern_memory_release(whole));
}

static void misuse_is_refused(void **state) {
  (void)state;
  const quern_result_t refused = quern_error_invalid_argument;
  quern_memory_t whole = zeros(NULL), part = NULL;
  ASSERT_ERROR(quern_buffer_create_part(NULL, 0, 0, &part), quern_error_invalid_object, "null");
  ASSERT_ERROR(quern_buffer_create_part(whole, bytes, 0, &part), refused, "offset");
  ASSERT_ERROR(quern_buffer_create_part(whole, half, half + 1, &part), refused, "offset");
  ASSERT_ERROR(quern_buffer_create_part(whole, 0, 0, NULL), refused, "null");
  ASSERT_ERROR(quern_memory_get_whole(whole, NULL, NULL), refused, "null");
  assert_null(part);
  part = part_of(whole, half, half);
  ASSERT_ERROR(quern_memory_set_write_back(part, &part), quern_error_invalid_operation, "part");
  quern_accessor_t accessor;
  ASSERT_ERROR(quern_accessor_make(part, quern_access_read, 0, half + 1, &accessor), refused, "offset");
  const quern_image_layout_t layout = {1, 16, 1, 1, CL_RGBA, CL_FLOAT};
  quern_memory_t image = NULL;
  ASSERT_SUCCESS(quern_image_create(&layout, NULL, NULL, &image));
  ASSERT_ERROR(quern_buffer_create_part(image, 0, 16, &part), refused, "image");
  ASSERT_SUCCESS(quern_memory_release(image));
  ASSERT_SUCCESS(quern_memory_release(part));
  ASSERT_SUCCESS(quern_memory_release(whole));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_and_whole_are_one_content),   cmocka_unit_test(a_part_tells_what_it_is),
      cmocka_unit_test(the_native_object_is_a_sub_buffer), cmocka_unit_test(a_part_keeps_the_whole),
      cmocka_unit_test(all_actions_work_on_parts),         cmocka_unit_test(misuse_is_refused),
  };
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
