/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueCopyBuffer and clEnqueueCopyBufferRect. */
#include "test_device.h"

enum { COLUMNS = 16, ROWS = 8, SLICES = 4, BYTES = COLUMNS * ROWS * SLICES };

static unsigned char source_data[BYTES], target_data[BYTES];
static cl_mem source, target;
static const size_t zero[3] = {0, 0, 0}, box[3] = {5, 3, 2};

static int make_buffers(void **state) {
  (void)state;
  for (int i = 0; i < BYTES; i++) {
    source_data[i] = (unsigned char)(i * 3 + i / 256);
    target_data[i] = (unsigned char)(255 - i);
  }
  source = test_buffer(BYTES, source_data);
  target = test_buffer(BYTES, target_data);
  return 0;
}

static int release_buffers(void **state) {
  (void)state;
  cl_int first = clReleaseMemObject(source), second = clReleaseMemObject(target);
  return first != CL_SUCCESS || second != CL_SUCCESS;
}

static cl_int copy(cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size) {
  return clEnqueueCopyBuffer(dut.queue, from, to, from_offset, to_offset, size, 0, NULL, NULL);
}

static cl_int copy_box(cl_mem from, cl_mem to, const size_t *from_at, const size_t *to_at, const size_t *region) {
  return clEnqueueCopyBufferRect(dut.queue, from, to, from_at, to_at, region, COLUMNS, COLUMNS * ROWS, COLUMNS,
                                 COLUMNS * ROWS, 0, NULL, NULL);
}

static cl_int copy_pitched(const size_t *region, size_t row, size_t slice, size_t to_row, size_t to_slice) {
  return clEnqueueCopyBufferRect(dut.queue, source, target, zero, zero, region, row, slice, to_row, to_slice, 0, NULL,
                                 NULL);
}

static void copies_a_range_and_leaves_the_rest(void **state) {
  (void)state;
  unsigned char read[BYTES];
  memcpy(target_data + 7, source_data + 100, 201);
  ASSERT_CL(copy(source, target, 100, 7, 201));
  test_read(target, BYTES, read);
  assert_memory_equal(read, target_data, BYTES);
}

static void copies_within_one_buffer_when_ranges_only_touch(void **state) {
  (void)state;
  unsigned char read[BYTES];
  memcpy(source_data + 128, source_data, 128);
  ASSERT_CL(copy(source, source, 0, 128, 128));
  test_read(source, BYTES, read);
  assert_memory_equal(read, source_data, BYTES);
}

static void refuses_ranges_that_overlap(void **state) {
  (void)state;
  ASSERT_CL_ERROR(copy(source, source, 0, 127, 128), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(copy(source, source, 64, 0, 65), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(copy(source, source, 8, 8, 8), CL_MEM_COPY_OVERLAP);
}

static void refuses_overlap_through_sub_buffers(void **state) {
  (void)state;
  cl_int error;
  const size_t step = (size_t)test_device_number(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  cl_mem parent = test_buffer(4 * step, NULL);
  const cl_buffer_region low = {0, 3 * step}, high = {step, 3 * step};
  cl_mem first = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &error);
  ASSERT_CL(error);
  cl_mem second = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(copy(first, second, 0, 0, 2 * step), CL_MEM_COPY_OVERLAP);
  ASSERT_CL(copy(first, second, 0, 0, step));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseMemObject(second));
  ASSERT_CL(clReleaseMemObject(first));
  ASSERT_CL(clReleaseMemObject(parent));
}

static void refuses_ranges_that_end_outside(void **state) {
  (void)state;
  ASSERT_CL_ERROR(copy(source, target, 1, 0, BYTES), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(source, target, 0, 1, BYTES), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(source, target, SIZE_MAX - 3, 0, 8), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy(source, target, 8, 8, SIZE_MAX - 3), CL_INVALID_VALUE);
}

static void refuses_null_and_foreign_buffers(void **state) {
  (void)state;
  cl_int error;
  cl_context context = test_other_context();
  cl_mem foreign = clCreateBuffer(context, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(copy(NULL, target, 0, 0, 1), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(copy(source, NULL, 0, 0, 1), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(copy(foreign, target, 0, 0, 1), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(copy(source, foreign, 0, 0, 1), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(copy_box(NULL, target, zero, zero, box), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(copy_box(source, NULL, zero, zero, box), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(copy_box(foreign, target, zero, zero, box), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(copy_box(source, foreign, zero, zero, box), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseMemObject(foreign));
  ASSERT_CL(clReleaseContext(context));
}

static void copies_a_box_and_leaves_the_rest(void **state) {
  (void)state;
  const size_t from[3] = {3, 2, 1}, to[3] = {9, 4, 2};
  unsigned char read[BYTES];
  for (size_t i = 0; i < box[0] * box[1] * box[2]; i++) {
    size_t x = i % box[0], y = i / box[0] % box[1], z = i / box[0] / box[1];
    target_data[((to[2] + z) * ROWS + to[1] + y) * COLUMNS + to[0] + x] =
        source_data[((from[2] + z) * ROWS + from[1] + y) * COLUMNS + from[0] + x];
  }
  ASSERT_CL(copy_box(source, target, from, to, box));
  test_read(target, BYTES, read);
  assert_memory_equal(read, target_data, BYTES);
}

/** Interlocking boxes share addresses' ranges but no byte. */
static void copies_within_one_buffer_when_boxes_only_interlock(void **state) {
  (void)state;
  const size_t right[3] = {8, 0, 0}, half[3] = {8, ROWS, SLICES};
  unsigned char read[BYTES];
  for (int i = 0; i < BYTES; i++) {
    if (i % COLUMNS >= 8) source_data[i] = source_data[i - 8];
  }
  ASSERT_CL(copy_box(source, source, zero, right, half));
  test_read(source, BYTES, read);
  assert_memory_equal(read, source_data, BYTES);
}

static void refuses_boxes_that_overlap(void **state) {
  (void)state;
  const size_t near[3] = {4, 2, 1}, above[3] = {0, 3, 0};
  ASSERT_CL_ERROR(copy_box(source, source, zero, near, box), CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(copy_box(source, source, zero, zero, box), CL_MEM_COPY_OVERLAP);
  ASSERT_CL(copy_box(source, source, zero, above, box));
  ASSERT_CL(clFinish(dut.queue));
}

static void refuses_missing_origins_and_empty_regions(void **state) {
  (void)state;
  const size_t empty[3] = {1, 0, 1};
  ASSERT_CL_ERROR(copy_box(source, target, NULL, zero, box), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_box(source, target, zero, NULL, box), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_box(source, target, zero, zero, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_box(source, target, zero, zero, empty), CL_INVALID_VALUE);
}

static void refuses_boxes_that_end_outside(void **state) {
  (void)state;
  const size_t all[3] = {COLUMNS, ROWS, SLICES}, up[3] = {0, 0, 1}, far[3] = {SIZE_MAX - 4, 0, 0};
  ASSERT_CL(copy_box(source, target, zero, zero, all));
  ASSERT_CL_ERROR(copy_box(source, target, up, zero, all), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_box(source, target, zero, up, all), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_box(source, target, far, zero, box), CL_INVALID_VALUE);
  ASSERT_CL(clFinish(dut.queue));
}

static void refuses_pitches_that_do_not_fit(void **state) {
  (void)state;
  ASSERT_CL_ERROR(copy_pitched(box, 4, 0, 0, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_pitched(box, 0, 0, 4, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_pitched(box, 5, 10, 0, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_pitched(box, 0, 0, 5, 10), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_pitched(box, 6, 20, 0, 0), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(copy_pitched(box, 0, 0, 6, 20), CL_INVALID_VALUE);
}

static void refuses_different_pitches_within_one_buffer(void **state) {
  (void)state;
  const size_t far[3] = {0, 0, 2}, small[3] = {2, 2, 1};
  ASSERT_CL_ERROR(
      clEnqueueCopyBufferRect(dut.queue, source, source, zero, far, small, COLUMNS, 0, COLUMNS * 2, 0, 0, NULL, NULL),
      CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueCopyBufferRect(dut.queue, source, source, zero, far, small, COLUMNS, COLUMNS * 4, COLUMNS,
                                          COLUMNS * 8, 0, NULL, NULL),
                  CL_INVALID_VALUE);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffers, release_buffers)
  const struct CMUnitTest tests[] = {
      CASE(copies_a_range_and_leaves_the_rest),
      CASE(copies_within_one_buffer_when_ranges_only_touch),
      CASE(refuses_ranges_that_overlap),
      CASE(refuses_overlap_through_sub_buffers),
      CASE(refuses_ranges_that_end_outside),
      CASE(refuses_null_and_foreign_buffers),
      CASE(copies_a_box_and_leaves_the_rest),
      CASE(copies_within_one_buffer_when_boxes_only_interlock),
      CASE(refuses_boxes_that_overlap),
      CASE(refuses_missing_origins_and_empty_regions),
      CASE(refuses_boxes_that_end_outside),
      CASE(refuses_pitches_that_do_not_fit),
      CASE(refuses_different_pitches_within_one_buffer),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
