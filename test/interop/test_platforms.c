/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Two platforms in one process share a buffer: kernels of both, and of the host, in turn (B6). Arguments: the names of
 * the platforms. */
#include "groups.h"

enum { items = 10000, bytes = items * sizeof(int), places = 2 };

static const char *const *names;

static void platforms_share_a_buffer(void **state) {
  (void)state;
  test_place_t at[places], host;
  for (int i = 0; i < places; i++) {
    quern_device_t device = test_find_device(names[i]);
    assert_non_null(device);
    test_place_open(&at[i], device);
  }
  test_place_open_host(&host);
  test_company_begin(&at[0], &host);
  static int values[items];
  quern_memory_options_t separate = QUERN_MEMORY_OPTIONS_INIT;
  separate.flags = quern_memory_copy_host | quern_memory_separate;
  quern_memory_t memories[] = {test_buffer(bytes, values, NULL), test_buffer(bytes, values, &separate)};
  for (int round = 0; round < 10; round++) {
    for (int m = 0; m < 2; m++) {
      for (int i = 0; i < places; i++) {
        test_add(&at[i], round % 2 ? at[i].in_order : at[i].out_of_order, memories[m], 1 + i, items);
      }
      test_add_on_host(host.in_order, memories[m], 10, items);
    }
  }
  for (int m = 0; m < 2; m++) test_expect(memories[m], 10 * (1 + 2 + 10), items);
  quern_memory_statistics_t statistics;
  ASSERT_SUCCESS(quern_memory_get_statistics(memories[1], &statistics));
  assert_true(statistics.copies >= 10 * 4 - 1);
  for (int m = 0; m < 2; m++) ASSERT_SUCCESS(quern_memory_release(memories[m]));
  test_company_end();
  for (int i = 0; i < places; i++) test_place_close(&at[i]);
  test_place_close(&host);
}

int main(int argc, char **argv) {
  static const char *const usual[] = {"Quern", "Portable Computing Language"};
  names = argc > places ? (const char *const *)argv + 1 : usual;
  const struct CMUnitTest tests[] = {cmocka_unit_test(platforms_share_a_buffer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
