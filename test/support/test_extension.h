/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions of extensions, found by name on the platform under test.
 *
 *   #define FUNCTIONS(X) X(clHostMemAllocINTEL) X(clMemFreeINTEL)
 *   TEST_EXTENSION_FUNCTIONS(usm, FUNCTIONS)
 * declares a struct `usm` of function pointers and `bool usm_load(void)`, which finds them and says whether all exist.
 * CL/cl_ext.h declares their types, clHostMemAllocINTEL_fn and so on. Where it does not, the list names them
 * too, X(name, type), and goes to TEST_EXTENSION_FUNCTIONS_OF. */
#ifndef SUPPORT_TEST_EXTENSION_H
#define SUPPORT_TEST_EXTENSION_H

#include "test_device.h"

#define TEST_EXTENSION_MEMBER(function) function##_fn function;
#define TEST_EXTENSION_MEMBER_OF(function, type) type function;
#define TEST_EXTENSION_FIND(function) test_extension_function(#function),
#define TEST_EXTENSION_FIND_OF(function, type) test_extension_function(#function),
#define TEST_EXTENSION_FUNCTIONS(name, list) \
  TEST_EXTENSION_FUNCTIONS_BY(name, list, TEST_EXTENSION_MEMBER, TEST_EXTENSION_FIND)
#define TEST_EXTENSION_FUNCTIONS_OF(name, list) \
  TEST_EXTENSION_FUNCTIONS_BY(name, list, TEST_EXTENSION_MEMBER_OF, TEST_EXTENSION_FIND_OF)
#define TEST_EXTENSION_FUNCTIONS_BY(name, list, member, find)          \
  static struct {                                                      \
    list(member)                                                       \
  } name;                                                              \
  static bool name##_load(void) {                                      \
    void *const found[] = {list(find)};                                \
    _Static_assert(sizeof(found) == sizeof(name), "one pointer each"); \
    for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++)        \
      if (!found[i]) return false;                                     \
    memcpy(&name, found, sizeof(found));                               \
    return true;                                                       \
  }

/** Null, and a message, when the platform does not have it. */
static inline void *test_extension_function(const char *name) {
  void *function = clGetExtensionFunctionAddressForPlatform(dut.platform, name);
  if (!function) print_error("%s does not exist\n", name);
  return function;
}

/** True when the device under test lists the extension. */
static inline bool test_has_extension(const char *name) {
  char list[8192];
  const size_t length = strlen(name);
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS, sizeof(list), list, NULL));
  for (const char *at = list; (at = strstr(at, name)); at += length) {
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return true;
  }
  return false;
}

#endif
