/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueFillBuffer and clEnqueueMigrateMemObjects. */
#include "test_device.h"

enum { BYTES = 1024 };

static cl_mem buffer;

static int make_buffer(void **state) {
  (void)state;
  static const unsigned char zeros[BYTES];
  buffer = test_buffer(BYTES, zeros);
  return 0;
}

static int release_buffer(void **state) {
  (void)state;
  return clReleaseMemObject(buffer);
}

static cl_int fill(const void *pattern, size_t pattern_size, size_t offset, size_t size) {
  return clEnqueueFillBuffer(dut.queue, buffer, pattern, pattern_size, offset, size, 0, NULL, NULL);
}

static void repeats_patterns_of_every_size(void **state) {
  (void)state;
  unsigned char pattern[128], read[BYTES], expected[BYTES];
  for (int i = 0; i < 128; i++) pattern[i] = (unsigned char)(i + 1);
  for (size_t size = 1; size <= 128; size *= 2) {
    const unsigned char zero = 0;
    memset(expected, 0, BYTES);
    for (size_t i = 0; i < 4 * size; i++) expected[size + i] = pattern[i % size];
    ASSERT_CL(fill(&zero, 1, 0, BYTES));
    ASSERT_CL(fill(pattern, size, size, 4 * size));
    test_read(buffer, BYTES, read);
    assert_memory_equal(read, expected, BYTES);
  }
}

static void pattern_may_be_reused_when_the_call_returns(void **state) {
  (void)state;
  cl_uint pattern = 9, read = 0;
  ASSERT_CL(fill(&pattern, sizeof(pattern), 0, BYTES));
  pattern = 1;
  test_read(buffer, sizeof(read), &read);
  assert_int_equal(read, 9);
}

static void refuses_bad_patterns(void **state) {
  (void)state;
  static const unsigned char pattern[256];
  ASSERT_CL_ERROR(fill(NULL, 4, 0, 16), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(pattern, 0, 0, 16), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(pattern, 3, 0, 12), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(pattern, 256, 0, 256), CL_INVALID_VALUE);
}

static void refuses_ranges_that_are_no_multiple_of_the_pattern(void **state) {
  (void)state;
  static const unsigned char pattern[8];
  ASSERT_CL_ERROR(fill(pattern, 8, 4, 8), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(pattern, 8, 8, 12), CL_INVALID_VALUE);
}

static void refuses_ranges_that_end_outside(void **state) {
  (void)state;
  static const unsigned char pattern[8];
  ASSERT_CL_ERROR(fill(pattern, 8, 8, BYTES), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(pattern, 8, BYTES, 8), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(pattern, 8, 16, SIZE_MAX - 7), CL_INVALID_VALUE);
}

static void refuses_null_and_foreign_buffers(void **state) {
  (void)state;
  cl_int error;
  const cl_uint pattern = 0;
  cl_context context = test_other_context();
  cl_mem foreign = clCreateBuffer(context, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clEnqueueFillBuffer(dut.queue, NULL, &pattern, 4, 0, 4, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clEnqueueFillBuffer(dut.queue, foreign, &pattern, 4, 0, 4, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(clEnqueueMigrateMemObjects(dut.queue, 1, &foreign, 0, 0, NULL, NULL), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseMemObject(foreign));
  ASSERT_CL(clReleaseContext(context));
}

static void migration_keeps_the_contents(void **state) {
  (void)state;
  const cl_uint pattern = 77;
  cl_uint read = 0;
  ASSERT_CL(fill(&pattern, sizeof(pattern), 0, BYTES));
  ASSERT_CL(clEnqueueMigrateMemObjects(dut.queue, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
  ASSERT_CL(clEnqueueMigrateMemObjects(dut.queue, 1, &buffer, 0, 0, NULL, NULL));
  test_read(buffer, sizeof(read), &read);
  assert_int_equal(read, 77);
}

static void migration_refuses_missing_objects_and_unknown_flags(void **state) {
  (void)state;
  const cl_mem null_object = NULL;
  ASSERT_CL_ERROR(clEnqueueMigrateMemObjects(dut.queue, 0, &buffer, 0, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueMigrateMemObjects(dut.queue, 1, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueMigrateMemObjects(dut.queue, 1, &buffer, 1 << 20, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueMigrateMemObjects(dut.queue, 1, &null_object, 0, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffer, release_buffer)
  const struct CMUnitTest tests[] = {
      CASE(repeats_patterns_of_every_size),
      CASE(pattern_may_be_reused_when_the_call_returns),
      CASE(refuses_bad_patterns),
      CASE(refuses_ranges_that_are_no_multiple_of_the_pattern),
      CASE(refuses_ranges_that_end_outside),
      CASE(refuses_null_and_foreign_buffers),
      CASE(migration_keeps_the_contents),
      CASE(migration_refuses_missing_objects_and_unknown_flags),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
