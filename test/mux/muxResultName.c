/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxResultName. */
#include "support.h"

TEST(names_every_result) {
  assert_string_equal(muxResultName(mux_success), "mux_success");
  assert_string_equal(muxResultName(mux_fence_not_ready), "mux_fence_not_ready");
  for (int i = mux_success; i <= mux_error_missing_variable; i++) {
    assert_memory_equal(muxResultName((mux_result_t)i), "mux_", 4);
    for (int j = mux_success; j < i; j++)
      assert_string_not_equal(muxResultName((mux_result_t)i), muxResultName((mux_result_t)j));
  }
}

TEST(has_an_answer_for_what_is_no_result) { assert_non_null(muxResultName((mux_result_t)1000)); }

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_every_result),
    cmocka_unit_test(has_an_answer_for_what_is_no_result),
};

TEST_MAIN(tests)
