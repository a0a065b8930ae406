/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native memory objects that outlive the memory object of the library. Argument: the OpenCL platform. */
#include <malloc.h>

#include "groups.h"

enum { ints = 1 << 14, bytes = ints * sizeof(int), blocks = 8, alignment = 4096 };

#define ASSERT_CL(call) assert_int_equal(call, CL_SUCCESS)

static cl_command_queue native_queue(void) {
  cl_command_queue native = NULL;
  ASSERT_SUCCESS(quern_opencl_queue_get_native(test_on_device.in_order, &native));
  return native;
}

/* A buffer over the library's storage, with ones in it as a kernel leaves them. */
static quern_memory_t ones(void) {
  int *zeros = calloc(ints, sizeof(int));
  assert_non_null(zeros);
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  quern_memory_t memory = test_buffer(bytes, zeros, &options);
  free(zeros);
  test_add(&test_on_device, test_on_device.in_order, memory, 1, ints);
  return memory;
}

/* Memory of the program, where freed storage would be; with a pattern. */
static void take_blocks(unsigned char **out_blocks) {
  for (int i = 0; i < blocks; i++) {
    out_blocks[i] = aligned_alloc(alignment, bytes);
    assert_non_null(out_blocks[i]);
    memset(out_blocks[i], 0x5a, bytes);
  }
}

static void check_blocks(unsigned char *const *taken) {
  for (int i = 0; i < blocks; i++) {
    for (int j = 0; j < bytes; j++) assert_int_equal(taken[i][j], 0x5a);
  }
}

/* The native object has its contents, and can be used as ever. */
static void use(cl_mem native) {
  unsigned char *taken[blocks];
  const int two = 2;
  int *values = calloc(ints, sizeof(int));
  assert_non_null(values);
  take_blocks(taken);
  cl_command_queue queue = native_queue();
  ASSERT_CL(clEnqueueReadBuffer(queue, native, CL_TRUE, 0, bytes, values, 0, NULL, NULL));
  for (int i = 0; i < ints; i++) assert_int_equal(values[i], 1);
  ASSERT_CL(clEnqueueFillBuffer(queue, native, &two, sizeof(two), 0, bytes, 0, NULL, NULL));
  ASSERT_CL(clFinish(queue));
  check_blocks(taken);
  ASSERT_CL(clEnqueueReadBuffer(queue, native, CL_TRUE, 0, bytes, values, 0, NULL, NULL));
  for (int i = 0; i < ints; i++) assert_int_equal(values[i], 2);
  ASSERT_CL(clReleaseCommandQueue(queue));
  for (int i = 0; i < blocks; i++) free(taken[i]);
  free(values);
}

static void a_native_object_keeps_its_storage(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  cl_mem native = NULL;
  ASSERT_SUCCESS(quern_opencl_memory_get_native(memory, test_on_device.context, &native));
  ASSERT_SUCCESS(quern_memory_release(memory));
  use(native);
  ASSERT_CL(clReleaseMemObject(native));
}

static void a_sub_buffer_keeps_the_storage(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  cl_mem native = NULL;
  cl_int error = CL_SUCCESS;
  const cl_buffer_region whole = {0, bytes};
  ASSERT_SUCCESS(quern_opencl_memory_get_native(memory, test_on_device.context, &native));
  cl_mem part = clCreateSubBuffer(native, 0, CL_BUFFER_CREATE_TYPE_REGION, &whole, &error);
  ASSERT_CL(error);
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_CL(clReleaseMemObject(native));
  use(part);
  ASSERT_CL(clReleaseMemObject(part));
}

typedef struct keeping_t {
  quern_accessor_t accessor;
  cl_mem native;
} keeping_t;

static quern_result_t keep(quern_handle_t handle, void *data) {
  keeping_t *keeping = data;
  keeping->native = quern_opencl_handle_get_mem(handle, keeping->accessor);
  return clRetainMemObject(keeping->native) == CL_SUCCESS ? quern_success : quern_error_task_failed;
}

/* A library that a task calls may keep what it got. */
static void what_a_task_retains_keeps_its_storage(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  keeping_t keeping = {0};
  quern_group_t group = test_group(test_on_device.in_order);
  keeping.accessor = test_access(group, memory, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, keep, &keeping));
  test_finish(test_submit(group));
  ASSERT_SUCCESS(quern_memory_release(memory));
  use(keeping.native);
  ASSERT_CL(clReleaseMemObject(keeping.native));
}

/* Two contexts have objects over the same storage: the last one of them ends it. */
static void the_last_native_object_ends_the_storage(void **state) {
  (void)state;
  quern_memory_t memory = ones();
  quern_context_t context = NULL;
  cl_mem first = NULL, second = NULL;
  ASSERT_SUCCESS(quern_context_create(1, &test_on_device.device, NULL, NULL, &context));
  ASSERT_SUCCESS(quern_opencl_memory_get_native(memory, context, &second));
  ASSERT_SUCCESS(quern_opencl_memory_get_native(memory, test_on_device.context, &first));
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_CL(clReleaseMemObject(second));
  use(first);
  ASSERT_CL(clReleaseMemObject(first));
  ASSERT_SUCCESS(quern_context_release(context));
}

int main(int argc, char **argv) {
  /* Storage is mapped for itself, and no address when it is freed. */
  mallopt(M_MMAP_THRESHOLD, bytes / 2);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_native_object_keeps_its_storage),
      cmocka_unit_test(a_sub_buffer_keeps_the_storage),
      cmocka_unit_test(what_a_task_retains_keeps_its_storage),
      cmocka_unit_test(the_last_native_object_ends_the_storage),
  };
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
