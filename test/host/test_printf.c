/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The runtime side of printf: records of many threads, draining, and what does not fit. */
#include <stdlib.h>
#include <string.h>

#include "compiler/printf.h"
#include "support.h"

#define GROUPS 5000

static unsigned char seen[GROUPS];
static int drains;

/* Counts the records and empties the buffer. */
static void drain(printf_buffer_t *buffer) {
  const char *records = (const char *)(buffer + 1);
  ++drains;
  for (uint64_t at = 0; at < buffer->used; at += 24) {
    uint64_t group;
    memcpy(&group, records + at + 8, sizeof group);
    ++seen[group];
  }
  buffer->used = 0;
}

static void launch(host_test_t *test, printf_buffer_t *buffer) {
  mux_kernel_t kernel = kernel_create(test, "print");
  mux_command_buffer_t commands = command_buffer_create(test);
  mux_descriptor_info_t arg = {.type = mux_descriptor_info_type_custom_buffer,
                               .custom_buffer_descriptor = {.data = buffer}};
  memset(seen, 0, sizeof seen);
  drains = 0;
  assert_int_equal(launch_record(commands, kernel, GROUPS, 1, &arg, 1), mux_success);
  run(test, commands);
  command_buffer_destroy(test, commands);
  kernel_destroy(test, kernel);
}

static printf_buffer_t *buffer_new(uint64_t capacity, void (*drain_function)(printf_buffer_t *buffer)) {
  printf_buffer_t *buffer = calloc(1, sizeof *buffer + capacity);
  assert_non_null(buffer);
  buffer->capacity = capacity;
  buffer->drain = drain_function;
  return buffer;
}

static void full_buffer_is_drained_and_nothing_lost(void **state) {
  (void)state;
  host_test_t test;
  host_test_begin(&test);
  printf_buffer_t *buffer = buffer_new(1000, drain);
  launch(&test, buffer);
  assert_true(drains >= GROUPS * 24 / 1000);
  drain(buffer);
  for (int i = 0; i < GROUPS; ++i) assert_int_equal(seen[i], 1);
  assert_int_equal(buffer->lost, 0);
  assert_int_equal(buffer->lock, 0);
  free(buffer);
  host_test_end(&test);
}

static void records_that_do_not_fit_are_counted(void **state) {
  (void)state;
  host_test_t test;
  host_test_begin(&test);
  printf_buffer_t *buffer = buffer_new(240, NULL);
  launch(&test, buffer);
  assert_int_equal(buffer->used, 240);
  assert_int_equal(buffer->lost, GROUPS - 10);
  free(buffer);
  buffer = buffer_new(16, drain);
  launch(&test, buffer);
  assert_int_equal(buffer->lost, GROUPS);
  free(buffer);
  host_test_end(&test);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_buffer_is_drained_and_nothing_lost),
      cmocka_unit_test(records_that_do_not_fit_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
