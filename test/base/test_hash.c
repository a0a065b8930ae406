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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matches_the_published_values),
                                     cmocka_unit_test(every_byte_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
