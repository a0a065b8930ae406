/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxTuneKernel of kernels with one version. What it does for others is seen in test/host/test_choice.c and
 * test/vectorize/choice_kept.c. */
#include "support.h"

static void measured(void *user_data, uint64_t number) {
  (void)number;
  *(int *)user_data += 1;
}

TEST(has_nothing_to_measure_with_one_version) {
  int calls = 0;
  test_kernel_t kernel = test_kernel_create();
  assert_false(kernel.kernel->has_versions);
  ASSERT_UNSUPPORTED(muxTuneKernel(kernel.kernel, 0, measured, &calls));
  ASSERT_UNSUPPORTED(muxTuneKernel(kernel.kernel, 1, NULL, NULL));
  test_kernel_destroy(&kernel);
  assert_int_equal(calls, 0);
}

TEST(refuses_bad_kernels) {
  int calls = 0;
  ASSERT_REFUSES_BAD(mux_kernel_t, kernel, muxTuneKernel(bad, 0, measured, &calls));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(has_nothing_to_measure_with_one_version),
    cmocka_unit_test(refuses_bad_kernels),
};

TEST_MAIN(tests)
