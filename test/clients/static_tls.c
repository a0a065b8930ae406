/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The driver leaves room for other libraries' static thread-local storage, of which the C library keeps some 1.6 KB for
 * what is opened later: Python modules with libgomp open after the driver. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl.h>

#include "test_device.h"

static void a_library_with_static_storage_opens_after_the_driver(void **state) {
  (void)state;
  cl_platform_id platform;
  assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
  void *module = dlopen(MODULE, RTLD_NOW);
  if (!module) {
    fail_msg("%s", dlerror());
    return;
  }
  char *(*module_bytes)(size_t *);
  *(void **)&module_bytes = dlsym(module, "module_bytes");
  assert_non_null(module_bytes);
  size_t size = 0;
  char *bytes = module_bytes(&size);
  memset(bytes, 1, size);
  assert_int_equal(bytes[size - 1], 1);
  dlclose(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_library_with_static_storage_opens_after_the_driver)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
