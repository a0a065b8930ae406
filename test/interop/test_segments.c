/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Ranges of a memory object: divided, written, forgotten and joined, with every user held once, and given back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "interop/object/lock.h"
#include "interop/object/segment.h"

enum { size = 100, references = 1000, users = 4 };

static struct quern_event_s nodes[users];
static interop_segments_t segments;

static interop_node_t *user(int index, interop_state_t state) {
  nodes[index].state = state;
  return &nodes[index];
}

static uint32_t uses(int index) { return (uint32_t)atomic_load(&nodes[index].object.references) - references; }

/* The range consists of one segment, which `writer` wrote. */
static void write_range(size_t begin, size_t end, interop_node_t *writer) {
  size_t first, count;
  assert_true(interop_segments_cut(&segments, begin, end, &first, &count));
  /* As whoever plans a write does. */
  assert_true(interop_segment_add_place(&segments.items[first], 7, NULL));
  interop_segments_replace(&segments, first, count, writer, 7);
}

static void expect_ends(const size_t *ends, size_t count) {
  assert_int_equal(segments.count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(segments.items[i].begin, i ? ends[i - 1] : 0);
    assert_int_equal(segments.items[i].end, ends[i]);
  }
}

static int begin(void **state) {
  (void)state;
  for (int i = 0; i < users; i++) atomic_store(&nodes[i].object.references, references);
  interop_graph_lock();
  return !interop_segments_init(&segments, size);
}

/* Nobody is held any more. */
static int end(void **state) {
  (void)state;
  interop_segments_free(&segments);
  interop_graph_unlock();
  for (int i = 0; i < users; i++) {
    if (uses(i) != 0) return -1;
  }
  return 0;
}

static void all_kinds_of_users_are_held(void **state) {
  (void)state;
  write_range(0, size, user(0, interop_state_running));
  assert_true(interop_segment_add_reader(&segments.items[0], user(1, interop_state_running)));
  /* The first place has a producer where a transfer brought what was there before. */
  segments.items[0].place_count = 0;
  assert_true(interop_segment_add_place(&segments.items[0], 8, user(2, interop_state_running)));
  assert_true(interop_segment_add_place(&segments.items[0], 9, user(3, interop_state_running)));
  for (int i = 0; i < users; i++) assert_int_equal(uses(i), 1);
  /* A part has the history of the whole. */
  size_t first, count;
  assert_true(interop_segments_cut(&segments, 10, 20, &first, &count));
  assert_int_equal(first, 1);
  assert_int_equal(count, 1);
  for (int i = 0; i < users; i++) assert_int_equal(uses(i), 3);
  write_range(10, 20, user(0, interop_state_running));
  assert_int_equal(uses(0), 3);
  assert_int_equal(uses(1), 2);
  assert_int_equal(uses(2), 2);
}

static void writes_replace_what_they_cover(void **state) {
  (void)state;
  write_range(10, 30, user(0, interop_state_running));
  expect_ends((const size_t[]){10, 30, size}, 3);
  write_range(20, 40, user(1, interop_state_running));
  expect_ends((const size_t[]){10, 20, 40, size}, 4);
  write_range(0, 40, user(2, interop_state_running));
  expect_ends((const size_t[]){40, size}, 2);
  assert_int_equal(uses(0), 0);
  assert_int_equal(uses(1), 0);
  assert_int_equal(uses(2), 1);
}

/* Ranges that lie side by side are joined as soon as both are over, and no others. */
static void what_is_over_is_forgotten_and_joined(void **state) {
  (void)state;
  for (size_t i = 0; i < 10; i++) write_range(10 * i, 10 * i + 10, user(0, interop_state_complete));
  assert_int_equal(segments.count, 10);
  interop_segments_forget(&segments, 0, 10);
  expect_ends((const size_t[]){20, 30, 40, 50, 60, 70, 80, 90, size}, 9);
  interop_segments_forget(&segments, 40, 50);
  expect_ends((const size_t[]){20, 30, 60, 70, 80, 90, size}, 7);
  write_range(80, 90, user(1, interop_state_running));
  interop_segments_forget(&segments, 90, size);
  expect_ends((const size_t[]){20, 30, 60, 70, 80, 90, size}, 7);
  nodes[1].state = interop_state_complete;
  interop_segments_forget(&segments, 90, size);
  expect_ends((const size_t[]){20, 30, 60, 70, 80, size}, 6);
  interop_segments_forget(&segments, 0, size);
  expect_ends((const size_t[]){size}, 1);
  for (int i = 0; i < users; i++) assert_int_equal(uses(i), 0);
}

static void transfers_that_failed_are_no_places(void **state) {
  (void)state;
  interop_segment_t *segment = &segments.items[0];
  assert_true(interop_segment_add_place(segment, 1, user(0, interop_state_complete)));
  nodes[0].result = quern_error_task_failed;
  assert_true(interop_segment_add_place(segment, 2, user(1, interop_state_complete)));
  assert_true(interop_segment_add_place(segment, 3, user(2, interop_state_running)));
  interop_segment_forget_failed(segment);
  assert_null(interop_segment_place(segment, 1));
  assert_non_null(interop_segment_place(segment, 2));
  assert_non_null(interop_segment_place(segment, 3));
  assert_int_equal(uses(0), 0);
  nodes[0].result = quern_success;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(all_kinds_of_users_are_held, begin, end),
      cmocka_unit_test_setup_teardown(writes_replace_what_they_cover, begin, end),
      cmocka_unit_test_setup_teardown(what_is_over_is_forgotten_and_joined, begin, end),
      cmocka_unit_test_setup_teardown(transfers_that_failed_are_no_places, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
