/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Measures what the runtime costs, beside PoCL where that is installed: bench-runtime [--quick] [--report].
 *
 * The driver measured is the one that OCL_ICD_VENDORS names. The exit status is 0 when every bar holds, 1 when one is
 * missed (not with --report), 2 when something could not be measured. --quick only shows that the program works. */
#include "runtime.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

enum { ROUNDS = 7, QUICK_ROUNDS = 1, ROLE_SIZE = 64 };
static const char role_prefix[] = "measure:", quick_prefix[] = "quick:", name_role[] = "name";

typedef struct options_t {
  bool quick, report;
  char vendors[4096]; /**< where the loader finds our driver; empty: in its default place */
} options_t;

/* ---- in a process of one measurement */

static int name_print(void) {
  char platform[64] = "", version[64] = "";
  clGetPlatformInfo(dut.platform, CL_PLATFORM_NAME, sizeof(platform), platform, NULL);
  clGetDeviceInfo(dut.device, CL_DRIVER_VERSION, sizeof(version), version, NULL);
  printf("%s %s", platform, version);
  return 0;
}

static int measure(bool quick, const char *name) {
  double values[BENCH_MAX_VALUES];
  for (int m = 0; m < MEASUREMENTS; m++) {
    if (strcmp(bench_measurements[m].name, name) != 0) continue;
    bench_measurements[m].run(quick, values);
    for (size_t v = 0; v < bench_measurements[m].count; v++) printf("%.12g\n", values[v]);
    return 0;
  }
  return 2;
}

/** What a process does that was started with the argument `role`; -1 when that is none. */
static int role_run(const char *role) {
  void *state = NULL;
  const bool quick = strncmp(role, quick_prefix, strlen(quick_prefix)) == 0;
  const bool full = strncmp(role, role_prefix, strlen(role_prefix)) == 0;
  const bool name = strcmp(role, name_role) == 0;
  if (!quick && !full && !name) return -1;
  if (test_device_open(&state) != 0) return 2;
  int status = name ? name_print() : measure(quick, strchr(role, ':') + 1);
  return test_device_close(&state) != 0 ? 2 : status;
}

/* ---- in the first process */

/** An empty value removes the variable. */
static void environment_set(const char *name, const char *value) {
  if ((value[0] != '\0' ? setenv(name, value, 1) : unsetenv(name)) != 0) abort();
}

static void driver_choose(bench_driver_e driver, const options_t *options) {
  environment_set("OCL_ICD_VENDORS", driver == DRIVER_OURS ? options->vendors : POCL_VENDOR_FILE);
}

/** How many threads the drivers use; empty: as many as they like. */
static void threads_choose(const char *count) {
  environment_set("QUERN_NUM_THREADS", count);
  environment_set("POCL_MAX_PTHREAD_COUNT", count);
}

/** Fills `values` with the measurement's values, or with NaN where it fails, and returns whether it did not. */
static bool child_run(bench_measurement_e which, bool quick, double *values) {
  const bench_measurement_t *measurement = &bench_measurements[which];
  char role[ROLE_SIZE], output[256], *rest = output;
  bool worked;
  snprintf(role, sizeof(role), "%s%s", quick ? quick_prefix : role_prefix, measurement->name);
  worked = test_run_self(role, output, sizeof(output)) == 0;
  for (size_t v = 0; v < measurement->count; v++) {
    const char *begin = rest;
    values[v] = worked ? strtod(begin, &rest) : NAN;
    if (rest == begin) worked = false, values[v] = NAN;
  }
  return worked;
}

static bool threads_run(bench_measurement_e which, bool quick, double *speed_up) {
  double one = NAN, two = NAN;
  threads_choose("1");
  bool worked = child_run(which, quick, &one);
  threads_choose("2");
  worked = child_run(which, quick, &two) && worked;
  threads_choose("");
  *speed_up = one / two;
  return worked;
}

static bool has_two_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) != 0 || CPU_COUNT(&set) >= 2;
}

/** One measurement of one driver, in one round. */
static bool sample(bench_results_t *results, bench_driver_e driver, bench_measurement_e which, size_t round,
                   const options_t *options) {
  double values[BENCH_MAX_VALUES] = {NAN, NAN, NAN};
  bool worked = true;
  driver_choose(driver, options);
  if (!bench_measurements[which].by_threads) {
    worked = child_run(which, options->quick, values);
  } else if (has_two_processors()) {
    worked = threads_run(which, options->quick, values);
  }
  for (int v = 0; v < BENCH_MAX_VALUES; v++) results->values[driver][which][v][round] = values[v];
  if (!worked) fprintf(stderr, "%s of %s failed\n", bench_measurements[which].name, results->names[driver]);
  return worked;
}

/** Every measurement of every driver, who goes first alternating. Returns whether ours worked. */
static bool round_run(bench_results_t *results, size_t round, const options_t *options) {
  bool worked = true;
  for (int m = 0; m < MEASUREMENTS; m++) {
    for (size_t turn = 0; turn < DRIVERS; turn++) {
      bench_driver_e driver = (bench_driver_e)((turn + round) % DRIVERS);
      if (results->names[driver][0] == '\0') continue;
      if (!sample(results, driver, (bench_measurement_e)m, round, options) && driver == DRIVER_OURS) worked = false;
    }
  }
  return worked;
}

/** Asks the drivers for their names. Another driver than ours in our place would make the table a lie. */
static bool drivers_find(bench_results_t *results, const options_t *options) {
  char *ours = results->names[DRIVER_OURS], *pocl = results->names[DRIVER_POCL];
  const size_t size = sizeof(results->names[0]);
  driver_choose(DRIVER_OURS, options);
  if (test_run_self(name_role, ours, size) != 0 || strncmp(ours, "Quern ", strlen("Quern ")) != 0) {
    fprintf(stderr, "the loader's first driver is \"%s\", not Quern: set OCL_ICD_VENDORS\n", ours);
    return false;
  }
  driver_choose(DRIVER_POCL, options);
  if (access(POCL_VENDOR_FILE, R_OK) != 0) {
    fprintf(stderr, "no PoCL to compare with: %s cannot be read\n", POCL_VENDOR_FILE);
    return true;
  }
  int status = test_run_self(name_role, pocl, size);
  if (status == 0) return true;
  /* A table without PoCL would look as if it were not there, and prove nothing of what is compared with it. */
  fprintf(stderr, "PoCL is there (%s) and cannot be asked: status %d\n", POCL_VENDOR_FILE, status);
  return false;
}

static bool options_parse(options_t *options, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--quick") == 0) {
      options->quick = true;
    } else if (strcmp(argv[i], "--report") == 0) {
      options->report = true;
    } else {
      fprintf(stderr, "usage: %s [--quick] [--report]\n", argv[0]);
      return false;
    }
  }
  return true;
}

int main(int argc, char **argv) {
  static bench_results_t results;
  static options_t options;
  const char *vendors = getenv("OCL_ICD_VENDORS");
  if (vendors != NULL) snprintf(options.vendors, sizeof(options.vendors), "%s", vendors);
  int status = argc == 2 ? role_run(argv[1]) : -1;
  if (status >= 0) return status;
  threads_choose("");
  if (!options_parse(&options, argc, argv) || !drivers_find(&results, &options)) return 2;
  bool worked = true;
  results.rounds = options.quick ? QUICK_ROUNDS : ROUNDS;
  for (size_t round = 0; round < results.rounds; round++) {
    if (!options.quick) fprintf(stderr, "round %zu of %zu\n", round + 1, results.rounds);
    worked = round_run(&results, round, &options) && worked;
  }
  size_t missed = bench_table_print(&results);
  if (!worked) return 2;
  return missed > 0 && !options.report ? 1 : 0;
}
