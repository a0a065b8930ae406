/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which of two versions of a kernel is chosen, from times that are made up. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/runtime/commands/choice.h"

enum { ITEMS = 1000, LONG = 100000, ENOUGH = 4 * HOST_CHOICE_SAMPLES };

static host_version_e settled(const host_choice_t *choice) { return (host_version_e)choice->settled; }

/* Runs until it is settled, each with what its version takes; how many runs that were. */
static int run(host_choice_t *choice, const uint64_t ticks[host_version_count]) {
  int runs = 0;
  while (settled(choice) == host_version_open && runs < 100000) {
    host_version_e version = host_choice_turn(choice);
    runs++;
    if (host_choice_learn(choice, version, ticks[version], ITEMS)) break;
  }
  return runs;
}

static host_version_e chosen(uint64_t vectors, uint64_t single) {
  host_choice_t choice;
  host_choice_init(&choice);
  const uint64_t ticks[] = {vectors, single};
  assert_true(run(&choice, ticks) <= ENOUGH);
  assert_int_equal(host_choice_turn(&choice), settled(&choice));
  return settled(&choice);
}

static void the_faster_one_stays(void **state) {
  (void)state;
  assert_int_equal(chosen(LONG, 2 * LONG), host_version_vectors);
  assert_int_equal(chosen(2 * LONG, LONG), host_version_single);
  assert_int_equal(chosen(LONG, LONG * 8 / 10), host_version_single);
}

static void equals_stay_vectors(void **state) {
  (void)state;
  assert_int_equal(chosen(LONG, LONG), host_version_vectors);
  assert_int_equal(chosen(LONG, LONG - LONG / 100), host_version_vectors);
}

/* Up to four of nine runs that took a hundred times as long. */
static void disturbed_runs_decide_nothing(void **state) {
  (void)state;
  for (int version = 0; version < host_version_count; version++) {
    host_choice_t choice;
    host_choice_init(&choice);
    int disturbed = 0;
    while (settled(&choice) == host_version_open) {
      host_version_e turn = host_choice_turn(&choice);
      bool is_slow = (int)turn == version;
      uint64_t ticks = is_slow ? 2 * LONG : disturbed++ < 4 ? 100 * (uint64_t)LONG : LONG;
      (void)host_choice_learn(&choice, turn, ticks, ITEMS);
    }
    assert_int_equal(settled(&choice), !version);
  }
}

/* A launch may have a dozen work-groups that take a second each. */
static void long_runs_settle_soon(void **state) {
  (void)state;
  const uint64_t second = UINT64_C(3) << 30;
  for (int version = 0; version < host_version_count; version++) {
    host_choice_t choice;
    host_choice_init(&choice);
    uint64_t ticks[] = {second, second};
    ticks[version] *= 2;
    assert_true(run(&choice, ticks) <= 7);
    assert_int_equal(settled(&choice), !version);
  }
}

/* Two of them cannot tell the disturbed one. */
static void long_runs_are_three(void **state) {
  (void)state;
  const uint64_t second = UINT64_C(3) << 30;
  for (int disturbed = 0; disturbed < 3; disturbed++) {
    host_choice_t choice;
    host_choice_init(&choice);
    int vectors = 0;
    while (settled(&choice) == host_version_open) {
      host_version_e turn = host_choice_turn(&choice);
      bool is_disturbed = turn == host_version_vectors && vectors++ == disturbed;
      (void)host_choice_learn(&choice, turn, is_disturbed ? 9 * second : turn ? 2 * second : second, ITEMS);
    }
    assert_int_equal(settled(&choice), host_version_vectors);
  }
}

static void runs_take_turns(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice);
  int counts[host_version_count] = {0}, first[host_version_count] = {0};
  for (int pair = 0; pair < 8; pair++) {
    host_version_e a = host_choice_turn(&choice), b = host_choice_turn(&choice);
    counts[a]++, counts[b]++, first[a]++;
  }
  assert_int_equal(counts[host_version_vectors], counts[host_version_single]);
  assert_int_equal(first[host_version_vectors], first[host_version_single]);
}

/* While the other version is still timed, runs of this one are not kept any more. */
static void samples_are_not_stored_behind_the_last(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice);
  for (uint32_t i = 0; i < 2 * HOST_CHOICE_SAMPLES; i++) {
    assert_false(host_choice_learn(&choice, host_version_vectors, LONG, ITEMS));
  }
  assert_int_equal(atomic_load(&choice.versions[host_version_vectors].stored), HOST_CHOICE_SAMPLES);
  assert_int_equal(settled(&choice), host_version_open);
  for (uint32_t i = 1; i < HOST_CHOICE_SAMPLES; i++) {
    assert_false(host_choice_learn(&choice, host_version_single, LONG / 2, ITEMS));
  }
  assert_true(host_choice_learn(&choice, host_version_single, LONG / 2, ITEMS));
  assert_int_equal(settled(&choice), host_version_single);
}

/* What is too short to be timed is done in longer runs, and given up in the end. */
static void short_runs_grow(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice);
  uint64_t length = host_choice_length(&choice, 6400);
  assert_true(length > 0 && length < 6400);
  assert_int_equal(host_choice_length(&choice, 1), 1);
  assert_false(host_choice_learn(&choice, host_version_vectors, 10, ITEMS));
  assert_int_equal(host_choice_length(&choice, 6400), 2 * length);
  const uint64_t ticks[] = {10, 10};
  run(&choice, ticks);
  assert_int_equal(settled(&choice), host_version_vectors);
  assert_int_equal(host_choice_length(&choice, 6400), 6400);
}

typedef struct race_t {
  host_choice_t choice;
  _Atomic int settlers;
} race_t;

static void *race_run(void *data) {
  race_t *race = data;
  for (int i = 0; i < ENOUGH; i++) {
    host_version_e version = host_choice_turn(&race->choice);
    uint64_t ticks = version == host_version_single ? LONG : 3 * LONG;
    if (host_choice_learn(&race->choice, version, ticks, ITEMS)) race->settlers++;
  }
  return NULL;
}

static void threads_settle_it_once(void **state) {
  (void)state;
  for (int turn = 0; turn < 200; turn++) {
    race_t race = {.settlers = 0};
    pthread_t threads[4];
    host_choice_init(&race.choice);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, race_run, &race), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert_int_equal(race.settlers, 1);
    assert_int_equal(settled(&race.choice), host_version_single);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_faster_one_stays),
      cmocka_unit_test(equals_stay_vectors),
      cmocka_unit_test(disturbed_runs_decide_nothing),
      cmocka_unit_test(long_runs_settle_soon),
      cmocka_unit_test(long_runs_are_three),
      cmocka_unit_test(runs_take_turns),
      cmocka_unit_test(samples_are_not_stored_behind_the_last),
      cmocka_unit_test(short_runs_grow),
      cmocka_unit_test(threads_settle_it_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
