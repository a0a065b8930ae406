/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCreateExecutable and muxDestroyExecutable. */
#include <stdlib.h>

#include "support.h"

TEST(loads_and_copies_a_binary) {
  size_t size = 0;
  void *binary = test_binary_read(&size);
  TEST_NEEDS(binary, "an executable for this target");
  mux_executable_t executable = NULL;
  mux_kernel_t kernel = NULL;
  ASSERT_SUCCESS(muxCreateExecutable(test.device, binary, size, test.allocator, &executable));
  memset(binary, 0, size);
  free(binary);
  ASSERT_SUCCESS(muxCreateKernel(test.device, executable, "copy_id", 7, test.allocator, &kernel));
  muxDestroyKernel(test.device, kernel, test.allocator);
  muxDestroyExecutable(test.device, executable, test.allocator);
}

TEST(survives_a_lack_of_memory) {
  size_t size = 0;
  void *binary = test_binary_read(&size);
  TEST_NEEDS(binary, "an executable for this target");
  mux_executable_t executable = NULL;
  ASSERT_SURVIVES_NO_MEMORY(muxCreateExecutable(test.device, binary, size, test.allocator, &executable));
  muxDestroyExecutable(test.device, executable, test.allocator);
  free(binary);
}

TEST(refuses_what_is_no_executable) {
  uint8_t noise[4096];
  mux_executable_t executable;
  for (size_t i = 0; i < sizeof(noise); i++) noise[i] = (uint8_t)(i * 37);
  for (size_t size = 1; size <= sizeof(noise); size *= 2)
    ASSERT_RESULT(mux_error_invalid_binary, muxCreateExecutable(test.device, noise, size, test.allocator, &executable));
}

/* At the end of a heap block, so that a sanitizer sees a look beyond it. */
TEST(refuses_every_truncation) {
  size_t size = 0;
  void *binary = test_binary_read(&size);
  TEST_NEEDS(binary, "an executable for this target");
  mux_executable_t executable;
  for (size_t length = 1; length < size; length += length / 16 + 1) {
    void *part = malloc(length);
    assert_non_null(part);
    memcpy(part, binary, length);
    ASSERT_RESULT(mux_error_invalid_binary,
                  muxCreateExecutable(test.device, part, length, test.allocator, &executable));
    free(part);
  }
  free(binary);
}

TEST(refuses_bad_arguments) {
  const uint8_t binary[4] = {0};
  mux_executable_t executable;
  ASSERT_REFUSES_BAD(mux_device_t, device, muxCreateExecutable(bad, binary, 4, test.allocator, &executable));
  ASSERT_INVALID(muxCreateExecutable(test.device, NULL, 4, test.allocator, &executable));
  ASSERT_INVALID(muxCreateExecutable(test.device, binary, 0, test.allocator, &executable));
  ASSERT_NULL_OUTPUT(muxCreateExecutable(test.device, binary, 4, test.allocator, NULL));
  ASSERT_REFUSES_CALLBACKS(muxCreateExecutable(test.device, binary, 4, allocator, &executable));
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++)
    muxDestroyExecutable(test.device, test_bad_handle(i, mux_object_id_executable), test.allocator);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(loads_and_copies_a_binary),     cmocka_unit_test(survives_a_lack_of_memory),
    cmocka_unit_test(refuses_what_is_no_executable), cmocka_unit_test(refuses_every_truncation),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
