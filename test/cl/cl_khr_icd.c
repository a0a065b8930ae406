/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_icd 2: what a loader with a dispatch table of its own asks for. Loaders with version 1 run all other tests. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl_icd.h>

#include "test_extension.h"

typedef void *(CL_API_CALL *get_address_fn)(cl_platform_id platform, const char *name);
typedef cl_int(CL_API_CALL *set_data_fn)(cl_platform_id platform, void *data);
typedef cl_int(CL_API_CALL *get_platforms_fn)(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms);
#define FUNCTIONS(X)                                       \
  X(clIcdGetFunctionAddressForPlatformKHR, get_address_fn) \
  X(clIcdSetPlatformDispatchDataKHR, set_data_fn)          \
  X(clIcdGetPlatformIDsKHR, get_platforms_fn)
TEST_EXTENSION_FUNCTIONS_OF(icd, FUNCTIONS)

/* What every object begins with. */
typedef struct head_t {
  const struct _cl_icd_dispatch *dispatch;
  void *data;
} head_t;

static int open_device(void **state) {
  return test_device_open(state) || !test_has_extension("cl_khr_icd") || !icd_load();
}

static head_t head_of(const void *object) {
  head_t head;
  memcpy(&head, object, sizeof(head));
  return head;
}

static void the_table_is_tagged(void **state) {
  (void)state;
  const struct _cl_icd_dispatch *table = head_of(dut.platform).dispatch;
  const intptr_t tag = (intptr_t)0x4F50454E434C3331;
  assert_true((intptr_t)table->clGetPlatformIDs == tag);
  assert_true((intptr_t)table->clUnloadCompiler == tag);
}

static void every_entry_point_is_found(void **state) {
  (void)state;
  const struct _cl_icd_dispatch *table = head_of(dut.platform).dispatch;
  void *const create = icd.clIcdGetFunctionAddressForPlatformKHR(dut.platform, "clCreateContext");
  void *const last = icd.clIcdGetFunctionAddressForPlatformKHR(dut.platform, "clSetContextDestructorCallback");
  assert_true((uintptr_t)create == (uintptr_t)table->clCreateContext);
  assert_true((uintptr_t)last == (uintptr_t)table->clSetContextDestructorCallback);
  assert_non_null(icd.clIcdGetFunctionAddressForPlatformKHR(dut.platform, "clGetPlatformIDs"));
  assert_non_null(icd.clIcdGetFunctionAddressForPlatformKHR(dut.platform, "clUnloadCompiler"));
  assert_non_null(icd.clIcdGetFunctionAddressForPlatformKHR(dut.platform, "clHostMemAllocINTEL"));
  assert_null(icd.clIcdGetFunctionAddressForPlatformKHR(dut.platform, "clNothing"));
  assert_null(icd.clIcdGetFunctionAddressForPlatformKHR(dut.platform, NULL));
  assert_null(icd.clIcdGetFunctionAddressForPlatformKHR(NULL, "clCreateContext"));
}

static void the_loader_is_given_platforms(void **state) {
  (void)state;
  cl_platform_id platforms[2] = {NULL, NULL};
  cl_uint count = 0;
  ASSERT_CL(icd.clIcdGetPlatformIDsKHR(0, NULL, &count));
  assert_int_equal(count, 1);
  ASSERT_CL(icd.clIcdGetPlatformIDsKHR(2, platforms, NULL));
  assert_ptr_equal(platforms[0], dut.platform);
  assert_null(platforms[1]);
  ASSERT_CL(icd.clIcdGetPlatformIDsKHR(2, NULL, &count));
  ASSERT_CL_ERROR(icd.clIcdGetPlatformIDsKHR(0, platforms, &count), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(icd.clIcdGetPlatformIDsKHR(0, NULL, NULL), CL_INVALID_VALUE);
}

static void the_loaders_data_is_in_every_object(void **state) {
  (void)state;
  int data;
  cl_int error;
  ASSERT_CL(icd.clIcdSetPlatformDispatchDataKHR(dut.platform, &data));
  assert_ptr_equal(head_of(dut.platform).data, &data);
  assert_ptr_equal(head_of(dut.device).data, &data);
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  cl_event event = clCreateUserEvent(context, &error);
  assert_ptr_equal(head_of(context).data, &data);
  assert_ptr_equal(head_of(queue).data, &data);
  assert_ptr_equal(head_of(event).data, &data);
  ASSERT_CL(clReleaseEvent(event));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL(icd.clIcdSetPlatformDispatchDataKHR(dut.platform, NULL));
  assert_null(head_of(dut.platform).data);
  ASSERT_CL_ERROR(icd.clIcdSetPlatformDispatchDataKHR(NULL, &data), CL_INVALID_PLATFORM);
}

static void the_deprecated_function_still_works(void **state) {
  (void)state;
  ASSERT_CL(clUnloadCompiler());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_is_tagged),
      cmocka_unit_test(every_entry_point_is_found),
      cmocka_unit_test(the_loader_is_given_platforms),
      cmocka_unit_test(the_loaders_data_is_in_every_object),
      cmocka_unit_test(the_deprecated_function_still_works),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
