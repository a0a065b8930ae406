/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One native memory object, several handles: they are the same memory. Argument: the OpenCL platform. */
#include <unistd.h>

#include "groups.h"

enum { items = 256, bytes = items * sizeof(int), threads = 4, rounds = 200 };

#define ASSERT_CL(call) assert_int_equal(call, CL_SUCCESS)

static cl_mem make_native(void) {
  static const int zeros[items];
  cl_context context = NULL;
  cl_int error = CL_SUCCESS;
  ASSERT_SUCCESS(quern_opencl_context_get_native(test_on_device.context, &context));
  cl_mem native = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, (void *)(uintptr_t)zeros, &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseContext(context));
  return native;
}

static cl_uint references(cl_mem native) {
  cl_uint count = 0;
  ASSERT_CL(clGetMemObjectInfo(native, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL));
  return count;
}

/* Waits until `count` are left: a driver may hold its commands' memory a little longer than they run. */
static void expect_references_left(cl_mem native, cl_uint count) {
  for (int i = 0; references(native) > count && i < 1000; i++) usleep(1000);
  assert_int_equal(references(native), count);
}

static quern_memory_t handle_of(cl_mem native, quern_ownership_t ownership) {
  quern_memory_t memory = NULL;
  ASSERT_SUCCESS(quern_opencl_memory_make_from_native(test_on_device.context, native, ownership, false, &memory));
  return memory;
}

/* Groups with either handle come one after the other. */
static void handles_of_one_object_are_one_memory(void **state) {
  (void)state;
  cl_mem native = make_native();
  quern_memory_t one = handle_of(native, quern_ownership_retain), two = handle_of(native, quern_ownership_retain);
  assert_ptr_equal(one, two);
  assert_int_equal(references(native), 2);
  for (int i = 0; i < 100; i++) {
    test_add(&test_on_device, test_on_device.out_of_order, one, 1, items);
    test_add(&test_on_device, test_on_device.in_order, two, 1, items);
    test_add_on_host(test_on_host.out_of_order, i % 2 ? one : two, 1, items);
  }
  ASSERT_SUCCESS(quern_memory_release(one));
  test_expect(two, 300, items);
  ASSERT_CL(clRetainMemObject(native));
  quern_memory_t three = handle_of(native, quern_ownership_transfer);
  assert_ptr_equal(three, two);
  expect_references_left(native, 2);
  ASSERT_SUCCESS(quern_memory_release(three));
  ASSERT_SUCCESS(quern_memory_release(two));
  ASSERT_SUCCESS(quern_queue_wait(test_on_device.in_order));
  ASSERT_SUCCESS(quern_queue_wait(test_on_device.out_of_order));
  ASSERT_CL(clReleaseMemObject(native));
}

/* While groups use it, also without any handle; a handle is one of the same memory then, or of what is complete. */
static void groups_of_a_released_handle_are_known(void **state) {
  (void)state;
  cl_mem native = make_native();
  for (int i = 0; i < rounds; i++) {
    quern_memory_t memory = handle_of(native, quern_ownership_retain);
    test_add(&test_on_device, test_on_device.out_of_order, memory, 1, items);
    ASSERT_SUCCESS(quern_memory_release(memory));
  }
  quern_memory_t memory = handle_of(native, quern_ownership_retain);
  test_expect(memory, rounds, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_CL(clReleaseMemObject(native));
}

static void the_librarys_own_objects_are_known(void **state) {
  (void)state;
  quern_memory_t memory = test_buffer(bytes, NULL, NULL), part = NULL;
  cl_mem native = NULL;
  ASSERT_SUCCESS(quern_opencl_memory_get_native(memory, test_on_device.context, &native));
  assert_ptr_equal(handle_of(native, quern_ownership_transfer), memory);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(quern_buffer_create_part(memory, 0, bytes / 2, &part));
  ASSERT_SUCCESS(quern_opencl_memory_get_native(part, test_on_device.context, &native));
  assert_ptr_equal(handle_of(native, quern_ownership_transfer), part);
  ASSERT_SUCCESS(quern_memory_release(part));
  ASSERT_SUCCESS(quern_memory_release(part));
  /* What is left of a memory object is known no more. */
  ASSERT_SUCCESS(quern_opencl_memory_get_native(memory, test_on_device.context, &native));
  ASSERT_SUCCESS(quern_memory_release(memory));
  quern_memory_t again = handle_of(native, quern_ownership_transfer);
  test_add(&test_on_device, test_on_device.in_order, again, 1, items);
  ASSERT_SUCCESS(quern_queue_wait(test_on_device.in_order));
  ASSERT_SUCCESS(quern_memory_release(again));
}

static void handles_agree_about_the_binding(void **state) {
  (void)state;
  cl_mem native = make_native();
  quern_memory_t memory = handle_of(native, quern_ownership_retain), bound = NULL;
  ASSERT_ERROR(
      quern_opencl_memory_make_from_native(test_on_device.context, native, quern_ownership_transfer, true, &bound),
      quern_error_invalid_operation, "bound otherwise");
  assert_int_equal(references(native), 2);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_SUCCESS(
      quern_opencl_memory_make_from_native(test_on_device.context, native, quern_ownership_retain, true, &bound));
  ASSERT_ERROR(
      quern_opencl_memory_make_from_native(test_on_device.context, native, quern_ownership_retain, false, &memory),
      quern_error_invalid_operation, "bound otherwise");
  assert_int_equal(references(native), 2);
  ASSERT_SUCCESS(quern_memory_release(bound));
  ASSERT_CL(clReleaseMemObject(native));
}

static void *make_and_add(void *data) {
  for (int i = 0; i < rounds; i++) {
    quern_memory_t memory = handle_of(data, quern_ownership_retain);
    test_add(&test_on_device, test_on_device.out_of_order, memory, 1, items);
    ASSERT_SUCCESS(quern_memory_release(memory));
  }
  return NULL;
}

static void threads_find_the_same(void **state) {
  (void)state;
  cl_mem native = make_native();
  pthread_t ids[threads];
  for (int i = 0; i < threads; i++) assert_int_equal(pthread_create(&ids[i], NULL, make_and_add, native), 0);
  for (int i = 0; i < threads; i++) assert_int_equal(pthread_join(ids[i], NULL), 0);
  quern_memory_t memory = handle_of(native, quern_ownership_transfer);
  test_expect(memory, threads * rounds, items);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(handles_of_one_object_are_one_memory),
      cmocka_unit_test(groups_of_a_released_handle_are_known),
      cmocka_unit_test(the_librarys_own_objects_are_known),
      cmocka_unit_test(handles_agree_about_the_binding),
      cmocka_unit_test(threads_find_the_same),
  };
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
