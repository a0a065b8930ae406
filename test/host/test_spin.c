/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How long threads spin: as long as what it saves would take, and no longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/runtime/machine/futex.h"
#include "host/runtime/scheduling/spin.h"

enum { TURNS_PER_LOOK = 8 };
#define US ((uint64_t)HOST_MICROSECOND_TICKS)
#define FAR (UINT64_MAX / 2)

static host_weather_t weather;

static int begin(void **state) {
  (void)state;
  host_weather_init(&weather);
  host_supply_init(&weather.supply, 16);
  return 0;
}

static void a_wake_up_takes_what_it_took_lately(void **state) {
  (void)state;
  assert_int_equal(host_weather_wake_latency(&weather), 10 * US);
  assert_int_equal(host_weather_wake_cost(&weather), 20 * US);
  host_weather_learn_wake(&weather, 50 * US);
  assert_int_equal(host_weather_wake_latency(&weather), 10 * US - 10 * US / 8 + 50 * US / 8);
  /* A thread that had to wait for a processor says little about waking. */
  for (int i = 0; i < 100; ++i) host_weather_learn_wake(&weather, 100000 * US);
  assert_in_range(host_weather_wake_latency(&weather), 99 * US, 100 * US);
  /* And none is instant. */
  for (int i = 0; i < 100; ++i) host_weather_learn_wake(&weather, 0);
  assert_int_equal(host_weather_wake_latency(&weather), 4 * US);
  assert_int_equal(host_weather_wake_cost(&weather), 8 * US);
}

static void spinning_is_worth_the_wake_up_it_saves(void **state) {
  (void)state;
  const struct {
    uint32_t threads, worth;
  } together[] = {{0, 20}, {1, 20}, {2, 40}, {3, 40}, {4, 60}, {7, 60}, {8, 80}, {512, 200}, {1 << 20, 250}};
  host_spin_t spin;
  host_spin_begin(&spin, &weather);
  assert_int_equal(spin.worth, 20 * US);
  assert_int_equal(spin.yield_interval, 2 * US);
  assert_ptr_equal(spin.weather, &weather);
  assert_false(spin.is_needed);
  host_spin_begin_greedily(&spin, &weather);
  assert_int_equal(spin.worth, 20 * US);
  assert_true(spin.yield_interval == UINT64_MAX);
  host_spin_begin_idly(&spin, &weather);
  assert_int_equal(spin.worth, 20 * US);
  assert_int_equal(spin.yield_interval, 0);
  for (size_t i = 0; i < sizeof together / sizeof *together; ++i) {
    host_spin_begin_together(&spin, &weather, together[i].threads);
    assert_int_equal(spin.worth, together[i].worth * US);
    assert_int_equal(spin.yield_interval, 2 * US);
  }
}

static void nobody_spins_for_long(void **state) {
  (void)state;
  host_spin_t spin;
  atomic_store(&weather.wake_latency, 100 * US);
  host_spin_begin(&spin, &weather);
  assert_int_equal(spin.worth, 200 * US);
  host_spin_begin_together(&spin, &weather, 2);
  assert_int_equal(spin.worth, 250 * US);
  host_spin_begin_idly(&spin, &weather);
  assert_int_equal(spin.worth, 20 * US);
}

static void it_begins_anew_now(void **state) {
  (void)state;
  host_spin_t spin;
  host_spin_begin(&spin, &weather);
  spin.turn = 5;
  spin.end = spin.last_yield = 0;
  const uint64_t before = host_ticks();
  host_spin_renew(&spin);
  const uint64_t after = host_ticks();
  assert_int_equal(spin.turn, 0);
  assert_true(before <= spin.last_yield && spin.last_yield <= after);
  assert_true(spin.end == spin.last_yield + 20 * US);
}

static void the_clock_is_looked_at_now_and_then(void **state) {
  (void)state;
  host_spin_t spin;
  host_spin_begin_greedily(&spin, &weather);
  for (int round = 0; round < 3; ++round) {
    spin.end = 0; /* long over */
    for (int turn = 1; turn < TURNS_PER_LOOK; ++turn) assert_true(host_spin_goes_on(&spin));
    assert_false(host_spin_goes_on(&spin));
    spin.end = FAR * 2;
    for (int turn = 0; turn < TURNS_PER_LOOK; ++turn) assert_true(host_spin_goes_on(&spin));
  }
}

static void turn_to_look(host_spin_t *spin) {
  spin->end = FAR * 2;
  for (int turn = 0; turn < TURNS_PER_LOOK; ++turn) assert_true(host_spin_goes_on(spin));
}

static void the_processor_is_offered_when_it_is_time(void **state) {
  (void)state;
  host_spin_t spin;
  host_spin_begin_greedily(&spin, &weather);
  spin.last_yield = 1;
  turn_to_look(&spin);
  assert_true(spin.last_yield == 1); /* never */
  host_spin_begin_idly(&spin, &weather);
  spin.last_yield = 1;
  turn_to_look(&spin);
  assert_true(spin.last_yield > 1); /* always */
  host_spin_begin(&spin, &weather);
  spin.yield_interval = FAR;
  spin.last_yield = host_ticks();
  const uint64_t last = spin.last_yield;
  turn_to_look(&spin);
  assert_true(spin.last_yield == last); /* not yet */
  spin.yield_interval = 1;
  turn_to_look(&spin);
  assert_true(spin.last_yield > last);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, begin)
  const struct CMUnitTest tests[] = {
      TEST(a_wake_up_takes_what_it_took_lately),
      TEST(spinning_is_worth_the_wake_up_it_saves),
      TEST(nobody_spins_for_long),
      TEST(it_begins_anew_now),
      TEST(the_clock_is_looked_at_now_and_then),
      TEST(the_processor_is_offered_when_it_is_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
