/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The device under test, and checks that name OpenCL's error codes.
 *
 * A test program runs its cases with
 *   cmocka_run_group_tests(tests, test_device_open, test_device_close)
 * and finds platform, device, context and queue in `dut`. The device is the first one of the loader's first platform;
 * ctest chooses the driver through OCL_ICD_VENDORS. */
#ifndef SUPPORT_TEST_DEVICE_H
#define SUPPORT_TEST_DEVICE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>

/** Platform, device, a context with this device alone, and an in-order queue with profiling. */
typedef struct test_device_t {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
} test_device_t;

/** The device under test: set by test_device_open. */
extern test_device_t dut;

/** Group set-up and tear-down for cmocka. The tear-down fails when a queue or context cannot be released. */
int test_device_open(void **state);
int test_device_close(void **state);

/** True when the device belongs to Quern. A few cases prove more than the specification asks of every driver (handles
 * of the wrong type, released handles): those call SKIP_UNLESS_QUERN. */
bool test_is_quern(void);
#define SKIP_UNLESS_QUERN()       \
  do {                            \
    if (!test_is_quern()) skip(); \
  } while (0)

/** "CL_INVALID_VALUE" for -30, and so on; "unknown error" for what OpenCL 3.0 does not define. */
const char *test_error_name(cl_int error);

/** The expression's value is CL_SUCCESS. */
#define ASSERT_CL(expression) test_check_code((expression), CL_SUCCESS, #expression, __FILE__, __LINE__)
/** The expression's value is exactly the error `expected`. */
#define ASSERT_CL_ERROR(expression, expected) test_check_code((expression), expected, #expression, __FILE__, __LINE__)
/** `call` creates no object (its value is null) and stores `expected` in `error`, the variable it was given. */
#define ASSERT_CL_REFUSED(call, error, expected)                               \
  do {                                                                         \
    (error) = 1;                                                               \
    const void *created = (const void *)(call);                                \
    test_check_refused(created, (error), expected, #call, __FILE__, __LINE__); \
  } while (0)

void test_check_code(cl_int actual, cl_int expected, const char *expression, const char *file, int line);
void test_check_refused(const void *object, cl_int actual, cl_int expected, const char *call, const char *file,
                        int line);

/** The value of `parameter`, of type `type`, is `expected`; and its size is that of the type. */
#define ASSERT_INFO(get, object, parameter, type, expected)                         \
  do {                                                                              \
    type info_value;                                                                \
    size_t info_size = 0;                                                           \
    memset(&info_value, 0xA5, sizeof(info_value));                                  \
    ASSERT_CL(get(object, parameter, sizeof(info_value), &info_value, &info_size)); \
    assert_int_equal(info_size, sizeof(type));                                      \
    assert_true(info_value == (type)(expected));                                    \
  } while (0)

/** What every clGet*Info promises: a parameter nobody defines and a value that does not fit are CL_INVALID_VALUE,
 * asking for the size alone works, and so does asking for nothing. `parameter` must be one that `object` has. */
#define ASSERT_INFO_RULES(get, object, parameter)                                                    \
  do {                                                                                               \
    size_t rule_size = 0;                                                                            \
    char rule_value[1];                                                                              \
    ASSERT_CL(get(object, parameter, 0, NULL, &rule_size));                                          \
    assert_true(rule_size > 1);                                                                      \
    ASSERT_CL(get(object, parameter, 0, NULL, NULL));                                                \
    ASSERT_CL_ERROR(get(object, parameter, sizeof(rule_value), rule_value, NULL), CL_INVALID_VALUE); \
    ASSERT_CL_ERROR(get(object, 0x7FFF, 0, NULL, &rule_size), CL_INVALID_VALUE);                     \
  } while (0)

/** A read-write buffer of `size` bytes holding a copy of `data` (undefined contents when null). Never fails: the test
 * does. So with all that follows; the caller releases what it gets. */
cl_mem test_buffer(size_t size, const void *data);

/** Reads `size` bytes from the start of `buffer` through the fixture's queue, waiting for them. */
void test_read(cl_mem buffer, size_t size, void *data);

/** Builds the program for the device; when that fails the log is printed, and the test fails. */
void test_build(cl_program program, const char *options);
/** A built program; the build log is printed when the build fails. `options` may be null. Through SPIR-V where
 * test_il.h says so. */
cl_program test_program(const char *source, const char *options);

/** A kernel of a program built from `source`; it holds the only reference to the program. */
cl_kernel test_kernel(const char *source, const char *options, const char *name);

/** The build log for the device under test; free() it. */
char *test_build_log(cl_program program);

/** Another context with the device under test, for the rules that forbid mixing contexts; and a queue in it. */
cl_context test_other_context(void);
cl_command_queue test_other_queue(cl_context context);

/** Two sub-devices of the device under test, to be released; false, with the reason printed, when it cannot be divided
 * so. */
bool test_divide_device(cl_device_id out_parts[2]);

/** A CL_DEVICE_* value that fits a cl_ulong: cl_bool, cl_uint, size_t and cl_ulong alike. */
cl_ulong test_device_number(cl_device_info parameter);

/** True when the device has the OpenCL C feature macro `name`, for instance "__opencl_c_fp64". */
bool test_device_has_feature(const char *name);

#endif
