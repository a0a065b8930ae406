/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetDeviceInfo, and retaining a root device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quern/threads.h"
#include "test_device.h"

static void is_a_cpu_of_its_platform(void **state) {
  (void)state;
  cl_device_type type = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_TYPE, sizeof(type), &type, NULL));
  assert_true((type & CL_DEVICE_TYPE_CPU) != 0);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_PLATFORM, cl_platform_id, dut.platform);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_AVAILABLE, cl_bool, CL_TRUE);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_COMPILER_AVAILABLE, cl_bool, CL_TRUE);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_LINKER_AVAILABLE, cl_bool, CL_TRUE);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_ENDIAN_LITTLE, cl_bool, CL_TRUE);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, CL_FALSE);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_ADDRESS_BITS, cl_uint, sizeof(void *) * 8);
}

/** The least values that OpenCL 3.0 allows for the full profile. */
static void meets_the_minima_of_the_full_profile(void **state) {
  (void)state;
  static const struct {
    cl_device_info parameter;
    cl_ulong minimum;
  } minima[] = {
      {CL_DEVICE_MAX_COMPUTE_UNITS, 1},        {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3},
      {CL_DEVICE_MAX_WORK_GROUP_SIZE, 1},      {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 128 << 20},
      {CL_DEVICE_MAX_PARAMETER_SIZE, 1024},    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024},
      {CL_DEVICE_GLOBAL_MEM_SIZE, 128 << 20},  {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 64 << 10},
      {CL_DEVICE_MAX_CONSTANT_ARGS, 8},        {CL_DEVICE_LOCAL_MEM_SIZE, 32 << 10},
      {CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20}, {CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1},
      {CL_DEVICE_MAX_CLOCK_FREQUENCY, 0},      {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 1},
  };
  for (size_t i = 0; i < sizeof(minima) / sizeof(minima[0]); i++) {
    assert_true(test_device_number(minima[i].parameter) >= minima[i].minimum);
  }
  assert_true(test_device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= test_device_number(CL_DEVICE_GLOBAL_MEM_SIZE) / 4 ||
              test_device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= (cl_ulong)1 << 30);
  assert_true(test_device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE) <= test_device_number(CL_DEVICE_GLOBAL_MEM_SIZE));
}

static void queues_may_be_profiled(void **state) {
  (void)state;
  cl_command_queue_properties properties = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof(properties), &properties, NULL));
  assert_true((properties & CL_QUEUE_PROFILING_ENABLE) != 0);
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_QUEUE_PROPERTIES, cl_command_queue_properties, properties);
}

static void work_item_sizes_have_one_entry_per_dimension(void **state) {
  (void)state;
  size_t sizes[16] = {0}, size = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(sizes), sizes, &size));
  assert_int_equal(size, test_device_number(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS) * sizeof(size_t));
  for (size_t i = 0; i < size / sizeof(size_t); i++) assert_true(sizes[i] >= 1);
}

static void strings_have_the_forms_that_are_prescribed(void **state) {
  (void)state;
  char text[8192] = "";
  int major = 0, minor = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_VERSION, sizeof(text), text, NULL));
  assert_int_equal(strncmp(text, "OpenCL 3.0 ", 11), 0);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_OPENCL_C_VERSION, sizeof(text), text, NULL));
  assert_int_equal(strncmp(text, "OpenCL C ", 9), 0);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_PROFILE, sizeof(text), text, NULL));
  assert_string_equal(text, "FULL_PROFILE");
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DRIVER_VERSION, sizeof(text), text, NULL));
  assert_int_equal(sscanf(text, "%d.%d", &major, &minor), 2);
  /* Who keeps binaries must not take those of another version for this one's: the container's and the target's. */
  int container = 0, executable = 0;
  assert_int_equal(sscanf(text, "%d.%d.%*d (binaries %d.%d)", &major, &minor, &container, &executable), 4);
  assert_true(container >= 2 && executable >= 1);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_NAME, sizeof(text), text, NULL));
  assert_true(text[0] != '\0' && text[0] != ' ');
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_VENDOR, sizeof(text), text, NULL));
  assert_true(text[0] != '\0');
}

static void has_the_extensions_every_3_0_device_must_have(void **state) {
  (void)state;
  static const char *const required[] = {
      "cl_khr_byte_addressable_store",   "cl_khr_global_int32_base_atomics",    "cl_khr_global_int32_extended_atomics",
      "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics",
  };
  char text[8192] = "";
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL));
  for (size_t i = 0; i < sizeof(required) / sizeof(required[0]); i++) assert_non_null(strstr(text, required[i]));
}

static void versioned_extensions_are_those_of_the_string(void **state) {
  (void)state;
  char text[8192] = "";
  cl_name_version extensions[256];
  size_t size = 0, words = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL));
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(extensions), extensions, &size));
  for (size_t i = 0; i < size / sizeof(*extensions); i++) assert_non_null(strstr(text, extensions[i].name));
  for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) words++;
  assert_int_equal(words, size / sizeof(*extensions));
}

static void lists_every_language_version_it_compiles(void **state) {
  (void)state;
  cl_name_version versions[16];
  size_t size = 0;
  unsigned found = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof(versions), versions, &size));
  for (size_t i = 0; i < size / sizeof(*versions); i++) {
    assert_string_equal(versions[i].name, "OpenCL C");
    if (versions[i].version == CL_MAKE_VERSION(1, 0, 0)) found |= 1;
    if (versions[i].version == CL_MAKE_VERSION(1, 1, 0)) found |= 2;
    if (versions[i].version == CL_MAKE_VERSION(1, 2, 0)) found |= 4;
    if (versions[i].version == CL_MAKE_VERSION(3, 0, 0)) found |= 8;
  }
  assert_int_equal(found, 15);
}

static void numeric_versions_agree_with_the_strings(void **state) {
  (void)state;
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_NUMERIC_VERSION, cl_version, CL_MAKE_VERSION(3, 0, 0));
}

static void features_agree_with_the_queries(void **state) {
  (void)state;
  cl_device_fp_config config = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(config), &config, NULL));
  assert_int_equal(test_device_has_feature("__opencl_c_fp64"), config != 0);
  assert_true(test_device_has_feature("__opencl_c_int64"));
  assert_int_equal(test_device_has_feature("__opencl_c_images"), test_device_number(CL_DEVICE_IMAGE_SUPPORT));
  assert_int_equal(test_device_has_feature("__opencl_c_generic_address_space"),
                   test_device_number(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT));
  assert_int_equal(test_device_has_feature("__opencl_c_pipes"), test_device_number(CL_DEVICE_PIPE_SUPPORT));
  assert_int_equal(test_device_has_feature("__opencl_c_device_enqueue"),
                   test_device_number(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0);
}

static void single_precision_rounds_and_knows_infinities(void **state) {
  (void)state;
  cl_device_fp_config config = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(config), &config, NULL));
  assert_true((config & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN)) == (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN));
}

static void atomics_have_the_required_orders_and_scopes(void **state) {
  (void)state;
  const cl_device_atomic_capabilities required = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  cl_device_atomic_capabilities memory = 0, fence = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof(memory), &memory, NULL));
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, sizeof(fence), &fence, NULL));
  assert_true((memory & required) == required);
  assert_true((fence & (required | CL_DEVICE_ATOMIC_ORDER_ACQ_REL)) == (required | CL_DEVICE_ATOMIC_ORDER_ACQ_REL));
}

static void is_a_root_device_whose_count_stays_one(void **state) {
  (void)state;
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_PARENT_DEVICE, cl_device_id, NULL);
  ASSERT_CL(clRetainDevice(dut.device));
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_REFERENCE_COUNT, cl_uint, 1);
  ASSERT_CL(clReleaseDevice(dut.device));
  ASSERT_CL(clReleaseDevice(dut.device));
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_REFERENCE_COUNT, cl_uint, 1);
}

static void info_obeys_the_common_rules(void **state) {
  (void)state;
  ASSERT_INFO_RULES(clGetDeviceInfo, dut.device, CL_DEVICE_NAME);
}

static void refuses_null_and_foreign_handles(void **state) {
  (void)state;
  size_t size;
  ASSERT_CL_ERROR(clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, &size), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(clRetainDevice(NULL), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(clReleaseDevice(NULL), CL_INVALID_DEVICE);
  SKIP_UNLESS_QUERN();
  cl_device_id foreign = (cl_device_id)(void *)dut.context;
  ASSERT_CL_ERROR(clGetDeviceInfo(foreign, CL_DEVICE_NAME, 0, NULL, &size), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(clRetainDevice(foreign), CL_INVALID_DEVICE);
}

/** Ours: what each thread did. */
static void tells_what_its_threads_did(void **state) {
  (void)state;
  size_t size = 0, again = 0;
  if (clGetDeviceInfo(dut.device, CL_DEVICE_THREADS_QUERN, 0, NULL, &size) != CL_SUCCESS) skip(); /* another driver */
  const size_t count = test_device_number(CL_DEVICE_MAX_COMPUTE_UNITS) + 1;
  cl_device_thread_quern *threads = malloc(size), *later = malloc(size);
  assert_true(threads != NULL && later != NULL);
  assert_int_equal(size, count * sizeof(*threads));
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_THREADS_QUERN, size, threads, &again));
  assert_int_equal(again, size);
  ASSERT_CL_ERROR(clGetDeviceInfo(dut.device, CL_DEVICE_THREADS_QUERN, size - 1, threads, NULL), CL_INVALID_VALUE);
  cl_int error;
  const cl_uint one = 1;
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_READ_WRITE, 1 << 20, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, buffer, &one, sizeof(one), 0, 1 << 20, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  cl_ulong busy, batches;
  /* A worker counts when others may know already that the commands are complete. */
  do {
    ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_THREADS_QUERN, size, later, NULL));
    busy = batches = 0;
    for (size_t i = 0; i < count; i++) {
      assert_true(later[i].steals >= threads[i].steals);
      busy += later[i].busy - threads[i].busy;
      batches += later[i].batches - threads[i].batches;
    }
  } while (batches == 0);
  assert_true(busy > 0 && busy < (cl_ulong)1 << 62);
  ASSERT_CL(clReleaseMemObject(buffer));
  free(threads);
  free(later);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_a_cpu_of_its_platform),
      cmocka_unit_test(meets_the_minima_of_the_full_profile),
      cmocka_unit_test(queues_may_be_profiled),
      cmocka_unit_test(work_item_sizes_have_one_entry_per_dimension),
      cmocka_unit_test(strings_have_the_forms_that_are_prescribed),
      cmocka_unit_test(has_the_extensions_every_3_0_device_must_have),
      cmocka_unit_test(versioned_extensions_are_those_of_the_string),
      cmocka_unit_test(lists_every_language_version_it_compiles),
      cmocka_unit_test(numeric_versions_agree_with_the_strings),
      cmocka_unit_test(features_agree_with_the_queries),
      cmocka_unit_test(single_precision_rounds_and_knows_infinities),
      cmocka_unit_test(atomics_have_the_required_orders_and_scopes),
      cmocka_unit_test(is_a_root_device_whose_count_stays_one),
      cmocka_unit_test(tells_what_its_threads_did),
      cmocka_unit_test(info_obeys_the_common_rules),
      cmocka_unit_test(refuses_null_and_foreign_handles),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
