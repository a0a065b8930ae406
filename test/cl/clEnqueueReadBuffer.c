/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueReadBuffer and clEnqueueWriteBuffer. */
#include "test_device.h"

enum { BYTES = 1024 };

static unsigned char data[BYTES];
static cl_mem buffer;

static cl_int read_at(cl_mem from, size_t offset, size_t size, void *to) {
  return clEnqueueReadBuffer(dut.queue, from, CL_TRUE, offset, size, to, 0, NULL, NULL);
}

static cl_int write_at(cl_mem to, size_t offset, size_t size, const void *from) {
  return clEnqueueWriteBuffer(dut.queue, to, CL_TRUE, offset, size, from, 0, NULL, NULL);
}

static int make_buffer(void **state) {
  (void)state;
  for (int i = 0; i < BYTES; i++) data[i] = (unsigned char)(i * 7 + i / 256);
  buffer = test_buffer(BYTES, data);
  return 0;
}

static int release_buffer(void **state) {
  (void)state;
  return clReleaseMemObject(buffer);
}

static void reads_back_every_byte(void **state) {
  (void)state;
  unsigned char read[BYTES] = {0};
  ASSERT_CL(read_at(buffer, 0, BYTES, read));
  assert_memory_equal(read, data, BYTES);
}

static void reads_a_part_and_touches_nothing_else(void **state) {
  (void)state;
  unsigned char read[9];
  memset(read, 0xEE, sizeof(read));
  ASSERT_CL(read_at(buffer, 13, 7, read + 1));
  assert_memory_equal(read + 1, data + 13, 7);
  assert_int_equal(read[0], 0xEE);
  assert_int_equal(read[8], 0xEE);
}

static void writes_a_part_and_leaves_the_rest(void **state) {
  (void)state;
  const unsigned char bytes[5] = {1, 2, 3, 4, 5};
  unsigned char read[BYTES], expected[BYTES];
  memcpy(expected, data, BYTES);
  memcpy(expected + 101, bytes, sizeof(bytes));
  ASSERT_CL(write_at(buffer, 101, sizeof(bytes), bytes));
  ASSERT_CL(read_at(buffer, 0, BYTES, read));
  assert_memory_equal(read, expected, BYTES);
}

static void the_last_byte_is_inside_and_the_next_one_outside(void **state) {
  (void)state;
  unsigned char byte = 0;
  ASSERT_CL(read_at(buffer, BYTES - 1, 1, &byte));
  assert_int_equal(byte, data[BYTES - 1]);
  ASSERT_CL_ERROR(read_at(buffer, BYTES, 1, &byte), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_at(buffer, BYTES, 1, &byte), CL_INVALID_VALUE);
}

static void refuses_regions_that_end_outside(void **state) {
  (void)state;
  unsigned char bytes[BYTES + 1] = {0};
  ASSERT_CL_ERROR(read_at(buffer, 0, BYTES + 1, bytes), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_at(buffer, 1, BYTES, bytes), CL_INVALID_VALUE);
  /* Offset plus size overflows to something small. */
  ASSERT_CL_ERROR(read_at(buffer, 8, SIZE_MAX - 4, bytes), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_at(buffer, SIZE_MAX - 4, 8, bytes), CL_INVALID_VALUE);
}

static void refuses_null_pointers_and_buffers(void **state) {
  (void)state;
  unsigned char byte = 0;
  ASSERT_CL_ERROR(read_at(buffer, 0, 1, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(write_at(buffer, 0, 1, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(read_at(NULL, 0, 1, &byte), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(write_at(NULL, 0, 1, &byte), CL_INVALID_MEM_OBJECT);
}

static void refuses_objects_that_are_not_buffers(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  unsigned char byte = 0;
  ASSERT_CL_ERROR(read_at((cl_mem)(void *)dut.context, 0, 1, &byte), CL_INVALID_MEM_OBJECT);
  cl_command_queue foreign = (cl_command_queue)(void *)buffer;
  ASSERT_CL_ERROR(clEnqueueReadBuffer(foreign, buffer, CL_TRUE, 0, 1, &byte, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
}

static void refuses_a_buffer_of_another_context(void **state) {
  (void)state;
  cl_int error;
  unsigned char byte = 0;
  cl_context context = test_other_context();
  cl_mem foreign = clCreateBuffer(context, 0, 16, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(read_at(foreign, 0, 1, &byte), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(write_at(foreign, 0, 1, &byte), CL_INVALID_CONTEXT);
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
  unsigned char byte = 0;
  for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
    cl_mem limited = clCreateBuffer(dut.context, rules[i].flags, 16, NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL_ERROR(read_at(limited, 0, 1, &byte), rules[i].read);
    ASSERT_CL_ERROR(write_at(limited, 0, 1, &byte), rules[i].write);
    ASSERT_CL(clReleaseMemObject(limited));
  }
}

/** A blocking call whose wait list failed gives its own error code, and no event; a queued one is merely terminated. */
static void blocking_call_after_a_failed_event_says_so(void **state) {
  (void)state;
  cl_int error;
  unsigned char byte = 0;
  cl_event failed = clCreateUserEvent(dut.context, &error), event = NULL;
  ASSERT_CL(error);
  ASSERT_CL(clSetUserEventStatus(failed, -5));
  ASSERT_CL_ERROR(clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, 0, 1, &byte, 1, &failed, &event),
                  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  ASSERT_CL_ERROR(clEnqueueWriteBuffer(dut.queue, buffer, CL_TRUE, 0, 1, &byte, 1, &failed, &event),
                  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  assert_null(event);
  ASSERT_CL(clReleaseEvent(failed));
}

/** Host memory given to a non-blocking write is read when the command runs, not when it is enqueued. */
static void non_blocking_transfers_run_in_order(void **state) {
  (void)state;
  unsigned char written[64], read[64] = {0};
  cl_event event;
  memset(written, 0x11, sizeof(written));
  ASSERT_CL(clEnqueueWriteBuffer(dut.queue, buffer, CL_FALSE, 0, sizeof(written), written, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(dut.queue, buffer, CL_FALSE, 0, sizeof(read), read, 0, NULL, &event));
  ASSERT_CL(clWaitForEvents(1, &event));
  assert_memory_equal(read, written, sizeof(read));
  ASSERT_CL(clReleaseEvent(event));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffer, release_buffer)
  const struct CMUnitTest tests[] = {
      CASE(reads_back_every_byte),
      CASE(reads_a_part_and_touches_nothing_else),
      CASE(writes_a_part_and_leaves_the_rest),
      CASE(the_last_byte_is_inside_and_the_next_one_outside),
      CASE(refuses_regions_that_end_outside),
      CASE(refuses_null_pointers_and_buffers),
      CASE(refuses_objects_that_are_not_buffers),
      CASE(refuses_a_buffer_of_another_context),
      CASE(host_access_flags_are_obeyed),
      CASE(blocking_call_after_a_failed_event_says_so),
      CASE(non_blocking_transfers_run_in_order),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
