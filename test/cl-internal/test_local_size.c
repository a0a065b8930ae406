/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work-group size of launches that leave it to the driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cl/program/local_size.h"

static const local_size_limits_t limits = {
    .maximum = {4096, 4096, 64}, .maximum_total = 4096, .preferred = 256, .width = 16, .compute_units = 4};

static void assert_chosen(size_t x, size_t y, size_t z, bool uniform, size_t local_x, size_t local_y, size_t local_z) {
  size_t local[3];
  local_size_choose(&limits, (const size_t[3]){x, y, z}, uniform, local);
  assert_int_equal(local[0], local_x);
  assert_int_equal(local[1], local_y);
  assert_int_equal(local[2], local_z);
}

static void large_rows_get_the_preferred_size(void **state) {
  (void)state;
  assert_chosen(1 << 16, 1, 1, true, 256, 1, 1);
  assert_chosen(1920, 31, 1, true, 240, 1, 1);
}

static void groups_grow_when_there_are_many(void **state) {
  (void)state;
  assert_chosen(1 << 18, 1, 1, true, 1024, 1, 1);
  assert_chosen(1 << 24, 1, 1, true, 2048, 1, 1);
  assert_chosen(1920, 1080, 1, true, 480, 4, 1);
  assert_chosen(1920, 32, 1, true, 64, 4, 1);
  assert_chosen(1920, 1081, 1, true, 1920, 1, 1);
}

static void every_unit_gets_groups(void **state) {
  (void)state;
  assert_chosen(1024, 1, 1, true, 64, 1, 1);
  assert_chosen(64, 1, 1, true, 16, 1, 1);
  assert_chosen(3, 1, 1, true, 3, 1, 1);
}

/* If they run scalar code. */
static void few_items_are_shared_out(void **state) {
  (void)state;
  local_size_limits_t with_scalar = limits;
  with_scalar.scalar_items = 4;
  static const struct {
    size_t global[3], local[3];
  } cases[] = {
      {{3, 1, 1}, {1, 1, 1}}, {{16, 1, 1}, {1, 1, 1}},  {{10, 1, 1}, {1, 1, 1}},  {{4, 4, 1}, {1, 1, 1}},
      {{1, 1, 4}, {1, 1, 1}}, {{17, 1, 1}, {17, 1, 1}}, {{64, 1, 1}, {16, 1, 1}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t local[3];
    local_size_choose(&with_scalar, cases[i].global, true, local);
    for (int j = 0; j < 3; j++) assert_int_equal(local[j], cases[i].local[j]);
  }
}

static void small_rows_are_joined(void **state) {
  (void)state;
  assert_chosen(16, 4096, 1, true, 16, 16, 1);
  assert_chosen(4, 8, 4096, true, 4, 8, 16);
}

/* Vectors along y or z: y or z is the dimension of rows, unless it is smaller than a vector. */
static void rows_lie_along_the_dimension_of_vectors(void **state) {
  (void)state;
  static const struct {
    size_t dimension, global[3], local[3];
  } cases[] = {
      {1, {1080, 1920, 1}, {4, 480, 1}},  {1, {31, 1920, 1}, {1, 240, 1}},   {1, {1 << 16, 8, 1}, {512, 4, 1}},
      {2, {64, 1080, 1920}, {1, 4, 480}}, {2, {1 << 16, 1, 1}, {256, 1, 1}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    local_size_limits_t along = limits;
    along.maximum[2] = 4096;
    along.dimension = cases[i].dimension;
    size_t local[3];
    local_size_choose(&along, cases[i].global, true, local);
    for (int j = 0; j < 3; j++) assert_int_equal(local[j], cases[i].local[j]);
  }
}

static void odd_rows_are_split_where_groups_may_differ(void **state) {
  (void)state;
  assert_chosen(1000003, 1, 1, false, 2048, 1, 1);
  assert_chosen(1000003, 1, 1, true, 1, 1, 1);
  assert_chosen(1009, 1, 1, true, 1009, 1, 1);
}

/** Numbers that look random, the same in every run. */
static size_t below(size_t limit) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(state >> 33) % limit;
}

static void every_choice_is_legal(void **state) {
  (void)state;
  for (int round = 0; round < 20000; round++) {
    const size_t global[3] = {below(5000) + 1, below(300) + 1, below(20) + 1};
    bool uniform = below(2);
    size_t local[3];
    local_size_choose(&limits, global, uniform, local);
    assert_true(local[0] * local[1] * local[2] <= limits.maximum_total);
    for (int i = 0; i < 3; i++) {
      assert_in_range(local[i], 1, limits.maximum[i]);
      if (uniform) assert_int_equal(global[i] % local[i], 0);
    }
  }
}

static void enormous_sizes_do_not_overflow(void **state) {
  (void)state;
  size_t local[3];
  local_size_choose(&limits, (const size_t[3]){SIZE_MAX, SIZE_MAX, SIZE_MAX}, true, local);
  assert_true(local[0] * local[1] * local[2] <= limits.maximum_total);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(large_rows_get_the_preferred_size),
      cmocka_unit_test(groups_grow_when_there_are_many),
      cmocka_unit_test(every_unit_gets_groups),
      cmocka_unit_test(few_items_are_shared_out),
      cmocka_unit_test(small_rows_are_joined),
      cmocka_unit_test(rows_lie_along_the_dimension_of_vectors),
      cmocka_unit_test(odd_rows_are_split_where_groups_may_differ),
      cmocka_unit_test(every_choice_is_legal),
      cmocka_unit_test(enormous_sizes_do_not_overflow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
