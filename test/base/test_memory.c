/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Arrays grow, and sizes that overflow are refused with the array unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"

static void keeps_elements_while_growing(void **state) {
  (void)state;
  uint32_t *array = NULL;
  size_t capacity = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    assert_true(array_reserve(&array, &capacity, i + 1, sizeof(*array)));
    assert_true(capacity > i);
    array[i] = i;
  }
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(array[i], i);
  free(array);
}

static void enough_room_changes_nothing(void **state) {
  (void)state;
  char *array = NULL;
  size_t capacity = 0;
  assert_true(array_reserve(&array, &capacity, 0, 1));
  assert_null(array);
  assert_true(array_reserve(&array, &capacity, 3, 1));
  char *before = array;
  assert_true(array_reserve(&array, &capacity, capacity, 1));
  assert_ptr_equal(array, before);
  free(array);
}

static void refuses_sizes_that_overflow(void **state) {
  (void)state;
  uint64_t *array = NULL;
  size_t capacity = 0;
  assert_true(array_reserve(&array, &capacity, 1, sizeof(*array)));
  uint64_t *before = array;
  size_t capacity_before = capacity;
  assert_false(array_reserve(&array, &capacity, SIZE_MAX / 4, sizeof(*array)));
  assert_false(array_reserve(&array, &capacity, SIZE_MAX, sizeof(*array)));
  assert_ptr_equal(array, before);
  assert_int_equal(capacity, capacity_before);
  free(array);
}

static void checks_arithmetic(void **state) {
  (void)state;
  size_t result;
  assert_true(size_add((size_t)2, (size_t)3, &result));
  assert_int_equal(result, 5);
  assert_false(size_add(SIZE_MAX, (size_t)1, &result));
  assert_true(size_multiply((size_t)6, (size_t)7, &result));
  assert_int_equal(result, 42);
  assert_false(size_multiply(SIZE_MAX / 2, (size_t)3, &result));
}

static void aligns(void **state) {
  (void)state;
  assert_int_equal(align_up(0, 64), 0);
  assert_int_equal(align_up(1, 64), 64);
  assert_int_equal(align_up(64, 64), 64);
  assert_int_equal(align_up(65, 64), 128);
  assert_true(is_power_of_two(1) && is_power_of_two(1ull << 63));
  assert_false(is_power_of_two(0) || is_power_of_two(3));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_elements_while_growing), cmocka_unit_test(enough_room_changes_nothing),
      cmocka_unit_test(refuses_sizes_that_overflow), cmocka_unit_test(checks_arithmetic), cmocka_unit_test(aligns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
