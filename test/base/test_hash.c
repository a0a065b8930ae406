/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Hashes are XXH3's: the same on every machine, since cache files carry them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"

/* Published values of XXH3_64bits with seed 0. */
static void matches_the_published_values(void **state) {
  (void)state;
  assert_true(hash_bytes(NULL, 0) == 0x2d06800538d394c2u);
  assert_true(hash_bytes("", 0) == 0x2d06800538d394c2u);
  assert_true(hash_bytes("abc", 3) == 0x78af5f94892f3950u);
}

static void every_byte_counts(void **state) {
  (void)state;
  unsigned char bytes[300] = {0};
  uint64_t hash = hash_bytes(bytes, sizeof(bytes));
  assert_true(hash != hash_bytes(bytes, sizeof(bytes) - 1));
  for (size_t i = 0; i < sizeof(bytes); i++) {
    bytes[i] = 1;
    assert_true(hash_bytes(bytes, sizeof(bytes)) != hash);
    bytes[i] = 0;
  }
}

/* The published value of XXH3_128bits of nothing, with seed 0. */
static void wide_hashes_match_the_published_value(void **state) {
  (void)state;
  char digits[hash128_text_size];
  hash128_write(hash_bytes_128("", 0), digits);
  assert_string_equal(digits, "99aa06d3014798d86001c324468d497f");
  hash128_write((hash128_t){.low = 0x1f, .high = 0x2}, digits);
  assert_string_equal(digits, "0000000000000002000000000000001f");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matches_the_published_values),
                                     cmocka_unit_test(every_byte_counts),
                                     cmocka_unit_test(wide_hashes_match_the_published_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
