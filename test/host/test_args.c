/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which launches run the code for distinct buffers. */
#include <string.h>

#include "fixture.h"
#include "host/runtime/commands/args.h"

enum { ARGS = 3 };

static void entry(const void *args, const host_ndrange_t *ndrange, const host_group_memory_t *memory, uint64_t first,
                  uint64_t count) {
  (void)args, (void)ndrange, (void)memory, (void)first, (void)count;
}

static const host_arg_record_t records[ARGS] = {
    {host_arg_buffer, 0, 8, 8}, {host_arg_value, 8, 8, 8}, {host_arg_buffer, 16, 8, 8}};

/* Two buffers with a value between them, which is no address. */
static bool are_distinct(const mux_descriptor_info_t *first, const mux_descriptor_info_t *second) {
  const host_kernel_info_t info = {.distinct = {.entry = entry}, .args = records, .arg_count = ARGS, .args_size = 24};
  char block[24];
  host_arg_extent_t extents[ARGS] = {0};
  uint64_t value = 0;
  const mux_descriptor_info_t arg = value_arg(&value, 8), *args[ARGS] = {first, &arg, second};
  assert_true(host_args_have_extents(&info));
  for (uint32_t i = 0; i < ARGS; ++i) assert_int_equal(host_arg_pack(&info, i, args[i], block, extents), mux_success);
  return host_args_are_distinct(&info, extents);
}

static mux_descriptor_info_t behind(mux_buffer_t buffer, uint64_t offset) {
  mux_descriptor_info_t arg = buffer_arg(buffer);
  arg.buffer_descriptor.offset = offset;
  return arg;
}

static void buffers_are_compared(void **state) {
  (void)state;
  host_test_buffer_t a = buffer_create(&test, 64), b = buffer_create(&test, 64);
  const mux_descriptor_info_t first = buffer_arg(a.buffer), second = buffer_arg(b.buffer), later = behind(a.buffer, 60),
                              none = {.type = mux_descriptor_info_type_null_buffer};
  assert_true(are_distinct(&first, &second));
  assert_true(are_distinct(&second, &first));
  assert_false(are_distinct(&first, &first));
  assert_false(are_distinct(&first, &later));
  assert_false(are_distinct(&later, &first));
  assert_true(are_distinct(&first, &none));
  assert_true(are_distinct(&none, &none));
  buffer_destroy(&test, &a);
  buffer_destroy(&test, &b);
}

static void pointers_may_be_anywhere(void **state) {
  (void)state;
  host_test_buffer_t a = buffer_create(&test, 64);
  char other[64];
  const mux_descriptor_info_t buffer = buffer_arg(a.buffer), none = {.type = mux_descriptor_info_type_null_buffer},
                              pointer = {.type = mux_descriptor_info_type_custom_buffer,
                                         .custom_buffer_descriptor = {.data = other, .size = sizeof(void *)}};
  assert_false(are_distinct(&buffer, &pointer));
  assert_false(are_distinct(&pointer, &buffer));
  assert_false(are_distinct(&pointer, &pointer));
  assert_true(are_distinct(&pointer, &none));
  buffer_destroy(&test, &a);
}

/* Bytes `offset` of an allocation. */
static mux_descriptor_info_t into(const char *allocation, uint64_t size, uint64_t offset) {
  mux_descriptor_info_t arg = {.type = mux_descriptor_info_type_custom_buffer};
  arg.custom_buffer_descriptor.data = allocation + offset;
  arg.custom_buffer_descriptor.size = sizeof(void *);
  arg.custom_buffer_descriptor.allocation = allocation;
  arg.custom_buffer_descriptor.allocation_size = size;
  return arg;
}

static void pointers_reach_their_allocations(void **state) {
  (void)state;
  host_test_buffer_t buffer = buffer_create(&test, 64);
  char a[64], b[64];
  const mux_descriptor_info_t begin = into(a, sizeof a, 0), later = into(a, sizeof a, 60), other = into(b, sizeof b, 8),
                              object = buffer_arg(buffer.buffer), inside = into(buffer.data, 64, 63),
                              null = {.type = mux_descriptor_info_type_custom_buffer};
  assert_true(are_distinct(&begin, &other));
  assert_true(are_distinct(&other, &later));
  assert_false(are_distinct(&begin, &later));
  assert_false(are_distinct(&later, &later));
  assert_true(are_distinct(&begin, &object));
  assert_false(are_distinct(&inside, &object));
  assert_true(are_distinct(&begin, &null));
  buffer_destroy(&test, &buffer);
}

static void kernels_without_such_code_have_none(void **state) {
  (void)state;
  const host_kernel_info_t info = {.args = records, .arg_count = ARGS, .args_size = 24};
  assert_false(host_args_have_extents(&info));
  assert_false(host_args_are_distinct(&info, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers_are_compared),
      cmocka_unit_test(pointers_may_be_anywhere),
      cmocka_unit_test(pointers_reach_their_allocations),
      cmocka_unit_test(kernels_without_such_code_have_none),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
