/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The container of program binaries: every change of it is found out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cl/program/binary.h"

static const char target[] = "host: some CPU";
static const char info[] = "information";
static const char payload[] = "code of the program, not a multiple of eight";

static binary_t *sample(void) {
  const binary_content_t content = {.kind = binary_kind_executable,
                                    .flags = BINARY_UNIFORM_WORK_GROUPS,
                                    .info = info,
                                    .info_size = sizeof info,
                                    .payload = payload,
                                    .payload_size = sizeof payload};
  binary_t *binary = binary_encode(target, &content);
  assert_non_null(binary);
  return binary;
}

static void decodes_what_was_encoded(void **state) {
  (void)state;
  binary_t *binary = sample();
  binary_content_t content;
  assert_true(binary_decode(binary, target, &content));
  assert_int_equal(content.kind, binary_kind_executable);
  assert_int_equal(content.flags, BINARY_UNIFORM_WORK_GROUPS);
  assert_int_equal(content.info_size, sizeof info);
  assert_memory_equal(content.info, info, sizeof info);
  assert_int_equal(content.payload_size, sizeof payload);
  assert_memory_equal(content.payload, payload, sizeof payload);
  binary_drop(binary);
}

static void parts_may_be_empty(void **state) {
  (void)state;
  const binary_content_t empty = {.kind = binary_kind_library};
  binary_t *binary = binary_encode("", &empty);
  binary_content_t content;
  assert_non_null(binary);
  assert_true(binary_decode(binary, "", &content));
  assert_int_equal(content.kind, binary_kind_library);
  assert_int_equal(content.info_size + content.payload_size, 0);
  binary_drop(binary);
}

static void same_content_gives_same_bytes(void **state) {
  (void)state;
  binary_t *a = sample(), *b = sample();
  assert_int_equal(a->size, b->size);
  assert_memory_equal(a->data, b->data, a->size);
  binary_drop(a);
  binary_drop(b);
}

static bool is_accepted(const unsigned char *data, size_t size, const char *for_target) {
  binary_t *binary = binary_copy(data, size);
  binary_content_t content;
  assert_non_null(binary);
  bool is_valid = binary_decode(binary, for_target, &content);
  binary_drop(binary);
  return is_valid;
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  binary_t *binary = sample();
  for (size_t size = 0; size < binary->size; size++) assert_false(is_accepted(binary->data, size, target));
  assert_true(is_accepted(binary->data, binary->size, target));
  binary_drop(binary);
}

static void every_changed_bit_is_refused(void **state) {
  (void)state;
  binary_t *binary = sample();
  for (size_t bit = 0; bit < binary->size * 8; bit++) {
    binary->data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    assert_false(is_accepted(binary->data, binary->size, target));
    binary->data[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  binary_drop(binary);
}

static void bytes_after_the_end_are_refused(void **state) {
  (void)state;
  binary_t *binary = sample();
  unsigned char *longer = calloc(1, binary->size + 8);
  assert_non_null(longer);
  memcpy(longer, binary->data, binary->size);
  assert_false(is_accepted(longer, binary->size + 8, target));
  free(longer);
  binary_drop(binary);
}

static void other_targets_are_refused(void **state) {
  (void)state;
  binary_t *binary = sample();
  assert_false(is_accepted(binary->data, binary->size, "host: some CPV"));
  assert_false(is_accepted(binary->data, binary->size, "host: some CP"));
  assert_false(is_accepted(binary->data, binary->size, "host: some CPU2"));
  binary_drop(binary);
}

static void foreign_bytes_are_refused(void **state) {
  (void)state;
  static const unsigned char elf[200] = {0x7f, 'E', 'L', 'F'};
  assert_false(is_accepted(elf, sizeof elf, target));
  assert_false(is_accepted((const unsigned char *)"kernel void f() {}", 18, target));
}

static void holders_share_the_bytes(void **state) {
  (void)state;
  binary_t *binary = sample();
  assert_ptr_equal(binary_hold(binary), binary);
  binary_drop(binary);
  assert_true(is_accepted(binary->data, binary->size, target));
  binary_drop(binary);
  binary_drop(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decodes_what_was_encoded),      cmocka_unit_test(parts_may_be_empty),
      cmocka_unit_test(same_content_gives_same_bytes), cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(every_changed_bit_is_refused),  cmocka_unit_test(bytes_after_the_end_are_refused),
      cmocka_unit_test(other_targets_are_refused),     cmocka_unit_test(foreign_bytes_are_refused),
      cmocka_unit_test(holders_share_the_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
