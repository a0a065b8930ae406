/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueSVMMemcpy, MemFill, Map, Unmap, MigrateMem and Free. What all commands have in common is in commands.c. */
#include "test_device.h"

enum { BYTES = 1024 };

static unsigned char *svm;

static int allocate(void **state) {
  (void)state;
  svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, BYTES, 0);
  if (svm) memset(svm, 0, BYTES);
  return svm == NULL;
}

static int release(void **state) {
  (void)state;
  const cl_int error = clFinish(dut.queue);
  clSVMFree(dut.context, svm);
  return error;
}

static cl_int copy(void *destination, const void *source, size_t size) {
  return clEnqueueSVMMemcpy(dut.queue, CL_TRUE, destination, source, size, 0, NULL, NULL);
}

static cl_int fill(void *destination, const void *pattern, size_t pattern_size, size_t size) {
  return clEnqueueSVMMemFill(dut.queue, destination, pattern, pattern_size, size, 0, NULL, NULL);
}

static void copies_from_and_to_host_memory(void **state) {
  (void)state;
  unsigned char before[100], after[100] = {0};
  for (int i = 0; i < 100; i++) before[i] = (unsigned char)(i + 1);
  ASSERT_CL(copy(svm + 5, before, 100));
  ASSERT_CL(copy(svm + 500, svm + 5, 100));
  ASSERT_CL(copy(after, svm + 500, 100));
  assert_memory_equal(after, before, 100);
}

static void copies_in_order_with_other_commands(void **state) {
  (void)state;
  cl_uint value = 0;
  const cl_uint one = 1, two = 2;
  ASSERT_CL(fill(svm, &one, sizeof(one), 4));
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_FALSE, svm + 8, svm, 4, 0, NULL, NULL));
  ASSERT_CL(fill(svm, &two, sizeof(two), 4));
  ASSERT_CL(copy(&value, svm + 8, 4));
  assert_int_equal(value, 1);
}

static void copies_ranges_that_touch_and_refuses_overlap(void **state) {
  (void)state;
  ASSERT_CL(copy(svm + 16, svm, 16));
  ASSERT_CL_ERROR(copy(svm + 15, svm, 16), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(copy(svm, svm + 15, 16), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(copy(svm, svm, 16), CL_MEM_COPY_OVERLAP);
}

static void copy_refuses_null_and_absurd_sizes(void **state) {
  (void)state;
  ASSERT_CL_ERROR(copy(NULL, svm, 16), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(svm, NULL, 16), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(svm + 64, svm, SIZE_MAX), CL_INVALID_VALUE);
}

static void commands_of_no_bytes_have_an_event(void **state) {
  (void)state;
  cl_event events[2];
  const unsigned char byte = 9;
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_FALSE, svm, svm + 8, 0, 0, NULL, &events[0]));
  ASSERT_CL(clEnqueueSVMMemFill(dut.queue, svm, &byte, 1, 0, 1, events, &events[1]));
  ASSERT_CL(clWaitForEvents(2, events));
  assert_int_equal(svm[0], 0);
  ASSERT_CL(clReleaseEvent(events[0]));
  ASSERT_CL(clReleaseEvent(events[1]));
}

static void fills_with_patterns_of_every_size(void **state) {
  (void)state;
  unsigned char pattern[128];
  for (int i = 0; i < 128; i++) pattern[i] = (unsigned char)(i + 1);
  for (size_t size = 1; size <= 128; size *= 2) {
    memset(svm, 0, BYTES);
    ASSERT_CL(fill(svm + size, pattern, size, 4 * size));
    ASSERT_CL(clFinish(dut.queue));
    for (size_t i = 0; i < 6 * size; i++) {
      assert_int_equal(svm[i], i < size || i >= 5 * size ? 0 : pattern[i % size]);
    }
  }
}

static void fill_refuses_bad_arguments(void **state) {
  (void)state;
  static const unsigned char pattern[256];
  ASSERT_CL_ERROR(fill(NULL, pattern, 4, 16), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(svm, NULL, 4, 16), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(svm, pattern, 0, 16), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(svm, pattern, 3, 12), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(svm, pattern, 256, 256), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(svm + 4, pattern, 8, 16), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(svm, pattern, 8, 12), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(fill(svm, pattern, 8, SIZE_MAX - 7), CL_INVALID_VALUE);
}

static void maps_keep_the_contents(void **state) {
  (void)state;
  const cl_uchar byte = 3;
  ASSERT_CL(fill(svm, &byte, 1, BYTES));
  ASSERT_CL(clEnqueueSVMMap(dut.queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, svm, BYTES, 0, NULL, NULL));
  for (int i = 0; i < BYTES; i++) assert_int_equal(svm[i]++, 3);
  ASSERT_CL(clEnqueueSVMUnmap(dut.queue, svm, 0, NULL, NULL));
  ASSERT_CL(copy(svm + 512, svm, 512));
  assert_int_equal(svm[600], 4);
}

static void map_and_unmap_refuse_bad_arguments(void **state) {
  (void)state;
  ASSERT_CL_ERROR(clEnqueueSVMMap(dut.queue, CL_TRUE, CL_MAP_READ, NULL, 4, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueSVMMap(dut.queue, CL_TRUE, CL_MAP_READ, svm, 0, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueSVMMap(dut.queue, CL_TRUE, 1 << 10, svm, 4, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(
      clEnqueueSVMMap(dut.queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, svm, 4, 0, NULL, NULL),
      CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueSVMUnmap(dut.queue, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
}

static cl_int migrate(cl_uint count, const void **pointers, const size_t *sizes, cl_mem_migration_flags flags) {
  return clEnqueueSVMMigrateMem(dut.queue, count, pointers, sizes, flags, 0, NULL, NULL);
}

static void migrates_ranges_and_whole_allocations(void **state) {
  (void)state;
  const void *pointers[2] = {svm, svm + 512};
  const size_t sizes[2] = {0, 512};
  svm[700] = 8;
  ASSERT_CL(migrate(2, pointers, sizes, 0));
  ASSERT_CL(migrate(2, pointers, NULL, CL_MIGRATE_MEM_OBJECT_HOST));
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(svm[700], 8);
}

static void migration_refuses_bad_arguments(void **state) {
  (void)state;
  int host;
  const void *pointers[1] = {svm + 1000};
  const void *foreign[1] = {&host};
  const size_t too_many[1] = {25};
  ASSERT_CL_ERROR(migrate(0, pointers, NULL, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(migrate(1, NULL, NULL, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(migrate(1, pointers, too_many, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(migrate(1, foreign, NULL, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(migrate(1, pointers, NULL, 1 << 20), CL_INVALID_VALUE);
}

/* ------------------------------------------------------------ freeing */

typedef struct freed_t {
  cl_command_queue queue;
  cl_uint count;
  void *pointers[2];
  unsigned calls;
} freed_t;

static void CL_CALLBACK note_and_free(cl_command_queue queue, cl_uint count, void *pointers[], void *user_data) {
  freed_t *freed = user_data;
  freed->queue = queue;
  freed->count = count;
  for (cl_uint i = 0; i < count && i < 2; i++) {
    freed->pointers[i] = pointers[i];
    clSVMFree(dut.context, pointers[i]);
  }
  freed->calls++;
}

static void freeing_calls_back_in_order(void **state) {
  (void)state;
  freed_t freed = {0};
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error), done;
  void *pointers[2] = {clSVMAlloc(dut.context, 0, 64, 0), clSVMAlloc(dut.context, 0, 64, 0)};
  void *const first = pointers[0], *const second = pointers[1];
  ASSERT_CL(clEnqueueSVMFree(dut.queue, 2, pointers, note_and_free, &freed, 1, &gate, &done));
  pointers[0] = pointers[1] = NULL; /* The list was copied. */
  ASSERT_CL(clFlush(dut.queue));
  assert_int_equal(freed.calls, 0);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &done));
  assert_int_equal(freed.calls, 1);
  assert_int_equal(freed.count, 2);
  assert_ptr_equal(freed.queue, dut.queue);
  assert_ptr_equal(freed.pointers[0], first);
  assert_ptr_equal(freed.pointers[1], second);
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(clReleaseEvent(done));
}

static void frees_itself_without_a_callback(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  void *pointer = clSVMAlloc(dut.context, 0, 64, 0);
  const void *const again = pointer;
  ASSERT_CL(clEnqueueSVMFree(dut.queue, 1, &pointer, NULL, NULL, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL_ERROR(migrate(1, (const void **)&again, NULL, 0), CL_INVALID_VALUE);
}

static void a_terminated_free_frees_nothing(void **state) {
  (void)state;
  freed_t freed = {0};
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error);
  void *pointer = svm;
  ASSERT_CL(clEnqueueSVMFree(dut.queue, 1, &pointer, note_and_free, &freed, 1, &gate, NULL));
  ASSERT_CL(clSetUserEventStatus(gate, -1));
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(freed.calls, 0);
  ASSERT_CL(clReleaseEvent(gate));
}

static void free_refuses_a_count_without_a_list(void **state) {
  (void)state;
  void *pointer = svm;
  ASSERT_CL_ERROR(clEnqueueSVMFree(dut.queue, 1, NULL, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueSVMFree(dut.queue, 0, &pointer, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL(clEnqueueSVMFree(dut.queue, 0, NULL, NULL, NULL, 0, NULL, NULL));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, allocate, release)
  const struct CMUnitTest tests[] = {
      CASE(copies_from_and_to_host_memory),
      CASE(copies_in_order_with_other_commands),
      CASE(copies_ranges_that_touch_and_refuses_overlap),
      CASE(copy_refuses_null_and_absurd_sizes),
      CASE(commands_of_no_bytes_have_an_event),
      CASE(fills_with_patterns_of_every_size),
      CASE(fill_refuses_bad_arguments),
      CASE(maps_keep_the_contents),
      CASE(map_and_unmap_refuse_bad_arguments),
      CASE(migrates_ranges_and_whole_allocations),
      CASE(migration_refuses_bad_arguments),
      CASE(freeing_calls_back_in_order),
      CASE(frees_itself_without_a_callback),
      CASE(a_terminated_free_frees_nothing),
      CASE(free_refuses_a_count_without_a_list),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
