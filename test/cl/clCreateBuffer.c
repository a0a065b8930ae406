/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateBuffer, clCreateBufferWithProperties, clGetMemObjectInfo and clSetMemObjectDestructorCallback. */
#include "test_device.h"

static cl_mem create(cl_mem_flags flags, size_t size, void *host) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(dut.context, flags, size, host, &error);
  ASSERT_CL(error);
  assert_non_null(buffer);
  return buffer;
}

static void knows_what_it_was_made_with(void **state) {
  (void)state;
  cl_mem buffer = create(CL_MEM_READ_ONLY, 1000, NULL);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_BUFFER);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_ONLY);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_SIZE, size_t, 1000);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR, void *, NULL);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT, cl_uint, 0);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_CONTEXT, cl_context, dut.context);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem, NULL);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_OFFSET, size_t, 0);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER, cl_bool, CL_FALSE);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void flags_left_out_mean_read_write(void **state) {
  (void)state;
  cl_mem buffer = create(0, 16, NULL);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_WRITE);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void copies_host_memory_at_creation(void **state) {
  (void)state;
  cl_int host[4] = {1, 2, 3, 4}, read[4] = {0};
  const cl_int expected[4] = {1, 2, 3, 4};
  cl_mem buffer = create(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(host), host);
  memset(host, 0, sizeof(host));
  test_read(buffer, sizeof(read), read);
  assert_memory_equal(read, expected, sizeof(read));
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR, void *, NULL);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void uses_host_memory_as_its_own(void **state) {
  (void)state;
  cl_int error;
  cl_int host[4] = {1, 2, 3, 4};
  cl_mem buffer = create(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof(host), host);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR, void *, host);
  void *mapped = clEnqueueMapBuffer(dut.queue, buffer, CL_TRUE, CL_MAP_READ, 4, 8, 0, NULL, NULL, &error);
  ASSERT_CL(error);
  assert_ptr_equal(mapped, &host[1]);
  ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, buffer, mapped, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void allocated_host_memory_may_start_as_a_copy(void **state) {
  (void)state;
  cl_int host[2] = {5, 6}, read[2] = {0};
  cl_mem buffer = create(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, sizeof(host), host);
  test_read(buffer, sizeof(read), read);
  assert_memory_equal(read, host, sizeof(read));
  ASSERT_CL(clReleaseMemObject(buffer));
}

/** The smallest and odd sizes are usable up to their last byte. */
static void every_size_is_usable_to_its_last_byte(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 3, 63, 65, 4095, 4097, 100003};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    unsigned char last = 0;
    const unsigned char fill = 0x5A;
    cl_mem buffer = create(0, sizes[i], NULL);
    ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &fill, 1, 0, sizes[i], 0, NULL, NULL));
    ASSERT_CL(clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, sizes[i] - 1, 1, &last, 0, NULL, NULL));
    assert_int_equal(last, fill);
    ASSERT_CL(clReleaseMemObject(buffer));
  }
}

/** What the C library's allocator had before does not show. */
static void small_buffers_start_as_zeros(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  enum { BUFFERS = 16, MOST = 60000 };
  static char dirty[MOST], read[MOST];
  static const char zeros[MOST];
  memset(dirty, 0x5A, sizeof(dirty));
  for (size_t size = 4; size <= MOST; size *= 4) {
    cl_mem buffers[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) buffers[i] = create(CL_MEM_COPY_HOST_PTR, size, dirty);
    for (int i = 0; i < BUFFERS; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
    for (int i = 0; i < BUFFERS; i++) {
      buffers[i] = create(CL_MEM_WRITE_ONLY, size, NULL);
      test_read(buffers[i], size, read);
      assert_memory_equal(read, zeros, size);
    }
    for (int i = 0; i < BUFFERS; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  }
}

static void refuses_size_zero_and_sizes_beyond_the_largest(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, 0, 0, NULL, &error), error, CL_INVALID_BUFFER_SIZE);
  size_t too_big = (size_t)test_device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE) + 1;
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, 0, too_big, NULL, &error), error, CL_INVALID_BUFFER_SIZE);
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, 0, SIZE_MAX, NULL, &error), error, CL_INVALID_BUFFER_SIZE);
}

static void refuses_flags_that_exclude_each_other(void **state) {
  (void)state;
  static const cl_mem_flags flags[] = {
      CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
      CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY,
      CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
      CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
      CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
      CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
      CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
      CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
      (cl_mem_flags)1 << 40,
  };
  cl_int host = 0, error;
  for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
    bool with_host = (flags[i] & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    ASSERT_CL_REFUSED(clCreateBuffer(dut.context, flags[i], sizeof(host), with_host ? &host : NULL, &error), error,
                      CL_INVALID_VALUE);
  }
}

static void refuses_host_pointers_that_do_not_fit_the_flags(void **state) {
  (void)state;
  cl_int host = 0, error;
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, 0, 4, &host, &error), error, CL_INVALID_HOST_PTR);
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, CL_MEM_ALLOC_HOST_PTR, 4, &host, &error), error, CL_INVALID_HOST_PTR);
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, 4, NULL, &error), error, CL_INVALID_HOST_PTR);
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, CL_MEM_COPY_HOST_PTR, 4, NULL, &error), error, CL_INVALID_HOST_PTR);
}

static void refuses_invalid_contexts(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(clCreateBuffer(NULL, 0, 4, NULL, &error), error, CL_INVALID_CONTEXT);
  SKIP_UNLESS_QUERN();
  cl_context foreign = (cl_context)(void *)dut.queue;
  ASSERT_CL_REFUSED(clCreateBuffer(foreign, 0, 4, NULL, &error), error, CL_INVALID_CONTEXT);
}

static void properties_are_kept_and_unknown_ones_refused(void **state) {
  (void)state;
  cl_int error;
  const cl_mem_properties none[] = {0}, unknown[] = {0x7FFF, 1, 0};
  cl_mem_properties told[1] = {77};
  size_t size = 77;
  cl_mem buffer = clCreateBufferWithProperties(dut.context, NULL, 0, 16, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, 0, NULL, &size));
  assert_int_equal(size, 0);
  ASSERT_CL(clReleaseMemObject(buffer));
  buffer = clCreateBufferWithProperties(dut.context, none, 0, 16, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, sizeof(told), told, &size));
  assert_int_equal(size, sizeof(none));
  assert_int_equal(told[0], 0);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL_REFUSED(clCreateBufferWithProperties(dut.context, unknown, 0, 16, NULL, &error), error,
                    CL_INVALID_PROPERTY);
}

static void CL_CALLBACK append_one(cl_mem buffer, void *order) {
  (void)buffer;
  strcat(order, "1");
}

static void CL_CALLBACK append_two(cl_mem buffer, void *order) {
  (void)buffer;
  strcat(order, "2");
}

static void destructor_callbacks_run_last_registered_first(void **state) {
  (void)state;
  char order[8] = "";
  cl_mem buffer = create(0, 16, NULL);
  ASSERT_CL(clSetMemObjectDestructorCallback(buffer, append_one, order));
  ASSERT_CL(clSetMemObjectDestructorCallback(buffer, append_two, order));
  ASSERT_CL(clRetainMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(buffer));
  assert_string_equal(order, "");
  ASSERT_CL(clReleaseMemObject(buffer));
  assert_string_equal(order, "21");
}

/** An application may free host memory in the callback, so it must not come while a command still uses the buffer. */
static void destructor_callback_waits_for_the_commands_that_use_the_buffer(void **state) {
  (void)state;
  char order[8] = "";
  const cl_uint zero = 0;
  cl_int error;
  cl_mem buffer = create(0, 64, NULL);
  cl_event gate = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetMemObjectDestructorCallback(buffer, append_one, order));
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &zero, sizeof(zero), 0, 64, 1, &gate, NULL));
  ASSERT_CL(clFlush(dut.queue));
  ASSERT_CL(clReleaseMemObject(buffer));
  assert_string_equal(order, "");
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseEvent(gate));
  assert_string_equal(order, "1");
}

static void destructor_callback_must_be_given(void **state) {
  (void)state;
  cl_mem buffer = create(0, 16, NULL);
  ASSERT_CL_ERROR(clSetMemObjectDestructorCallback(buffer, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetMemObjectDestructorCallback(NULL, append_one, NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void info_obeys_the_common_rules(void **state) {
  (void)state;
  size_t size;
  cl_mem buffer = create(0, 16, NULL);
  ASSERT_INFO_RULES(clGetMemObjectInfo, buffer, CL_MEM_SIZE);
  ASSERT_CL_ERROR(clGetMemObjectInfo(NULL, CL_MEM_SIZE, 0, NULL, &size), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, NULL, &size), CL_INVALID_MEM_OBJECT);
  ASSERT_CL(clReleaseMemObject(buffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(knows_what_it_was_made_with),
      cmocka_unit_test(flags_left_out_mean_read_write),
      cmocka_unit_test(copies_host_memory_at_creation),
      cmocka_unit_test(uses_host_memory_as_its_own),
      cmocka_unit_test(allocated_host_memory_may_start_as_a_copy),
      cmocka_unit_test(every_size_is_usable_to_its_last_byte),
      cmocka_unit_test(small_buffers_start_as_zeros),
      cmocka_unit_test(refuses_size_zero_and_sizes_beyond_the_largest),
      cmocka_unit_test(refuses_flags_that_exclude_each_other),
      cmocka_unit_test(refuses_host_pointers_that_do_not_fit_the_flags),
      cmocka_unit_test(refuses_invalid_contexts),
      cmocka_unit_test(properties_are_kept_and_unknown_ones_refused),
      cmocka_unit_test(destructor_callbacks_run_last_registered_first),
      cmocka_unit_test(destructor_callback_waits_for_the_commands_that_use_the_buffer),
      cmocka_unit_test(destructor_callback_must_be_given),
      cmocka_unit_test(info_obeys_the_common_rules),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
