/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory behind descriptors: which devices can have it, which descriptors do, and for which devices it is meant. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CL/cl_ext.h>
#include <cmocka.h>

#include "cl/device/external_memory.h"

static bool is_importable(bool shares, uint32_t capabilities) {
  static struct mux_device_info_s info;
  info.shares_host_memory = shares;
  info.allocation_capabilities = capabilities;
  return external_memory_is_importable(&info);
}

static void only_memory_that_the_host_sees_is_imported(void **state) {
  (void)state;
  assert_true(is_importable(true, mux_allocation_capabilities_coherent_host));
  assert_true(is_importable(true, mux_allocation_capabilities_cached_host));
  assert_false(is_importable(true, mux_allocation_capabilities_alloc_device));
  assert_false(is_importable(false, mux_allocation_capabilities_coherent_host));
  assert_false(is_importable(false, 0));
}

static void the_devices_of_a_list_are_meant(void **state) {
  (void)state;
  enum { LIST = CL_MEM_DEVICE_HANDLE_LIST_KHR, END = CL_MEM_DEVICE_HANDLE_LIST_END_KHR };
  int devices[3];
  const cl_device_id first = (cl_device_id)(void *)&devices[0], second = (cl_device_id)(void *)&devices[1],
                     other = (cl_device_id)(void *)&devices[2];
  const cl_mem_properties before = END, listed[] = {before,
                                                    CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                                    5,
                                                    LIST,
                                                    (cl_mem_properties)(uintptr_t)first,
                                                    (cl_mem_properties)(uintptr_t)second,
                                                    END,
                                                    0};
  assert_true(external_memory_is_for(listed + 1, first));
  assert_true(external_memory_is_for(listed + 1, second));
  assert_false(external_memory_is_for(listed + 1, other));
  /* Also where the list comes first. */
  const cl_mem_properties first_listed[] = {
      before, LIST, (cl_mem_properties)(uintptr_t)first, (cl_mem_properties)(uintptr_t)second, END, 0};
  assert_true(external_memory_is_for(first_listed + 1, first));
  assert_true(external_memory_is_for(first_listed + 1, second));
  const cl_mem_properties unlisted[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 5, 0};
  assert_true(external_memory_is_for(unlisted, other));
  assert_true(external_memory_is_for(NULL, other));
}

static void descriptors_are_of_files_open_for_reading_and_writing(void **state) {
  (void)state;
  enum { BYTES = 12345 };
  char path[64];
  size_t size = 0;
  const int file = memfd_create("quern-test", MFD_CLOEXEC);
  assert_true(file >= 0 && ftruncate(file, BYTES) == 0);
  assert_true(external_memory_size(file, &size));
  assert_int_equal(size, BYTES);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const int others[] = {-1, open(path, O_RDONLY), open(path, O_WRONLY), open(path, O_RDWR | O_PATH),
                        open("/dev/null", O_RDWR)};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_true(i == 0 || others[i] >= 0);
    assert_false(external_memory_size(others[i], &size));
    if (others[i] >= 0) close(others[i]);
  }
  close(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_memory_that_the_host_sees_is_imported),
      cmocka_unit_test(the_devices_of_a_list_are_meant),
      cmocka_unit_test(descriptors_are_of_files_open_for_reading_and_writing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
