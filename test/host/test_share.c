/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Shares of a region: every unit is taken once, whoever takes and steals; words of earlier regions stand for all. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "host/runtime/scheduling/share.h"

enum { THREADS = 5, UNITS = 20011, ROUNDS = 30 };

static _Atomic uint64_t shares[THREADS];
static atomic_uchar taken[UNITS];
static host_division_t division;

static void untouched_shares_cover_all_units(void **state) {
  (void)state;
  const host_division_t odd = {.tag = 7, .shares = 6, .units = HOST_SHARE_UNITS};
  uint32_t next = 0;
  for (uint32_t rank = 0; rank < odd.shares; ++rank) {
    const uint64_t word = host_share_interpret(&odd, rank, host_share_word(6, HOST_SHARE_JOINED, 3, 3));
    assert_int_equal(host_share_next(word), next);
    assert_int_equal(host_share_flags(word), 0);
    next = host_share_end(word);
  }
  assert_int_equal(next, HOST_SHARE_UNITS);
}

static void touched_shares_are_what_they_say(void **state) {
  (void)state;
  const host_division_t any = {.tag = HOST_SHARE_LAST_TAG, .shares = 3, .units = 99};
  const uint64_t word = host_share_word(HOST_SHARE_LAST_TAG, HOST_SHARE_SEALED, 40, 65535);
  assert_true(host_share_interpret(&any, 1, word) == word);
  assert_int_equal(host_share_tag(word), HOST_SHARE_LAST_TAG);
  assert_true(host_share_flags(word) == HOST_SHARE_SEALED);
  assert_int_equal(host_share_left(word), 65535 - 40);
}

static void run_note(const host_run_t *run) {
  for (uint32_t unit = run->first; unit < run->first + run->count; ++unit) atomic_fetch_add(&taken[unit], 1);
}

static void *thread_main(void *argument) {
  const uint32_t rank = (uint32_t)(uintptr_t)argument;
  uint64_t own = host_share_interpret(&division, rank, 0);
  host_run_t run;
  /* Somebody may have stolen from it before this thread came. */
  uint64_t expected = atomic_load(&shares[rank]);
  do own = host_share_interpret(&division, rank, expected) | HOST_SHARE_JOINED;
  while (!atomic_compare_exchange_weak(&shares[rank], &expected, own));
  for (uint32_t step = 0; step < THREADS; ++step) {
    while (host_share_claim(&shares[rank], 3, &run)) run_note(&run);
    if (!host_share_steal(&shares[(rank + step) % THREADS], &division, (rank + step) % THREADS, 3, &run)) continue;
    atomic_store(&shares[rank], host_share_word(division.tag, HOST_SHARE_JOINED, run.first, run.first + run.count));
    step = 0;
  }
  while (host_share_claim(&shares[rank], 3, &run)) run_note(&run);
  return NULL;
}

static void every_unit_is_taken_once(void **state) {
  (void)state;
  for (uint32_t round = 1; round <= ROUNDS; ++round) {
    pthread_t threads[THREADS];
    memset(taken, 0, sizeof taken);
    division = (host_division_t){.tag = round, .shares = THREADS, .units = UNITS};
    for (uintptr_t i = 0; i < THREADS; ++i)
      assert_int_equal(pthread_create(&threads[i], NULL, thread_main, (void *)i), 0);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    for (int unit = 0; unit < UNITS; ++unit) assert_int_equal(taken[unit], 1);
  }
}

static void sealed_only_while_unchanged(void **state) {
  (void)state;
  const uint64_t word = host_share_word(4, 0, 9, 9);
  _Atomic uint64_t share = word;
  assert_true(host_share_seal(&share, word));
  assert_false(host_share_seal(&share, word));
  assert_true(share == (word | HOST_SHARE_SEALED));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(untouched_shares_cover_all_units),
      cmocka_unit_test(touched_shares_are_what_they_say),
      cmocka_unit_test(every_unit_is_taken_once),
      cmocka_unit_test(sealed_only_while_unchanged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
