/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What was measured of a kernel is remembered: for the same code, kernel and device, and for a day. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "cache_folder.h"
#include "cl/program/tuning.h"

enum { NEVER_CALLED = 1000, DAY = 24 * 60 * 60 };

static time_t now = 1000000000;
/** What muxTuneKernel was told. */
static uint64_t told;

time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out) {
  if (out) *out = now;
  return now;
}

mux_result_t __wrap_muxTuneKernel(mux_kernel_t kernel, uint64_t remembered, mux_tuning_callback_t measured,
                                  void *user_data);
mux_result_t __wrap_muxTuneKernel(mux_kernel_t kernel, uint64_t remembered, mux_tuning_callback_t measured,
                                  void *user_data) {
  assert_non_null(kernel);
  assert_non_null(measured);
  assert_non_null(user_data);
  told = remembered;
  return mux_success;
}

/* A kernel of a device, as far as it is looked at. */
typedef struct place_t {
  const char *device_name;
  uint32_t units;
  bool has_versions;
  const char *kernel_name;
  hash128_t code;
} place_t;

static const place_t place = {"device", 2, true, "kernel", {1, 2}};

/** What the kernel is told, in a process that begins now. */
static uint64_t begin(const place_t *of, tuning_t *tuning) {
  static struct mux_device_info_s info;
  info.device_name = of->device_name;
  info.compute_units = of->units;
  struct mux_device_s device = {.info = &info};
  struct mux_kernel_s kernel = {.device = &device, .has_versions = of->has_versions};
  told = NEVER_CALLED;
  *tuning = (tuning_t){0};
  tuning_begin(tuning, NULL, &kernel, of->kernel_name, of->code);
  return told;
}

static void is_told_to_the_next_process(void **state) {
  (void)state;
  tuning_t tuning;
  assert_int_equal(begin(&place, &tuning), 0);
  tuning_keep(&tuning, 5);
  assert_int_equal(begin(&place, &tuning), 5);
  tuning_keep(&tuning, 9);
  assert_int_equal(begin(&place, &tuning), 9);
}

static void is_told_to_the_same_kernel_alone(void **state) {
  (void)state;
  tuning_t tuning;
  place_t others[5] = {place, place, place, place, place};
  (void)begin(&place, &tuning);
  tuning_keep(&tuning, 5);
  others[0].device_name = "other";
  others[1].units = 3;
  others[2].kernel_name = "other";
  others[3].code.high++;
  others[4].has_versions = false;
  for (int i = 0; i < 4; i++) assert_int_equal(begin(&others[i], &tuning), 0);
  assert_int_equal(begin(&others[4], &tuning), NEVER_CALLED);
}

static void is_measured_anew_each_day(void **state) {
  (void)state;
  tuning_t tuning;
  (void)begin(&place, &tuning);
  tuning_keep(&tuning, 5);
  now += DAY - 1;
  assert_int_equal(begin(&place, &tuning), 5);
  now += 1;
  assert_int_equal(begin(&place, &tuning), 0);
  tuning_keep(&tuning, 6);
  assert_int_equal(begin(&place, &tuning), 6);
  /* The clock was put back. */
  now -= 10;
  assert_int_equal(begin(&place, &tuning), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_told_to_the_next_process),
      cmocka_unit_test(is_told_to_the_same_kernel_alone),
      cmocka_unit_test(is_measured_anew_each_day),
  };
  return cmocka_run_group_tests(tests, cache_folder_make, cache_folder_remove);
}
