/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_priority_hints and cl_khr_throttle_hints: hints are taken, kept and checked. */
#include <CL/cl_ext.h>

#include "test_extension.h"

static int open_device(void **state) {
  return test_device_open(state) || !test_has_extension("cl_khr_priority_hints") ||
         !test_has_extension("cl_khr_throttle_hints");
}

static cl_command_queue create(const cl_queue_properties *properties, cl_int *error) {
  return clCreateCommandQueueWithProperties(dut.context, dut.device, properties, error);
}

static void takes_every_level(void **state) {
  (void)state;
  static const cl_queue_properties priorities[] = {CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_MED_KHR,
                                                   CL_QUEUE_PRIORITY_LOW_KHR};
  static const cl_queue_properties throttles[] = {CL_QUEUE_THROTTLE_HIGH_KHR, CL_QUEUE_THROTTLE_MED_KHR,
                                                  CL_QUEUE_THROTTLE_LOW_KHR};
  for (int i = 0; i < 3; i++) {
    const cl_queue_properties list[] = {CL_QUEUE_PRIORITY_KHR,
                                        priorities[i],
                                        CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_PROFILING_ENABLE,
                                        CL_QUEUE_THROTTLE_KHR,
                                        throttles[i],
                                        0};
    cl_queue_properties read[7];
    size_t size;
    cl_int error;
    cl_command_queue queue = create(list, &error);
    ASSERT_CL(error);
    ASSERT_CL(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(read), read, &size));
    assert_int_equal(size, sizeof(list));
    assert_memory_equal(read, list, sizeof(list));
    ASSERT_INFO(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES, cl_command_queue_properties,
                CL_QUEUE_PROFILING_ENABLE);
    ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
    ASSERT_CL(clFinish(queue));
    ASSERT_CL(clReleaseCommandQueue(queue));
  }
}

static void refuses_other_levels_and_repetition(void **state) {
  (void)state;
  static const cl_queue_properties names[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR};
  static const cl_queue_properties bad[] = {0, 3, 8};
  cl_int error;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++) {
      const cl_queue_properties list[] = {names[i], bad[j], 0};
      ASSERT_CL_REFUSED(create(list, &error), error, CL_INVALID_VALUE);
    }
    const cl_queue_properties twice[] = {names[i], 1, names[i], 1, 0};
    ASSERT_CL_REFUSED(create(twice, &error), error, CL_INVALID_VALUE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_every_level),
      cmocka_unit_test(refuses_other_levels_and_repetition),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
