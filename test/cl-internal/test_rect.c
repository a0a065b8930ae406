/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Boxes of bytes: pitches, bounds, overlap; checked against a map of single bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cl/api/rect.h"

static const size_t zero[3] = {0, 0, 0};

static void pitches_of_zero_are_packed(void **state) {
  (void)state;
  const size_t region[3] = {10, 4, 2};
  rect_t rect;
  assert_true(rect_make(zero, region, 0, 0, &rect));
  assert_int_equal(rect.row_pitch, 10);
  assert_int_equal(rect.slice_pitch, 40);
  assert_true(rect_make(zero, region, 16, 0, &rect));
  assert_int_equal(rect.slice_pitch, 64);
}

static void pitches_that_do_not_fit_are_refused(void **state) {
  (void)state;
  const size_t region[3] = {10, 4, 2};
  rect_t rect;
  assert_false(rect_make(zero, region, 9, 0, &rect));
  assert_false(rect_make(zero, region, 10, 39, &rect));
  assert_false(rect_make(zero, region, 10, 45, &rect)); /* no multiple of the row pitch */
  assert_true(rect_make(zero, region, 10, 50, &rect));
}

static void extent_is_first_and_last_byte(void **state) {
  (void)state;
  const size_t origin[3] = {3, 1, 1}, region[3] = {10, 4, 2};
  rect_t rect;
  size_t start, end;
  assert_true(rect_make(origin, region, 20, 100, &rect));
  assert_true(rect_extent(&rect, region, &start, &end));
  assert_int_equal(start, 123);
  assert_int_equal(end, start + 170);
}

static void overflow_is_found(void **state) {
  (void)state;
  const size_t region[3] = {10, 4, 2}, large[3] = {SIZE_MAX, 2, 1};
  rect_t rect;
  size_t start, end;
  assert_false(rect_make(zero, large, 0, 0, &rect));
  assert_true(rect_make((const size_t[3]){0, SIZE_MAX / 4, 0}, region, 16, 64, &rect));
  assert_false(rect_extent(&rect, region, &start, &end));
  assert_true(rect_make((const size_t[3]){SIZE_MAX - 50, 0, 0}, region, 0, 0, &rect));
  assert_false(rect_extent(&rect, region, &start, &end));
}

#define SPACE ((size_t)4096)

static void mark(unsigned char map[SPACE], const rect_t *rect, size_t offset, const size_t region[3]) {
  memset(map, 0, SPACE);
  for (size_t z = 0; z < region[2]; z++) {
    for (size_t y = 0; y < region[1]; y++) {
      size_t row = offset + rect->origin[0] + (rect->origin[1] + y) * rect->row_pitch +
                   (rect->origin[2] + z) * rect->slice_pitch;
      memset(map + row, 1, region[0]);
    }
  }
}

static bool truly_overlap(const rect_t *a, size_t a_offset, const rect_t *b, size_t b_offset, const size_t region[3]) {
  static unsigned char a_map[SPACE], b_map[SPACE];
  mark(a_map, a, a_offset, region);
  mark(b_map, b, b_offset, region);
  for (size_t i = 0; i < SPACE; i++) {
    if (a_map[i] && b_map[i]) return true;
  }
  return false;
}

/** Numbers that look random, the same in every run. */
static size_t below(size_t limit) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(state >> 33) % limit;
}

static void no_overlap_is_missed(void **state) {
  (void)state;
  size_t agreements = 0, rounds = 20000;
  for (size_t round = 0; round < rounds; round++) {
    const size_t region[3] = {1 + below(8), 1 + below(4), 1 + below(3)};
    size_t row = region[0] + below(8), slice = row * (region[1] + below(3));
    const size_t a_origin[3] = {below(8), below(4), below(3)}, b_origin[3] = {below(8), below(4), below(3)};
    size_t a_offset = below(2) * 64, b_offset = below(2) * 64;
    rect_t a = {0}, b = {0};
    assert_true(rect_make(a_origin, region, row, slice, &a) && rect_make(b_origin, region, row, slice, &b));
    bool expected = truly_overlap(&a, a_offset, &b, b_offset, region);
    bool actual = rects_overlap(&a, a_offset, &b, b_offset, region);
    if (expected) assert_true(actual);
    agreements += expected == actual;
  }
  assert_true(agreements > rounds * 95 / 100); /* the specification's check may refuse a few that do not overlap */
}

static void interleaved_columns_do_not_overlap(void **state) {
  (void)state;
  const size_t region[3] = {8, 16, 1}, right[3] = {8, 0, 0};
  rect_t a, b;
  assert_true(rect_make(zero, region, 16, 0, &a) && rect_make(right, region, 16, 0, &b));
  assert_false(rects_overlap(&a, 0, &b, 0, region));
  assert_true(rects_overlap(&a, 0, &b, 1, region));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pitches_of_zero_are_packed),    cmocka_unit_test(pitches_that_do_not_fit_are_refused),
      cmocka_unit_test(extent_is_first_and_last_byte), cmocka_unit_test(overflow_is_found),
      cmocka_unit_test(no_overlap_is_missed),          cmocka_unit_test(interleaved_columns_do_not_overlap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
