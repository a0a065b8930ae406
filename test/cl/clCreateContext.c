/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateContext, clCreateContextFromType, clGetContextInfo and clSetContextDestructorCallback. */
#include "test_device.h"

static void CL_CALLBACK destroyed(cl_context context, void *order) {
  (void)context;
  char *text = order;
  strcat(text, "x");
}

static void CL_CALLBACK second(cl_context context, void *order) {
  (void)context;
  strcat(order, "2");
}

static void CL_CALLBACK first(cl_context context, void *order) {
  (void)context;
  strcat(order, "1");
}

static void CL_CALLBACK ignore(const char *text, const void *data, size_t size, void *user) {
  (void)text, (void)data, (void)size, (void)user;
}

static void keeps_devices_and_properties(void **state) {
  (void)state;
  cl_int error;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)dut.platform, 0};
  cl_context_properties told[3] = {0};
  size_t size = 0;
  cl_context context = clCreateContext(properties, 1, &dut.device, NULL, NULL, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES, cl_uint, 1);
  ASSERT_INFO(clGetContextInfo, context, CL_CONTEXT_DEVICES, cl_device_id, dut.device);
  ASSERT_INFO(clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_CL(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof(told), told, &size));
  assert_int_equal(size, sizeof(properties));
  assert_memory_equal(told, properties, sizeof(properties));
  ASSERT_CL(clReleaseContext(context));
}

static void properties_left_out_are_reported_as_none(void **state) {
  (void)state;
  size_t size = 77;
  cl_context context = test_other_context();
  ASSERT_CL(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, 0, NULL, &size));
  assert_true(size == 0 || size == sizeof(cl_context_properties));
  ASSERT_CL(clReleaseContext(context));
}

static void the_same_device_twice_counts_once(void **state) {
  (void)state;
  cl_int error;
  const cl_device_id devices[2] = {dut.device, dut.device};
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES, cl_uint, 1);
  ASSERT_CL(clReleaseContext(context));
}

static void from_type_takes_the_platforms_devices(void **state) {
  (void)state;
  cl_int error;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)dut.platform, 0};
  cl_context context = clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, NULL, NULL, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetContextInfo, context, CL_CONTEXT_DEVICES, cl_device_id, dut.device);
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL_REFUSED(clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &error), error,
                    CL_DEVICE_NOT_FOUND);
  ASSERT_CL_REFUSED(clCreateContextFromType(properties, 0, NULL, NULL, &error), error, CL_INVALID_DEVICE_TYPE);
}

static void refuses_a_missing_or_empty_device_list(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(clCreateContext(NULL, 0, &dut.device, NULL, NULL, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateContext(NULL, 1, NULL, NULL, NULL, &error), error, CL_INVALID_VALUE);
}

static void refuses_invalid_devices(void **state) {
  (void)state;
  cl_int error;
  const cl_device_id devices[2] = {dut.device, NULL};
  ASSERT_CL_REFUSED(clCreateContext(NULL, 2, devices, NULL, NULL, &error), error, CL_INVALID_DEVICE);
  SKIP_UNLESS_QUERN();
  cl_device_id foreign = (cl_device_id)(void *)dut.queue;
  ASSERT_CL_REFUSED(clCreateContext(NULL, 1, &foreign, NULL, NULL, &error), error, CL_INVALID_DEVICE);
}

static void refuses_user_data_without_a_callback(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(clCreateContext(NULL, 1, &dut.device, NULL, &error, &error), error, CL_INVALID_VALUE);
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)dut.platform, 0};
  ASSERT_CL_REFUSED(clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, NULL, &error, &error), error,
                    CL_INVALID_VALUE);
}

static void refuses_unknown_and_repeated_properties(void **state) {
  (void)state;
  cl_int error;
  const cl_context_properties platform = (cl_context_properties)dut.platform;
  const cl_context_properties unknown[] = {0x7FFF, 1, 0};
  const cl_context_properties repeated[] = {CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM, platform, 0};
  ASSERT_CL_REFUSED(clCreateContext(unknown, 1, &dut.device, ignore, NULL, &error), error, CL_INVALID_PROPERTY);
  ASSERT_CL_REFUSED(clCreateContext(repeated, 1, &dut.device, ignore, NULL, &error), error, CL_INVALID_PROPERTY);
}

static void error_code_may_be_left_out(void **state) {
  (void)state;
  cl_context context = clCreateContext(NULL, 1, &dut.device, NULL, NULL, NULL);
  assert_non_null(context);
  ASSERT_CL(clReleaseContext(context));
  assert_null(clCreateContext(NULL, 1, NULL, NULL, NULL, NULL));
}

static void destructor_callbacks_run_last_registered_first(void **state) {
  (void)state;
  char order[8] = "";
  cl_context context = test_other_context();
  ASSERT_CL(clSetContextDestructorCallback(context, first, order));
  ASSERT_CL(clSetContextDestructorCallback(context, second, order));
  ASSERT_CL(clRetainContext(context));
  ASSERT_CL(clReleaseContext(context));
  assert_string_equal(order, "");
  ASSERT_CL(clReleaseContext(context));
  assert_string_equal(order, "21");
}

static void destructor_callback_waits_for_the_last_object_in_the_context(void **state) {
  (void)state;
  char order[8] = "";
  cl_int error;
  cl_context context = test_other_context();
  cl_mem buffer = clCreateBuffer(context, 0, 16, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetContextDestructorCallback(context, destroyed, order));
  ASSERT_CL(clReleaseContext(context));
  assert_string_equal(order, "");
  ASSERT_CL(clReleaseMemObject(buffer));
  assert_string_equal(order, "x");
}

static void destructor_callback_must_be_given(void **state) {
  (void)state;
  ASSERT_CL_ERROR(clSetContextDestructorCallback(dut.context, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetContextDestructorCallback(NULL, destroyed, NULL), CL_INVALID_CONTEXT);
}

static void info_obeys_the_common_rules(void **state) {
  (void)state;
  size_t size;
  ASSERT_INFO_RULES(clGetContextInfo, dut.context, CL_CONTEXT_DEVICES);
  ASSERT_CL_ERROR(clGetContextInfo(NULL, CL_CONTEXT_DEVICES, 0, NULL, &size), CL_INVALID_CONTEXT);
}

static void a_context_by_type_refuses_bad_properties(void **state) {
  (void)state;
  cl_int error;
  const cl_context_properties platform = (cl_context_properties)dut.platform;
  const cl_context_properties unknown[] = {CL_CONTEXT_PLATFORM, platform, 0x7777, 1, 0};
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM, platform, 0};
  const cl_context_properties neither[] = {CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_INTEROP_USER_SYNC, 5, 0};
  const cl_context_properties *const lists[] = {unknown, twice, neither};
  for (int i = 0; i < 3; i++) {
    ASSERT_CL_REFUSED(clCreateContextFromType(lists[i], CL_DEVICE_TYPE_CPU, NULL, NULL, &error), error,
                      CL_INVALID_PROPERTY);
    ASSERT_CL_REFUSED(clCreateContext(lists[i], 1, &dut.device, NULL, NULL, &error), error, CL_INVALID_PROPERTY);
  }
  SKIP_UNLESS_QUERN();
  const cl_context_properties foreign[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)dut.queue, 0};
  ASSERT_CL_REFUSED(clCreateContextFromType(foreign, CL_DEVICE_TYPE_CPU, NULL, NULL, &error), error,
                    CL_INVALID_PLATFORM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_context_by_type_refuses_bad_properties),
      cmocka_unit_test(keeps_devices_and_properties),
      cmocka_unit_test(properties_left_out_are_reported_as_none),
      cmocka_unit_test(the_same_device_twice_counts_once),
      cmocka_unit_test(from_type_takes_the_platforms_devices),
      cmocka_unit_test(refuses_a_missing_or_empty_device_list),
      cmocka_unit_test(refuses_invalid_devices),
      cmocka_unit_test(refuses_user_data_without_a_callback),
      cmocka_unit_test(refuses_unknown_and_repeated_properties),
      cmocka_unit_test(error_code_may_be_left_out),
      cmocka_unit_test(destructor_callbacks_run_last_registered_first),
      cmocka_unit_test(destructor_callback_waits_for_the_last_object_in_the_context),
      cmocka_unit_test(destructor_callback_must_be_given),
      cmocka_unit_test(info_obeys_the_common_rules),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
