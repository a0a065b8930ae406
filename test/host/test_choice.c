/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which of two versions of a kernel is chosen, from times that are made up. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/runtime/commands/kernel.h"

enum { ITEMS = 1000, LONG = 100000, ENOUGH = 26 };

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

static host_version_e chosen(uint64_t vector, uint64_t scalar, int most) {
  host_choice_t choice;
  host_choice_init(&choice, host_version_vector);
  const uint64_t ticks[] = {vector, scalar};
  assert_in_range(run(&choice, ticks), 1, most);
  assert_int_equal(host_choice_next(&choice), decided(&choice));
  return decided(&choice);
}

static void the_faster_one_stays(void **state) {
  (void)state;
  assert_int_equal(chosen(LONG, 2 * (uint64_t)LONG, ENOUGH), host_version_vector);
  assert_int_equal(chosen(2 * (uint64_t)LONG, LONG, ENOUGH), host_version_scalar);
  assert_int_equal(chosen(LONG, LONG * 8 / 10, ENOUGH), host_version_scalar);
}

static void equals_stay_vectors(void **state) {
  (void)state;
  assert_int_equal(chosen(LONG, LONG, ENOUGH), host_version_vector);
  assert_int_equal(chosen(LONG, LONG - LONG / 100, ENOUGH), host_version_vector);
  assert_int_equal(chosen(LONG, LONG * 100 / 102, ENOUGH), host_version_vector);
}

static uint32_t next_random(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 16; }

/* Of a hundred runs, `percent` take a hundred times as long. */
static void disturbed_runs_decide_nothing(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 200; seed++) {
    for (uint32_t percent = 1; percent <= 25; percent += 6) {
      for (int faster = 0; faster < host_version_count; faster++) {
        host_choice_t choice;
        host_choice_init(&choice, host_version_vector);
        uint32_t random = seed;
        int runs = 0;
        while (decided(&choice) == host_version_undecided) {
          const host_version_e version = host_choice_next(&choice);
          const uint64_t ticks = (int)version == faster ? LONG : 3 * LONG;
          const bool is_disturbed = next_random(&random) % 100 < percent;
          (void)host_choice_record(&choice, version, is_disturbed ? ticks * 100 : ticks, ITEMS);
          runs++;
        }
        assert_int_equal(decided(&choice), faster);
        assert_in_range(runs, 1, 1200);
      }
    }
  }
}

/* What the work-groups of a run cost, by their place. */
typedef uint64_t cost_fn(uint64_t run);
/* As rows of an image of the Mandelbrot set: the middle two quarters cost much. */
static uint64_t cost_of_quarter(uint64_t run) { return run % 4 == 1 || run % 4 == 2 ? 30 * LONG : LONG; }
static uint64_t cost_of_half(uint64_t run) { return run % 2 ? 30 * LONG : LONG; }
static uint64_t cost_of_eighth(uint64_t run) { return run % 8 == 5 ? 50 * LONG : LONG; }
static uint64_t cost_of_triangle(uint64_t run) { return (run + 1) * LONG; }
static uint64_t cost_of_third(uint64_t run) { return run % 3 ? LONG : 20 * LONG; }

/* Whatever the order of costs, and wherever a launch begins. */
static void costly_work_groups_decide_nothing(void **state) {
  (void)state;
  cost_fn *const costs[] = {cost_of_quarter, cost_of_half, cost_of_eighth, cost_of_triangle, cost_of_third};
  for (size_t c = 0; c < sizeof costs / sizeof *costs; c++) {
    for (uint64_t begin = 0; begin < 16; begin++) {
      for (int faster = 0; faster < host_version_count; faster++) {
        host_choice_t choice;
        host_choice_init(&choice, host_version_vector);
        uint64_t place = begin;
        for (int pair = 0; decided(&choice) == host_version_undecided; pair++) {
          assert_in_range(pair, 0, 511);
          const host_version_e first = host_choice_first(&choice);
          double cost[host_version_count];
          for (int i = 0; i < 2; i++) {
            const host_version_e version = i ? !first : first;
            cost[version] = (double)costs[c](place++) * ((int)version == faster ? 1 : 2);
          }
          (void)host_choice_record_pair(&choice, cost, LONG);
        }
        assert_int_equal(decided(&choice), faster);
      }
    }
  }
}

/* Most work-groups end at once, and sooner in scalar code: those that do the work count. */
static void work_groups_count_by_their_cost(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice, host_version_vector);
  for (uint64_t pair = 0; decided(&choice) == host_version_undecided; pair++) {
    (void)host_choice_first(&choice);
    const bool has_work = pair % 10 == 7;
    const double costs[] = {has_work ? 50 : 1, has_work ? 400 : 0.8};
    (void)host_choice_record_pair(&choice, costs, LONG);
  }
  assert_int_equal(decided(&choice), host_version_vector);
}

/* A launch may have a dozen work-groups that take milliseconds, or a second each. */
static void long_runs_decide_soon(void **state) {
  (void)state;
  const uint64_t lengths[] = {UINT64_C(3) << 20, UINT64_C(3) << 30};
  for (int i = 0; i < 4; i++) {
    host_choice_t choice;
    host_choice_init(&choice, host_version_vector);
    uint64_t ticks[] = {lengths[i / 2], lengths[i / 2]};
    ticks[i % 2] *= 2;
    assert_true(run(&choice, ticks) <= 12);
    assert_int_equal(decided(&choice), !(i % 2));
  }
}

/* One of them was disturbed. */
static void few_long_runs_do_not_decide_if_they_differ(void **state) {
  (void)state;
  const uint64_t unit = UINT64_C(3) << 20;
  for (int faster = 0; faster < host_version_count; faster++) {
    for (int disturbed = 0; disturbed < 8; disturbed++) {
      host_choice_t choice;
      host_choice_init(&choice, host_version_vector);
      int runs = 0;
      while (decided(&choice) == host_version_undecided) {
        const host_version_e version = host_choice_next(&choice);
        const uint64_t ticks = runs++ == disturbed ? 18 * unit : (int)version == faster ? unit : 2 * unit;
        (void)host_choice_record(&choice, version, ticks, ITEMS);
      }
      assert_int_equal(decided(&choice), faster);
    }
  }
}

/* Neither always comes first. */
static void versions_alternate(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice, host_version_vector);
  int firsts[host_version_count] = {0};
  for (int pair = 0; pair < 1000; pair++) firsts[host_choice_first(&choice)]++;
  assert_in_range(firsts[host_version_vector], 450, 550);
  for (int i = 0; i < 8; i++) {
    const host_version_e version = host_choice_next(&choice);
    (void)host_choice_record(&choice, version, LONG, ITEMS);
    assert_int_equal(host_choice_next(&choice), !version);
    (void)host_choice_record(&choice, !version, LONG, ITEMS);
  }
}

/* The last run of a version waits for one of the other, however many there are. */
static void runs_without_partner_decide_nothing(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice, host_version_vector);
  for (uint32_t i = 0; i < 100; i++) assert_false(host_choice_record(&choice, host_version_vector, LONG, ITEMS));
  assert_int_equal(choice.pairs, 0);
  assert_int_equal(host_choice_next(&choice), host_version_scalar);
  assert_false(host_choice_record(&choice, host_version_scalar, LONG / 2, ITEMS));
  assert_int_equal(choice.pairs, 1);
  assert_int_equal(decided(&choice), host_version_undecided);
}

/* What is too short to be timed is done in longer runs, and given up in the end. */
static void short_runs_grow(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice, host_version_vector);
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

/* Who gives up tells it, as who decides does: it is kept. */
static void the_last_run_of_all_decides(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice, host_version_vector);
  int told = 0;
  for (int i = 0; i < 10000 && decided(&choice) == host_version_undecided; i++)
    told += host_choice_record(&choice, host_choice_next(&choice), 10, ITEMS);
  assert_int_equal(decided(&choice), host_version_vector);
  assert_int_equal(told, 1);
  assert_false(host_choice_record(&choice, host_version_vector, 10, ITEMS));
}

/* As in a process that was forked while another thread had it: the search ends nevertheless. */
static void lock_that_nobody_returns_ends_it(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice, host_version_vector);
  (void)atomic_flag_test_and_set(&choice.is_locked);
  const uint64_t ticks[] = {UINT64_C(2) * LONG, LONG};
  assert_in_range(run(&choice, ticks), 100, 10000);
  assert_int_equal(decided(&choice), host_version_vector);
  assert_int_equal(choice.pairs, 0);
}

/* ---------------------------------------------------------------- exploration */

enum { MOST_THREADS = 64 };

/* A run that a thread has begun. */
typedef struct thread_run_t {
  uint64_t end, left;
  host_version_e version;
  bool is_under_way, is_long;
} thread_run_t;

typedef struct machine_t {
  host_choice_t choice;
  uint64_t ticks[host_version_count];
  uint32_t threads;
  thread_run_t run[MOST_THREADS];
} machine_t;

static void run_begin(machine_t *machine, thread_run_t *run) {
  host_choice_t *choice = &machine->choice;
  run->version = decided(choice);
  run->is_long = false;
  if (run->version == host_version_undecided) {
    const host_comparison_e comparison = host_choice_compare(choice, ITEMS, run->left, machine->threads);
    run->version = comparison == host_comparison_none ? choice->expected : host_choice_next(choice);
    run->is_long = comparison == host_comparison_long;
  }
  run->is_under_way = true;
  run->left -= ITEMS;
  run->end += machine->ticks[run->version];
}

static void run_end(machine_t *machine, thread_run_t *run) {
  if (!run->is_under_way) return;
  const bool is_first = !machine->choice.spent;
  host_choice_account(&machine->choice, run->version, machine->ticks[run->version], ITEMS);
  if (!is_first) (void)host_choice_record(&machine->choice, run->version, machine->ticks[run->version], ITEMS);
  if (run->is_long) host_choice_end_long(&machine->choice);
  run->is_under_way = false;
}

/* The thread that is the first to be done, of those that have something to do. */
static thread_run_t *next_thread(machine_t *machine) {
  thread_run_t *next = NULL;
  for (uint32_t i = 0; i < machine->threads; i++) {
    thread_run_t *run = &machine->run[i];
    if ((run->is_under_way || run->left) && (!next || run->end < next->end)) next = run;
  }
  return next;
}

/* A launch of `groups` work-groups for each thread, one in a run. When the last one has ended, in ticks. */
static uint64_t launch(machine_t *machine, uint64_t groups) {
  uint64_t end = 0;
  for (uint32_t i = 0; i < machine->threads; i++) machine->run[i] = (thread_run_t){.left = groups * ITEMS};
  for (thread_run_t *run; (run = next_thread(machine));) {
    run_end(machine, run);
    end = run->end;
    if (run->left) run_begin(machine, run);
  }
  return end;
}

static uint64_t launches(machine_t *machine, uint64_t groups, int count) {
  uint64_t all = 0;
  for (int i = 0; i < count; i++) all += launch(machine, groups);
  return all;
}

static machine_t machine_make(uint32_t threads, host_version_e expected, uint64_t expected_ticks,
                              uint64_t other_ticks) {
  machine_t machine = {.threads = threads};
  host_choice_init(&machine.choice, expected);
  machine.ticks[expected] = expected_ticks;
  machine.ticks[!expected] = other_ticks;
  return machine;
}

/* A kernel that is launched once, with as many work-groups as there are threads, or a few more, runs as expected. */
static void few_long_work_groups_run_as_expected(void **state) {
  (void)state;
  const uint64_t unit = UINT64_C(1) << 28;
  for (int expected = 0; expected < host_version_count; expected++) {
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads *= 2) {
      for (uint64_t groups = 1; groups <= 6; groups++) {
        machine_t machine = machine_make(threads, (host_version_e)expected, unit, 10 * unit);
        assert_true(launch(&machine, groups) == groups * unit);
      }
    }
  }
}

/* However slow the other version is, and however many threads there are, it takes a share of the time, and then one
 * run. */
static void exploration_is_bounded(void **state) {
  (void)state;
  const uint64_t unit = UINT64_C(1) << 24;
  for (uint32_t threads = 1; threads <= MOST_THREADS; threads *= 2) {
    for (uint64_t factor = 1; factor <= 1000; factor *= 10) {
      machine_t machine = machine_make(threads, host_version_vector, unit, factor * unit);
      const uint64_t best = 100 * unit;
      assert_true(launches(&machine, 4, 25) <= best + best / 4 + factor * unit);
    }
  }
}

/* The version that nobody expected to be faster is found, in long work-groups too. */
static void exploration_finds_the_faster_version(void **state) {
  (void)state;
  const uint64_t unit = UINT64_C(1) << 24;
  for (uint32_t threads = 1; threads <= MOST_THREADS; threads *= 2) {
    for (int expected = 0; expected < host_version_count; expected++) {
      machine_t machine = machine_make(threads, (host_version_e)expected, 2 * unit, unit);
      (void)launches(&machine, 4, 20);
      assert_int_equal(decided(&machine.choice), !expected);
    }
  }
}

/* What is over soon costs little, and is compared at once, but for the first run of all. */
static void short_runs_are_compared(void **state) {
  (void)state;
  host_choice_t choice;
  host_choice_init(&choice, host_version_vector);
  assert_int_equal(host_choice_compare(&choice, ITEMS, ITEMS, 2), host_comparison_none);
  host_choice_account(&choice, host_version_vector, LONG, ITEMS);
  assert_int_equal(host_choice_compare(&choice, ITEMS, ITEMS, 2), host_comparison_short);
  const uint64_t many = UINT64_C(1000) * ITEMS;
  assert_int_equal(host_choice_compare(&choice, many, many, 2), host_comparison_none);
  assert_int_equal(host_choice_compare(&choice, many, 32 * many, 2), host_comparison_long);
  /* One at a time. */
  assert_int_equal(host_choice_compare(&choice, many, 32 * many, 2), host_comparison_none);
  host_choice_end_long(&choice);
  assert_int_equal(host_choice_compare(&choice, many, 32 * many, 2), host_comparison_long);
}

/* What the times do not tell the expectation does. */
static void equals_stay_as_expected(void **state) {
  (void)state;
  const uint64_t lengths[] = {10, LONG};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    for (int expected = 0; expected < host_version_count; expected++) {
      host_choice_t choice;
      host_choice_init(&choice, (host_version_e)expected);
      uint64_t ticks[] = {lengths[i], lengths[i]};
      ticks[!expected] -= ticks[!expected] / 100;
      run(&choice, ticks);
      assert_int_equal(decided(&choice), expected);
    }
  }
}

static void note(void *data, uint64_t measured) { *(uint64_t *)data = measured; }

/* What one process is told is what another one begins with. */
static void choices_are_remembered(void **state) {
  (void)state;
  for (uint32_t general = 0; general <= host_version_undecided; general++) {
    for (uint32_t distinct = 0; distinct <= host_version_undecided; distinct++) {
      host_kernel_t one = {0}, other = {0};
      uint64_t number = UINT64_MAX;
      host_kernel_tell_choices(&one);
      host_choice_init(&other.general_choice, host_version_vector);
      host_choice_init(&other.distinct_choice, host_version_vector);
      assert_int_equal(host_tune_kernel(&one.base, 0, note, &number), mux_success);
      one.general_choice.decided = general;
      one.distinct_choice.decided = distinct;
      host_kernel_tell_choices(&one);
      assert_int_equal(host_tune_kernel(&other.base, number, NULL, NULL), mux_success);
      assert_int_equal(other.general_choice.decided, general);
      assert_int_equal(other.distinct_choice.decided, distinct);
      /* It has measured none of it. */
      uint64_t told_again = 0;
      other.measured = note;
      other.measured_data = &told_again;
      host_kernel_tell_choices(&other);
      assert_int_equal(told_again & 255, 0);
    }
  }
}

/* A number that nobody told, from a file that somebody wrote. */
static void other_numbers_are_not_remembered(void **state) {
  (void)state;
  const uint64_t numbers[] = {0, 1, 5, 256, 256 + 3, 256 + 12, 256 + 15, 512 + 5, UINT64_MAX};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    host_kernel_t kernel = {0};
    host_choice_init(&kernel.general_choice, host_version_vector);
    host_choice_init(&kernel.distinct_choice, host_version_vector);
    assert_int_equal(host_tune_kernel(&kernel.base, numbers[i], NULL, NULL), mux_success);
    assert_int_equal(decided(&kernel.general_choice), host_version_undecided);
    assert_int_equal(decided(&kernel.distinct_choice), host_version_undecided);
  }
}

typedef struct race_t {
  host_choice_t choice;
  _Atomic int deciders;
} race_t;

static void *race_run(void *data) {
  race_t *race = data;
  for (int i = 0; i < 10 * ENOUGH; i++) {
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
    host_choice_init(&race.choice, host_version_vector);
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
      cmocka_unit_test(costly_work_groups_decide_nothing),
      cmocka_unit_test(work_groups_count_by_their_cost),
      cmocka_unit_test(long_runs_decide_soon),
      cmocka_unit_test(few_long_runs_do_not_decide_if_they_differ),
      cmocka_unit_test(versions_alternate),
      cmocka_unit_test(runs_without_partner_decide_nothing),
      cmocka_unit_test(short_runs_grow),
      cmocka_unit_test(the_last_run_of_all_decides),
      cmocka_unit_test(lock_that_nobody_returns_ends_it),
      cmocka_unit_test(few_long_work_groups_run_as_expected),
      cmocka_unit_test(exploration_is_bounded),
      cmocka_unit_test(exploration_finds_the_faster_version),
      cmocka_unit_test(short_runs_are_compared),
      cmocka_unit_test(equals_stay_as_expected),
      cmocka_unit_test(choices_are_remembered),
      cmocka_unit_test(other_numbers_are_not_remembered),
      cmocka_unit_test(one_thread_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
