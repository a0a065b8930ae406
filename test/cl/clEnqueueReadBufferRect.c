/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueReadBufferRect and clEnqueueWriteBufferRect. */
#include "test_device.h"

/* A buffer of SLICES x ROWS x COLUMNS bytes, tightly packed unless a case says otherwise. */
enum { COLUMNS = 16, ROWS = 8, SLICES = 4, BYTES = COLUMNS * ROWS * SLICES };

static unsigned char data[BYTES];
static cl_mem buffer;
static const size_t zero[3] = {0, 0, 0}, box[3] = {5, 3, 2};

static int make_buffer(void **state) {
  (void)state;
  for (int i = 0; i < BYTES; i++) data[i] = (unsigned char)(i * 5 + i / 256);
  buffer = test_buffer(BYTES, data);
  return 0;
}

static int release_buffer(void **state) {
  (void)state;
  return clReleaseMemObject(buffer);
}

static size_t place(const size_t origin[3], size_t x, size_t y, size_t z, size_t row, size_t slice) {
  return (origin[2] + z) * slice + (origin[1] + y) * row + origin[0] + x;
}

static cl_int read_box(const size_t *at, const size_t *host_at, const size_t *region, size_t row, size_t slice,
                       size_t host_row, size_t host_slice, void *host) {
  return clEnqueueReadBufferRect(dut.queue, buffer, CL_TRUE, at, host_at, region, row, slice, host_row, host_slice,
                                 host, 0, NULL, NULL);
}

static cl_int write_box(const size_t *at, const size_t *host_at, const size_t *region, size_t row, size_t slice,
                        size_t host_row, size_t host_slice, const void *host) {
  return clEnqueueWriteBufferRect(dut.queue, buffer, CL_TRUE, at, host_at, region, row, slice, host_row, host_slice,
                                  host, 0, NULL, NULL);
}

static void reads_a_box_into_a_box(void **state) {
  (void)state;
  const size_t at[3] = {3, 2, 1}, host_at[3] = {1, 2, 1};
  const size_t host_row = 9, host_slice = 9 * 6;
  unsigned char host[9 * 6 * 4], expected[sizeof(host)];
  memset(host, 0xEE, sizeof(host));
  memset(expected, 0xEE, sizeof(expected));
  for (size_t i = 0; i < box[0] * box[1] * box[2]; i++) {
    size_t x = i % box[0], y = i / box[0] % box[1], z = i / box[0] / box[1];
    expected[place(host_at, x, y, z, host_row, host_slice)] = data[place(at, x, y, z, COLUMNS, COLUMNS * ROWS)];
  }
  ASSERT_CL(read_box(at, host_at, box, COLUMNS, COLUMNS * ROWS, host_row, host_slice, host));
  assert_memory_equal(host, expected, sizeof(host));
}

static void writes_a_box_and_leaves_the_rest(void **state) {
  (void)state;
  const size_t at[3] = {7, 1, 2};
  unsigned char host[5 * 3 * 2], read[BYTES], expected[BYTES];
  memcpy(expected, data, BYTES);
  for (size_t i = 0; i < sizeof(host); i++) {
    size_t x = i % box[0], y = i / box[0] % box[1], z = i / box[0] / box[1];
    host[i] = (unsigned char)(200 + i);
    expected[place(at, x, y, z, COLUMNS, COLUMNS * ROWS)] = host[i];
  }
  ASSERT_CL(write_box(at, zero, box, COLUMNS, COLUMNS * ROWS, 0, 0, host));
  test_read(buffer, BYTES, read);
  assert_memory_equal(read, expected, BYTES);
}

/** A pitch of zero means tightly packed: rows of region[0] bytes, slices of region[1] rows. */
static void pitches_left_out_are_those_of_the_region(void **state) {
  (void)state;
  unsigned char host[5 * 3 * 2] = {0};
  ASSERT_CL(read_box(zero, zero, box, 0, 0, 0, 0, host));
  assert_memory_equal(host, data, sizeof(host));
}

static void slice_pitch_left_out_is_rows_times_row_pitch(void **state) {
  (void)state;
  unsigned char host[5 * 3 * 2] = {0};
  ASSERT_CL(read_box(zero, zero, box, COLUMNS, 0, 0, 0, host));
  for (size_t i = 0; i < sizeof(host); i++) {
    size_t x = i % box[0], y = i / box[0] % box[1], z = i / box[0] / box[1];
    assert_int_equal(host[i], data[place(zero, x, y, z, COLUMNS, COLUMNS * box[1])]);
  }
}

static void refuses_missing_origins_regions_and_pointers(void **state) {
  (void)state;
  unsigned char host[BYTES];
  ASSERT_CL_ERROR(read_box(NULL, zero, box, 0, 0, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_box(zero, NULL, box, 0, 0, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_box(zero, zero, NULL, 0, 0, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_box(zero, zero, box, 0, 0, 0, 0, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_box(NULL, zero, box, 0, 0, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_box(zero, NULL, box, 0, 0, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_box(zero, zero, NULL, 0, 0, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_box(zero, zero, box, 0, 0, 0, 0, NULL), CL_INVALID_VALUE);
}

static void refuses_empty_regions(void **state) {
  (void)state;
  unsigned char host[BYTES];
  for (int d = 0; d < 3; d++) {
    size_t empty[3] = {2, 2, 2};
    empty[d] = 0;
    ASSERT_CL_ERROR(read_box(zero, zero, empty, 0, 0, 0, 0, host), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(write_box(zero, zero, empty, 0, 0, 0, 0, host), CL_INVALID_VALUE);
  }
}

static void refuses_boxes_that_end_outside(void **state) {
  (void)state;
  unsigned char host[2 * BYTES] = {0};
  static const size_t region[3] = {COLUMNS, ROWS, SLICES};
  static const size_t out_of_bounds[][3] = {
      {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {SIZE_MAX - 4, 0, 0}, {0, SIZE_MAX / 16, 0}};
  ASSERT_CL(read_box(zero, zero, region, 0, 0, 0, 0, host));
  for (size_t i = 0; i < sizeof(out_of_bounds) / sizeof(out_of_bounds[0]); i++) {
    ASSERT_CL_ERROR(read_box(out_of_bounds[i], zero, region, 0, 0, 0, 0, host), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(write_box(out_of_bounds[i], zero, region, 0, 0, 0, 0, host), CL_INVALID_VALUE);
  }
}

static void refuses_pitches_smaller_than_the_region(void **state) {
  (void)state;
  unsigned char host[BYTES];
  const size_t row = box[0], slice = box[0] * box[1];
  ASSERT_CL_ERROR(read_box(zero, zero, box, row - 1, 0, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_box(zero, zero, box, 0, 0, row - 1, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_box(zero, zero, box, row, slice - row, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_box(zero, zero, box, 0, 0, row, slice - row, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_box(zero, zero, box, row - 1, 0, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_box(zero, zero, box, 0, 0, row, slice - row, host), CL_INVALID_VALUE);
}

static void refuses_slice_pitches_that_are_no_multiple_of_the_row_pitch(void **state) {
  (void)state;
  unsigned char host[BYTES];
  ASSERT_CL_ERROR(read_box(zero, zero, box, 6, 20, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_box(zero, zero, box, 0, 0, 6, 20, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_box(zero, zero, box, 6, 20, 0, 0, host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_box(zero, zero, box, 0, 0, 6, 20, host), CL_INVALID_VALUE);
}

static void refuses_null_and_foreign_objects(void **state) {
  (void)state;
  cl_int error;
  unsigned char host[BYTES];
  cl_context context = test_other_context();
  cl_mem foreign = clCreateBuffer(context, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clEnqueueReadBufferRect(dut.queue, NULL, CL_TRUE, zero, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL),
                  CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clEnqueueWriteBufferRect(dut.queue, NULL, CL_TRUE, zero, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL),
                  CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(
      clEnqueueReadBufferRect(dut.queue, foreign, CL_TRUE, zero, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL),
      CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(
      clEnqueueWriteBufferRect(dut.queue, foreign, CL_TRUE, zero, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL),
      CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseMemObject(foreign));
  ASSERT_CL(clReleaseContext(context));
}

static void host_access_flags_are_obeyed(void **state) {
  (void)state;
  static const struct {
    cl_mem_flags flags;
    cl_int read, write;
  } rules[] = {
      {CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION},
      {CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS},
      {CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION},
  };
  cl_int error;
  unsigned char host[BYTES] = {0};
  cl_mem whole = buffer;
  for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
    buffer = clCreateBuffer(dut.context, rules[i].flags, BYTES, NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL_ERROR(read_box(zero, zero, box, 0, 0, 0, 0, host), rules[i].read);
    ASSERT_CL_ERROR(write_box(zero, zero, box, 0, 0, 0, 0, host), rules[i].write);
    ASSERT_CL(clReleaseMemObject(buffer));
  }
  buffer = whole;
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffer, release_buffer)
  const struct CMUnitTest tests[] = {
      CASE(reads_a_box_into_a_box),
      CASE(writes_a_box_and_leaves_the_rest),
      CASE(pitches_left_out_are_those_of_the_region),
      CASE(slice_pitch_left_out_is_rows_times_row_pitch),
      CASE(refuses_missing_origins_regions_and_pointers),
      CASE(refuses_empty_regions),
      CASE(refuses_boxes_that_end_outside),
      CASE(refuses_pitches_smaller_than_the_region),
      CASE(refuses_slice_pitches_that_are_no_multiple_of_the_row_pitch),
      CASE(refuses_null_and_foreign_objects),
      CASE(host_access_flags_are_obeyed),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
