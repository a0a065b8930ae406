/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateSampler, clCreateSamplerWithProperties, clRetainSampler, clReleaseSampler, clGetSamplerInfo. */
#include "test_device.h"

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_IMAGE_SUPPORT);
}

static cl_sampler make(const cl_sampler_properties *properties) {
  cl_int error;
  cl_sampler sampler = clCreateSamplerWithProperties(dut.context, properties, &error);
  ASSERT_CL(error);
  assert_non_null(sampler);
  return sampler;
}

static void every_combination_can_be_made(void **state) {
  (void)state;
  for (cl_bool normalized = CL_FALSE; normalized <= CL_TRUE; normalized++) {
    for (cl_addressing_mode mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_MIRRORED_REPEAT; mode++) {
      for (cl_filter_mode filter = CL_FILTER_NEAREST; filter <= CL_FILTER_LINEAR; filter++) {
        cl_int error;
        cl_sampler sampler = clCreateSampler(dut.context, normalized, mode, filter, &error);
        ASSERT_CL(error);
        ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS, cl_bool, normalized);
        ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode, mode);
        ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE, cl_filter_mode, filter);
        ASSERT_CL(clReleaseSampler(sampler));
      }
    }
  }
}

static void defaults_are_those_of_the_specification(void **state) {
  (void)state;
  cl_sampler sampler = make(NULL);
  size_t size = 77;
  ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS, cl_bool, CL_TRUE);
  ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode, CL_ADDRESS_CLAMP);
  ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE, cl_filter_mode, CL_FILTER_NEAREST);
  ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT, cl_context, dut.context);
  ASSERT_CL(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size));
  assert_int_equal(size, 0);
  ASSERT_CL(clReleaseSampler(sampler));
}

static void properties_are_given_back(void **state) {
  (void)state;
  static const cl_sampler_properties lists[][7] = {
      {0},
      {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0},
      {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, CL_SAMPLER_FILTER_MODE,
       CL_FILTER_LINEAR, 0}};
  static const size_t lengths[] = {1, 3, 7};
  for (int i = 0; i < 3; i++) {
    cl_sampler_properties answer[7] = {1, 1, 1, 1, 1, 1, 1};
    size_t size;
    cl_sampler sampler = make(lists[i]);
    ASSERT_CL(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof answer, answer, &size));
    assert_int_equal(size, lengths[i] * sizeof *answer);
    assert_memory_equal(answer, lists[i], size);
    ASSERT_CL(clReleaseSampler(sampler));
  }
}

static void refuses_bad_properties(void **state) {
  (void)state;
  static const cl_sampler_properties lists[][7] = {
      {CL_SAMPLER_NORMALIZED_COORDS, 2, 0},
      {CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_LINEAR, 0},
      {CL_SAMPLER_FILTER_MODE, CL_ADDRESS_NONE, 0},
      {CL_SAMPLER_CONTEXT, 1, 0},
      {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}};
  cl_int error;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    ASSERT_CL_REFUSED(clCreateSamplerWithProperties(dut.context, lists[i], &error), error, CL_INVALID_VALUE);
  }
  ASSERT_CL_REFUSED(clCreateSampler(dut.context, 3, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error), error,
                    CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateSampler(dut.context, CL_TRUE, 0, CL_FILTER_NEAREST, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateSampler(dut.context, CL_TRUE, CL_ADDRESS_NONE, 0, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error), error,
                    CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(clCreateSamplerWithProperties(NULL, NULL, &error), error, CL_INVALID_CONTEXT);
}

static void references_are_counted(void **state) {
  (void)state;
  cl_sampler sampler = make(NULL);
  ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_CL(clRetainSampler(sampler));
  ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT, cl_uint, 2);
  ASSERT_CL(clReleaseSampler(sampler));
  ASSERT_INFO_RULES(clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT);
  ASSERT_CL(clReleaseSampler(sampler));
}

static void refuses_what_is_no_sampler(void **state) {
  (void)state;
  ASSERT_CL_ERROR(clRetainSampler(NULL), CL_INVALID_SAMPLER);
  ASSERT_CL_ERROR(clReleaseSampler(NULL), CL_INVALID_SAMPLER);
  ASSERT_CL_ERROR(clGetSamplerInfo(NULL, CL_SAMPLER_CONTEXT, 0, NULL, NULL), CL_INVALID_SAMPLER);
  SKIP_UNLESS_QUERN();
  cl_mem buffer = test_buffer(64, NULL);
  ASSERT_CL_ERROR(clRetainSampler((cl_sampler)(void *)buffer), CL_INVALID_SAMPLER);
  ASSERT_CL_ERROR(clReleaseSampler((cl_sampler)(void *)buffer), CL_INVALID_SAMPLER);
  ASSERT_CL(clReleaseMemObject(buffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_combination_can_be_made), cmocka_unit_test(defaults_are_those_of_the_specification),
      cmocka_unit_test(properties_are_given_back),     cmocka_unit_test(refuses_bad_properties),
      cmocka_unit_test(references_are_counted),        cmocka_unit_test(refuses_what_is_no_sampler),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
