/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The runtime side of printf: records of many threads, draining, and what does not fit. */
#include <stdlib.h>
#include <string.h>

#include "compiler/printf.h"
#include "host/abi.h"
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

/* A record of one string pointer, as a kernel makes it. */
typedef struct string_record_t {
  printf_record_t head;
  printf_arg_t arg;
  uint64_t string[2];
} string_record_t;

static void print_string(printf_buffer_t *buffer, const char *string, uint64_t limit) {
  const string_record_t record = {
      .head = {.size = sizeof record, .arg_count = 1, .string_pointer_count = 1},
      .arg = {printf_arg_string_pointer, .element_size = 8, .element_count = 2, .data_size = 16},
      .string = {(uintptr_t)string, limit}};
  host_printf(buffer, &record, sizeof record);
}

/* The first record of the buffer is a string, as long as that. */
static void check_string(const printf_buffer_t *buffer, const char *expected) {
  printf_record_t head;
  printf_arg_t arg;
  const char *at = (const char *)(buffer + 1);
  memcpy(&head, at, sizeof head);
  memcpy(&arg, at + sizeof head, sizeof arg);
  assert_int_equal(head.size, sizeof head + sizeof arg + arg.data_size);
  assert_int_equal(head.string_pointer_count, 0);
  assert_int_equal(arg.kind, printf_arg_string_bytes);
  assert_int_equal(arg.data_size, (strlen(expected) + 8) / 8 * 8);
  assert_string_equal(at + sizeof head + sizeof arg, expected);
}

static void strings_are_copied_into_the_buffer(void **state) {
  (void)state;
  char text[] = "1234567";
  printf_buffer_t *buffer = buffer_new(1000, NULL);
  print_string(buffer, text, UINT64_MAX);
  memset(text, 'x', sizeof text);
  check_string(buffer, "1234567");
  assert_int_equal(buffer->used, 32);
  buffer->used = 0;
  print_string(buffer, text, sizeof text);
  check_string(buffer, "xxxxxxxx");
  assert_int_equal(buffer->used, 40);
  buffer->used = 0;
  print_string(buffer, text, 0);
  check_string(buffer, "");
  assert_int_equal(buffer->lost, 0);
  free(buffer);
}

static void strings_that_do_not_fit_are_lost(void **state) {
  (void)state;
  static const char text[] = "1234567890";
  for (uint64_t capacity = 0; capacity <= 40; capacity += 8) {
    printf_buffer_t *buffer = buffer_new(capacity, NULL);
    print_string(buffer, text, UINT64_MAX);
    assert_int_equal(buffer->used, capacity == 40 ? 40 : 0);
    assert_int_equal(buffer->lost, capacity != 40);
    assert_int_equal(buffer->lock, 0);
    free(buffer);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_buffer_is_drained_and_nothing_lost),
      cmocka_unit_test(records_that_do_not_fit_are_counted),
      cmocka_unit_test(strings_are_copied_into_the_buffer),
      cmocka_unit_test(strings_that_do_not_fit_are_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
