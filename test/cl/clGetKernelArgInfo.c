/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetKernelArgInfo. */
#include "test_device.h"

static const char *const source =
    "typedef struct pair { int a; float b; } pair_t;\n"
    "kernel void many(global const float *in, global int * restrict out, constant uint4 *table, local double "
    "*scratch,\n"
    "                 int number, pair_t pair, volatile global uchar *bytes, float4 const vector) {}\n";

static const struct expected_t {
  const char *name, *type;
  cl_kernel_arg_address_qualifier address;
  cl_kernel_arg_type_qualifier qualifier;
} expected[] = {
    {"in", "float*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST},
    {"out", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_RESTRICT},
    {"table", "uint4*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
    {"scratch", "double*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE},
    {"number", "int", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
    {"pair", "pair_t", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
    {"bytes", "uchar*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_VOLATILE},
    {"vector", "float4", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
};
enum { COUNT = sizeof(expected) / sizeof(expected[0]) };

static cl_kernel kernel;

static int build(void **state) {
  int failed = test_device_open(state);
  if (failed == 0) kernel = test_kernel(source, "-cl-kernel-arg-info", "many");
  return failed;
}

static int release(void **state) {
  cl_int error = clReleaseKernel(kernel);
  return test_device_close(state) != 0 || error != CL_SUCCESS;
}

static void names_and_types_are_those_of_the_source(void **state) {
  (void)state;
  for (cl_uint i = 0; i < COUNT; i++) {
    char text[64] = "";
    size_t size = 0;
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof(text), text, &size));
    assert_string_equal(text, expected[i].name);
    assert_int_equal(size, strlen(text) + 1);
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text, NULL));
    assert_string_equal(text, expected[i].type);
  }
}

static void address_spaces_are_told(void **state) {
  (void)state;
  for (cl_uint i = 0; i < COUNT; i++) {
    cl_kernel_arg_address_qualifier address = 0;
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(address), &address, NULL));
    assert_int_equal(address, expected[i].address);
  }
}

static void type_qualifiers_are_those_of_the_pointee(void **state) {
  (void)state;
  for (cl_uint i = 0; i < COUNT; i++) {
    cl_kernel_arg_type_qualifier qualifier = 77;
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(qualifier), &qualifier, NULL));
    assert_int_equal(qualifier, expected[i].qualifier);
  }
}

static void access_is_none_for_what_is_no_image(void **state) {
  (void)state;
  for (cl_uint i = 0; i < COUNT; i++) {
    cl_kernel_arg_access_qualifier access = 0;
    ASSERT_CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access), &access, NULL));
    assert_int_equal(access, CL_KERNEL_ARG_ACCESS_NONE);
  }
}

static void refuses_bad_arguments(void **state) {
  (void)state;
  size_t size;
  char byte[1];
  ASSERT_CL_ERROR(clGetKernelArgInfo(NULL, 0, CL_KERNEL_ARG_NAME, 0, NULL, &size), CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(clGetKernelArgInfo(kernel, COUNT, CL_KERNEL_ARG_NAME, 0, NULL, &size), CL_INVALID_ARG_INDEX);
  ASSERT_CL_ERROR(clGetKernelArgInfo(kernel, 0, 0x7FFF, 0, NULL, &size), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 1, byte, NULL), CL_INVALID_VALUE);
}

/** "Kernel argument information is only available if ... the program executable was built with -cl-kernel-arg-info." */
static void without_the_option_it_is_not_available(void **state) {
  (void)state;
  char text[64] = "";
  cl_kernel other = test_kernel("kernel void k(global int *quantity) { *quantity = 1; }", NULL, "k");
  for (cl_kernel_arg_info query = CL_KERNEL_ARG_ADDRESS_QUALIFIER; query <= CL_KERNEL_ARG_NAME; query++) {
    ASSERT_CL_ERROR(clGetKernelArgInfo(other, 0, query, sizeof(text), text, NULL), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  }
  ASSERT_CL(clReleaseKernel(other));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_types_are_those_of_the_source),
      cmocka_unit_test(address_spaces_are_told),
      cmocka_unit_test(type_qualifiers_are_those_of_the_pointee),
      cmocka_unit_test(access_is_none_for_what_is_no_image),
      cmocka_unit_test(refuses_bad_arguments),
      cmocka_unit_test(without_the_option_it_is_not_available),
  };
  return cmocka_run_group_tests(tests, build, release);
}
