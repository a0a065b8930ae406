/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lines of the timeline: times in microseconds with three places, and what has no start begins when it was submitted.
 * Argument: a folder to write to. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "interop/object/trace.h"

static char file_name[512];

/* What is in the file for a node with these times. */
static const char *line_of(uint64_t submitted, uint64_t started, uint64_t ended, quern_result_t result) {
  static char text[1024];
  static struct quern_queue_s queue = {.number = 3};
  interop_node_t node = {.action = interop_action_kernel,
                         .id = 41,
                         .queue = &queue,
                         .result = result,
                         .submitted_ns = submitted,
                         .started_ns = started,
                         .ended_ns = ended};
  assert_int_equal(interop_trace_open(NULL, file_name), quern_success);
  assert_true(interop_trace_is_on());
  interop_trace_node(&node);
  assert_int_equal(interop_trace_open(NULL, NULL), quern_success);
  FILE *file = fopen(file_name, "r");
  assert_non_null(file);
  if (!file) return "";
  text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
  fclose(file);
  return text;
}

static void expect_times(uint64_t submitted, uint64_t started, uint64_t ended, const char *times) {
  char expected[256];
  snprintf(expected, sizeof(expected),
           "[\n{\"name\": \"kernel\", \"ph\": \"X\", \"pid\": 1, \"tid\": 3, %s, \"args\": {\"group\": 41, \"failed\": "
           "false}}\n]\n",
           times);
  assert_string_equal(line_of(submitted, started, ended, quern_success), expected);
}

static void times_are_microseconds(void **state) {
  (void)state;
  expect_times(5, 1234567890, 1234567890 + 9876543, "\"ts\": 1234567.890, \"dur\": 9876.543");
  expect_times(5, 1000, 2000, "\"ts\": 1.000, \"dur\": 1.000");
  expect_times(5, 1001999, 1001999 + 1000999, "\"ts\": 1001.999, \"dur\": 1000.999");
}

static void what_has_no_start_begins_when_it_is_submitted(void **state) {
  (void)state;
  expect_times(7007, 0, 9009, "\"ts\": 7.007, \"dur\": 2.002");
  expect_times(7007, 0, 0, "\"ts\": 7.007, \"dur\": 0.000");
}

static void failures_are_marked(void **state) {
  (void)state;
  assert_non_null(strstr(line_of(1, 2, 3, quern_error_task_failed), "\"group\": 41, \"failed\": true}}"));
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  snprintf(file_name, sizeof(file_name), "%s/interop-timeline-lines.json", argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_are_microseconds),
      cmocka_unit_test(what_has_no_start_begins_when_it_is_submitted),
      cmocka_unit_test(failures_are_marked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
