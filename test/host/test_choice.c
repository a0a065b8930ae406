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

static host_version_e decided(const host_choice_t *choice) { return (host_version_e)choice->decided; }

/* Runs until it is decided, each with what its version takes; how many runs that were. */
static int run(host_choice_t *choice, const uint64_t ticks[host_version_count]) {
  int runs = 0;
  while (decided(choice) == host_version_undecided && runs < 100000) {
    host_version_e version = host_choice_next(choice);
    runs++;
    if (host_choice_record(choice, version, ticks[version], ITEMS)) break;
  }
  return runs;
}

static host_version_e chosen(uint64_t vector, uint64_t scalar) {
  host_choice_t choice;
  host_choice_init(&choice);
  const uint64_t ticks[] = {vector, scalar};
  assert_true(run(&choice, ticks) <= ENOUGH);
  assert_int_equal(host_choice_next(&choice), decided(&choice));
  return decided(&choice);
}

static void the_faster_one_stays(void **state) {
  (void)state;
  assert_int_equal(chosen(LONG, 2 * (uint64_t)LONG), host_version_vector);
  assert_int_equal(chosen(2 * (uint64_t)LONG, LONG), host_version_scalar);
  assert_int_equal(chosen(LONG, LONG * 8 / 10), host_version_scalar);
}

static void equals_stay_vectors(void **state) {
  (void)state;
  assert_int_equal(chosen(LONG, LONG), host_version_vector);
  assert_int_equal(chosen(LONG, LONG - LONG / 100), host_version_vector);
}

/* Up to four of nine runs that took a hundred times as long. */
static void disturbed_runs_decide_nothing(void **state) {
  (void)state;
  for (int version = 0; version < host_version_count; version++) {
    host_choice_t choice;
    host_choice_init(&choice);
    int disturbed = 0;
    while (decided(&choice) == host_version_undecided) {
      host_version_e version_of_run = host_choice_next(&choice);
      bool is_slow = (int)version_of_run == version;
      uint64_t ticks = is_slow ? 2 * LONG : disturbed++ < 4 ? 100 * (uint64_t)LONG : LONG;
      (void)host_choice_record(&choice, version_of_run, ticks, ITEMS);
    }
    assert_int_equal(decided(&choice), !version);
  }
}

/* A launch may have a dozen work-groups that take a second each. */
static void long_runs_decide_soon(void **state) {
  (void)state;
  const uint64_t second = UINT64_C(3) << 30;
  for (int version = 0; version < host_version_count; version++) {
    host_choice_t choice;
    host_choice_init(&choice);
    uint64_t ticks[] = {second, second};
    ticks[version] *= 2;
    assert_true(run(&choice, ticks) <= 7);
    assert_int_equal(decided(&choice), !version);
  }
}

/* Runs of milliseconds: three of each if they differ clearly, as many as others if one of them was disturbed. */
static void clear_runs_decide_soon(void **state) {
  (void)state;
  const uint64_t unit = UINT64_C(3) << 20;
  const struct {
    uint64_t ticks[host_version_count], disturbed;
    int most, least;
    host_version_e faster;
  } cases[] = {
      {{unit, 2 * unit}, unit, 8, 6, host_version_vector},
      {{3 * unit, unit}, 3 * unit, 8, 6, host_version_scalar},
      {{unit, 5 * unit / 4}, unit, ENOUGH, 2 * HOST_CHOICE_SAMPLES - 1, host_version_vector},
      {{unit, 2 * unit}, 8 * unit, ENOUGH, 2 * HOST_CHOICE_SAMPLES - 1, host_version_vector},
      {{2 * unit, unit}, 8 * unit, 8, 6, host_version_scalar},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    host_choice_t choice;
    host_choice_init(&choice);
    int runs = 0;
    while (decided(&choice) == host_version_undecided) {
      const host_version_e version = host_choice_next(&choice);
      (void)host_choice_record(&choice, version, runs++ ? cases[i].ticks[version] : cases[i].disturbed, ITEMS);
    }
    assert_in_range(runs, cases[i].least, cases[i].most);
    assert_int_equal(decided(&choice), cases[i].faster);
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
    while (decided(&choice) == host_version_undecided) {
      host_version_e version_of_run = host_choice_next(&choice);
      bool is_disturbed = version_of_run == host_version_vector && vectors++ == disturbed;
      (void)host_choice_record(&choice, version_of_run,
                               is_disturbed     ? 9 * second
                               : version_of_run ? 2 * second
                                                : second,
                               ITEMS);
    }
    assert_int_equal(decided(&choice), host_version_vector);
  }
}

static void versions_alternate(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice);
  int counts[host_version_count] = {0}, first[host_version_count] = {0};
  for (int pair = 0; pair < 8; pair++) {
    host_version_e a = host_choice_next(&choice), b = host_choice_next(&choice);
    counts[a]++, counts[b]++, first[a]++;
  }
  assert_int_equal(counts[host_version_vector], counts[host_version_scalar]);
  assert_int_equal(first[host_version_vector], first[host_version_scalar]);
}

/* While the other version is still timed, runs of this one are not kept any more. */
static void samples_are_not_stored_behind_the_last(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice);
  for (uint32_t i = 0; i < 2 * HOST_CHOICE_SAMPLES; i++) {
    assert_false(host_choice_record(&choice, host_version_vector, LONG, ITEMS));
  }
  assert_int_equal(atomic_load(&choice.versions[host_version_vector].stored), HOST_CHOICE_SAMPLES);
  assert_int_equal(decided(&choice), host_version_undecided);
  for (uint32_t i = 1; i < HOST_CHOICE_SAMPLES; i++) {
    assert_false(host_choice_record(&choice, host_version_scalar, LONG / 2, ITEMS));
  }
  assert_true(host_choice_record(&choice, host_version_scalar, LONG / 2, ITEMS));
  assert_int_equal(decided(&choice), host_version_scalar);
}

/* What is too short to be timed is done in longer runs, and given up in the end. */
static void short_runs_grow(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice);
  uint64_t length = host_choice_length(&choice, 6400);
  assert_true(length > 0 && length < 6400);
  assert_int_equal(host_choice_length(&choice, 1), 1);
  assert_false(host_choice_record(&choice, host_version_vector, 10, ITEMS));
  assert_int_equal(host_choice_length(&choice, 6400), 2 * length);
  const uint64_t ticks[] = {10, 10};
  run(&choice, ticks);
  assert_int_equal(decided(&choice), host_version_vector);
  assert_int_equal(host_choice_length(&choice, 6400), 6400);
}

typedef struct race_t {
  host_choice_t choice;
  _Atomic int deciders;
} race_t;

static void *race_run(void *data) {
  race_t *race = data;
  for (int i = 0; i < ENOUGH; i++) {
    host_version_e version = host_choice_next(&race->choice);
    uint64_t ticks = version == host_version_scalar ? LONG : 3 * LONG;
    if (host_choice_record(&race->choice, version, ticks, ITEMS)) race->deciders++;
  }
  return NULL;
}

static void one_thread_decides(void **state) {
  (void)state;
  for (int run = 0; run < 200; run++) {
    race_t race = {.deciders = 0};
    pthread_t threads[4];
    host_choice_init(&race.choice);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, race_run, &race), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert_int_equal(race.deciders, 1);
    assert_int_equal(decided(&race.choice), host_version_scalar);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_faster_one_stays),
      cmocka_unit_test(equals_stay_vectors),
      cmocka_unit_test(disturbed_runs_decide_nothing),
      cmocka_unit_test(long_runs_decide_soon),
      cmocka_unit_test(clear_runs_decide_soon),
      cmocka_unit_test(long_runs_are_three),
      cmocka_unit_test(versions_alternate),
      cmocka_unit_test(samples_are_not_stored_behind_the_last),
      cmocka_unit_test(short_runs_grow),
      cmocka_unit_test(one_thread_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
