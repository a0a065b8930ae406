/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Measures the runtime with 1, 2, 4, ... threads beside C with OpenMP and other drivers: bench-scaling --help.
 *
 * Every participant runs in a process of its own for each number of threads, on as many processors, and they take
 * turns. What a step of a kernel takes is measured for each, so that the runtime is compared and not the code. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scaling.h"
#include "table.h"
#include "test_process.h"

static const char help[] =
    "usage: bench-scaling [options]\n"
    "  --threads A,B     these numbers of threads instead of 1, 2, 4, ... and all\n"
    "  --rounds N        how often everything is measured (5, at most 25)\n"
    "  --driver NAME=DIR another driver as a participant: DIR has its .icd file\n"
    "  --only ROW,ROW    these rows of the table, as a prefix of their names says: --only 'an empty,two processes'\n"
    "  --seconds N       begin no round after this long\n"
    "  --spread          also the lowest and the highest value of the rounds\n"
    "  --largest MIB     largest transfer (1024, or what memory allows)\n"
    "  --chart FILE      write a drawing (SVG)\n"
    "  --quick           only show that it works\n";

enum { CALIBRATIONS = 5 };

typedef struct options_t {
  bool quick, spread;
  scaling_rows_t rows;
  const char *chart;
  size_t rounds, largest_mib, seconds;
} options_t;

static scaling_results_t results;
static char vendors[SCALING_MAX_PARTICIPANTS][512];

static const scaling_backend_t *backend_of(size_t who) {
  return who == WHO_OPENMP ? &scaling_backend_openmp : &scaling_backend_cl;
}

/* ---- in a participant's process: ROLE:WHO:QUICK:MIB:ROWS and the steps */

/** Takes `:NUMBER` from the front of `*text`; 0 when there is none, and then the rest is no text of steps either. */
static unsigned number_take(const char **text, int base) {
  char *end = NULL;
  if (**text != ':') return 0;
  const unsigned long number = strtoul(*text + 1, &end, base);
  *text = end;
  return (unsigned)number;
}

/** `:NUMBER` of each. */
static void steps_write(const scaling_steps_t *steps, char *text, size_t size) {
  const uint32_t *c = steps->chain;
  snprintf(text, size, ":%u:%u:%u:%u:%u:%u", c[0], c[1], c[2], c[3], steps->compute, steps->uneven);
}

/** None is 0. */
static bool steps_read(const char *text, scaling_steps_t *steps) {
  uint32_t *const out[] = {&steps->chain[0], &steps->chain[1], &steps->chain[2],
                           &steps->chain[3], &steps->compute,  &steps->uneven};
  for (size_t i = 0; i < sizeof(out) / sizeof(*out); i++) {
    *out[i] = number_take(&text, 10);
    if (*out[i] == 0) return false;
  }
  return true;
}

static void values_print(const scaling_backend_t *backend, const scaling_steps_t *steps, size_t bytes, bool quick,
                         scaling_rows_t rows) {
  double values[VALUES];
  scaling_measure(backend, steps, bytes, quick, rows, values);
  for (int i = 0; i < VALUES; i++) printf("%.6g\n", values[i]);
}

/** -1 when `text` is no role. */
static int role_run(const char *text) {
  const size_t length = strcspn(text, ":");
  char role[16] = "";
  scaling_steps_t steps = {.compute = 0};
  if (text[length] == '\0' || length >= sizeof(role)) return -1;
  memcpy(role, text, length);
  text += length;
  const unsigned who = number_take(&text, 10), quick = number_take(&text, 10), mib = number_take(&text, 10),
                 rows = number_take(&text, 16);
  if (*text++ != ':') return -1;
  const scaling_backend_t *backend = backend_of(who);
  if (!backend->open((size_t)mib << 20)) return 2;
  if (strcmp(role, "calibrate") == 0) {
    char steps_text[SCALING_STEPS_SIZE];
    steps = scaling_calibrate(backend);
    steps_write(&steps, steps_text, sizeof(steps_text));
    fputs(steps_text, stdout);
  } else if (!steps_read(text, &steps)) {
    return 2;
  } else if (strcmp(role, "rate") == 0) {
    printf("%.6g\n", scaling_chain_rate(backend, &steps, quick ? 0.05 : 1));
  } else if (strcmp(role, "compute") == 0) {
    printf("%.6g\n", scaling_compute_rate(backend, &steps, quick ? 0.05 : 1));
  } else {
    values_print(backend, &steps, (size_t)mib << 20, quick, rows);
  }
  fflush(stdout);
  /* What a driver does at the end of a process is nobody's wait, unless it tells there what it has done. */
  if (getenv("QUERN_DEBUG") == NULL) _exit(0);
  return 0;
}

/* ---- in the first process */

static cpu_set_t all_processors;

static void affinity_set(const cpu_set_t *set) {
  if (sched_setaffinity(0, sizeof(*set), set) != 0) perror("sched_setaffinity");
}

static void processors_use(unsigned count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu = 0; cpu < CPU_SETSIZE && count > 0; cpu++) {
    if (!CPU_ISSET(cpu, &all_processors)) continue;
    CPU_SET(cpu, &set);
    count--;
  }
  affinity_set(&set);
}

static void processor_use(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  affinity_set(&set);
}

static void environment_prepare(size_t who, unsigned threads) {
  char number[16];
  snprintf(number, sizeof(number), "%u", threads);
  setenv("QUERN_NUM_THREADS", number, 1);
  setenv("OMP_NUM_THREADS", number, 1);
  setenv("POCL_MAX_PTHREAD_COUNT", number, 1);
  setenv("POCL_MAX_COMPUTE_UNITS", number, 1);
  if (vendors[who][0] != '\0') setenv("OCL_ICD_VENDORS", vendors[who], 1);
  processors_use(threads);
}

static bool child_run(const char *role, size_t who, const options_t *options, size_t mib, char *output, size_t size) {
  char text[160];
  snprintf(text, sizeof(text), "%s:%zu:%d:%zu:%x:%s", role, who, options->quick, mib, options->rows,
           results.participants[who].steps);
  return test_run_self(text, output, size) == 0;
}

/** Fewer steps than another time were found while the processor was slow. */
static void calibration_keep(scaling_steps_t *most, const scaling_steps_t *found) {
  for (int i = 0; i < 4; i++)
    if (found->chain[i] > most->chain[i]) most->chain[i] = found->chain[i];
  if (found->compute > most->compute) most->compute = found->compute;
  if (found->uneven > most->uneven) most->uneven = found->uneven;
}

static bool participant_calibrate(size_t who, const options_t *options, scaling_steps_t *most) {
  char output[SCALING_STEPS_SIZE] = "";
  scaling_steps_t found;
  environment_prepare(who, 1);
  if (!child_run("calibrate", who, options, 1, output, sizeof(output)) || !steps_read(output, &found)) return false;
  calibration_keep(most, &found);
  return true;
}

static bool sample(size_t who, size_t column, size_t round, const options_t *options) {
  char output[VALUES * 32], *at = output;
  const unsigned threads = results.threads[column];
  environment_prepare(who, threads);
  if (!child_run("measure", who, options, options->largest_mib, output, sizeof(output))) return false;
  for (int i = 0; i < VALUES; i++) results.values[who][column][i][round] = strtod(at, &at);
  return true;
}

/** A process that says how many kernels it does in a second. */
typedef struct rate_t {
  const char *role;
  size_t who;
  const options_t *options;
  /** Of the process, when it is to have no others. */
  int processor;
  double kernels;
  pthread_t thread;
  bool has_thread;
} rate_t;

static void *rate_main(void *argument) {
  rate_t *rate = argument;
  char output[64];
  rate->kernels = NAN;
  if (rate->processor >= 0) processor_use(rate->processor);
  if (child_run(rate->role, rate->who, rate->options, 1, output, sizeof(output))) rate->kernels = strtod(output, NULL);
  return NULL;
}

/** All at once. */
static void rates_run(rate_t *rates, size_t count) {
  for (size_t i = 0; i < count; i++)
    rates[i].has_thread = pthread_create(&rates[i].thread, NULL, rate_main, &rates[i]) == 0;
  for (size_t i = 0; i < count; i++) {
    if (rates[i].has_thread)
      pthread_join(rates[i].thread, NULL);
    else
      rates[i].kernels = NAN;
  }
}

/** Two processes at once, each with all threads: the slower one's speed by its speed alone. */
static double pair_measure(size_t who, const options_t *options) {
  rate_t rates[3];
  for (int i = 0; i < 3; i++) rates[i] = (rate_t){.role = "rate", .who = who, .options = options, .processor = -1};
  environment_prepare(who, results.threads[results.columns - 1]);
  rates_run(&rates[0], 1);
  rates_run(&rates[1], 2);
  return fmin(rates[1].kernels, rates[2].kernels) / rates[0].kernels;
}

/** What the processors give: as many processes of one thread at once, each on a processor of its own. One process with
 * as many threads by that. */
static double singles_measure(size_t who, const options_t *options) {
  static rate_t singles[CPU_SETSIZE];
  rate_t all = {.role = "compute", .who = who, .options = options, .processor = -1};
  size_t count = 0;
  double sum = 0;
  environment_prepare(who, results.threads[results.columns - 1]);
  rates_run(&all, 1);
  for (int cpu = 0; cpu < CPU_SETSIZE && count < results.threads[results.columns - 1]; cpu++)
    if (CPU_ISSET(cpu, &all_processors))
      singles[count++] = (rate_t){.role = "compute", .who = who, .options = options, .processor = cpu};
  environment_prepare(who, 1);
  rates_run(singles, count);
  for (size_t i = 0; i < count; i++) sum += singles[i].kernels;
  return all.kernels / sum;
}

static bool columns_run(size_t round, const options_t *options) {
  bool worked = true;
  for (size_t column = 0; column < results.columns; column++) {
    for (size_t turn = 0; turn < results.count; turn++) {
      const size_t who = (turn + round) % results.count;
      if (!results.participants[who].takes_part || sample(who, column, round, options)) continue;
      fprintf(stderr, "%s failed with %u threads\n", results.participants[who].label, results.threads[column]);
      worked = false;
    }
  }
  return worked;
}

static bool round_run(size_t round, const options_t *options) {
  const scaling_rows_t ratios = SCALING_ROW_PAIR | SCALING_ROW_SINGLES;
  const bool worked = (options->rows & ~ratios) == 0 || columns_run(round, options);
  for (size_t who = 0; who < results.count; who++) {
    if (!results.participants[who].takes_part) continue;
    if (options->rows & SCALING_ROW_PAIR) results.pairs[who][round] = pair_measure(who, options);
    if (options->rows & SCALING_ROW_SINGLES) results.singles[who][round] = singles_measure(who, options);
  }
  return worked;
}

/* ---- options */

static bool driver_add(const char *text) {
  const char *directory = strchr(text, '=');
  if (directory == NULL || results.count == SCALING_MAX_PARTICIPANTS) return false;
  const size_t who = results.count++;
  snprintf(results.participants[who].label, sizeof(results.participants[who].label), "%.*s", (int)(directory - text),
           text);
  snprintf(vendors[who], sizeof(vendors[who]), "%s", directory + 1);
  return true;
}

static bool threads_parse(const char *text) {
  char *end = NULL;
  for (results.columns = 0; results.columns < SCALING_MAX_COLUMNS; text = end + 1) {
    const unsigned long threads = strtoul(text, &end, 10);
    if (end == text || threads == 0) return false;
    results.threads[results.columns++] = (unsigned)threads;
    if (*end == '\0') return true;
  }
  return false;
}

static bool rows_parse(const char *text, scaling_rows_t *rows) {
  for (*rows = 0;; text++) {
    const size_t length = strcspn(text, ",");
    const scaling_rows_t found = scaling_rows_find(text, length);
    if (found == 0) return false;
    *rows |= found;
    text += length;
    if (*text == '\0') return true;
  }
}

static void threads_default(unsigned most) {
  unsigned threads = 1;
  for (; threads < most && results.columns + 1 < SCALING_MAX_COLUMNS; threads *= 2)
    results.threads[results.columns++] = threads;
  results.threads[results.columns++] = most;
}

static bool option_parse(options_t *options, const char *name, const char *value) {
  if (strcmp(name, "--driver") == 0) return driver_add(value);
  if (strcmp(name, "--only") == 0) return rows_parse(value, &options->rows);
  if (strcmp(name, "--threads") == 0) return threads_parse(value);
  if (strcmp(name, "--chart") == 0) return (options->chart = value) != NULL;
  size_t *number = strcmp(name, "--rounds") == 0    ? &options->rounds
                   : strcmp(name, "--largest") == 0 ? &options->largest_mib
                   : strcmp(name, "--seconds") == 0 ? &options->seconds
                                                    : NULL;
  if (number == NULL) return false;
  *number = strtoul(value, NULL, 10);
  return *number > 0 && options->rounds <= SCALING_MAX_ROUNDS && options->largest_mib <= 65536;
}

static bool options_parse(options_t *options, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--quick") == 0) {
      options->quick = true;
      options->rounds = options->largest_mib = 1;
    } else if (strcmp(argv[i], "--spread") == 0) {
      options->spread = true;
    } else if (i + 1 == argc || !option_parse(options, argv[i], argv[i + 1])) {
      fprintf(stderr, "bench-scaling: '%s' cannot be done\n", argv[i]);
      return false;
    } else {
      i++;
    }
  }
  return true;
}

/** A quarter of the memory, at most a GiB: there are four blocks. */
static size_t largest_default(void) {
  const size_t mib = (size_t)sysconf(_SC_PHYS_PAGES) / 256 * (size_t)sysconf(_SC_PAGESIZE) / 4096 / 16;
  return mib < 1024 ? mib : 1024;
}

/** In turns, so that all find the processor at its best once. */
static void participants_calibrate(const options_t *options) {
  scaling_steps_t most[SCALING_MAX_PARTICIPANTS] = {0};
  for (int turn = 0; turn < (options->quick ? 1 : CALIBRATIONS); turn++)
    for (size_t who = 0; who < results.count; who++) {
      scaling_participant_t *participant = &results.participants[who];
      if (!participant->takes_part) continue;
      participant->takes_part = participant_calibrate(who, options, &most[who]);
      if (!participant->takes_part) fprintf(stderr, "%s failed\n", participant->label);
    }
  for (size_t who = 0; who < results.count; who++)
    steps_write(&most[who], results.participants[who].steps, sizeof(results.participants[who].steps));
}

static void participants_prepare(const options_t *options) {
  const char *own = getenv("OCL_ICD_VENDORS");
  if (own != NULL) snprintf(vendors[WHO_QUERN], sizeof(vendors[0]), "%s", own);
  for (size_t who = 0; who < results.count; who++) results.participants[who].takes_part = backend_of(who)->open != NULL;
  participants_calibrate(options);
}

int main(int argc, char **argv) {
  const int status = argc == 2 ? role_run(argv[1]) : -1;
  if (status >= 0) return status;
  options_t options = {.rounds = 5, .rows = SCALING_ROWS_ALL, .seconds = 86400, .largest_mib = largest_default()};
  CPU_ZERO(&all_processors);
  if (sched_getaffinity(0, sizeof(all_processors), &all_processors) != 0) perror("sched_getaffinity");
  scaling_results_init(&results);
  if (!options_parse(&options, argc, argv)) {
    fputs(help, stderr);
    return 2;
  }
  if (results.columns == 0) threads_default((unsigned)CPU_COUNT(&all_processors));
  /* The threads of OpenMP wait for more work while another participant has its turn, unless told to stop early. */
  setenv("OMP_WAIT_POLICY", "active", 0);
  participants_prepare(&options);
  const double begin = test_seconds();
  bool worked = results.participants[WHO_QUERN].takes_part;
  while (worked && results.rounds < options.rounds &&
         (results.rounds == 0 || test_seconds() - begin < (double)options.seconds))
    worked = round_run(results.rounds++, &options);
  scaling_table_print(&results, options.spread);
  if (options.chart != NULL && !scaling_chart_write(&results, options.chart)) {
    perror(options.chart);
    worked = false;
  }
  return worked ? 0 : 2;
}
