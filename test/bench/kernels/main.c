/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Measures kernels beside the same work in C and beside other drivers: bench-kernels --help.
 *
 * The driver measured is the one that OCL_ICD_VENDORS names. The exit status is 0 when every bar holds, 1 when one is
 * missed (not with --report or --only), 2 when a result is wrong or something could not be measured. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data.h"
#include "participant.h"
#include "results.h"

enum { DEFAULT_ROUNDS = 7, MEASURED_BUILDS = 9, PAUSE_MILLISECONDS = 3 };

static const char help[] =
    "usage: bench-kernels [options]\n"
    "  --check           run each kernel once with small data, and compare with the reference\n"
    "  --only A,B        these kernels only, showing each round\n"
    "  --rounds N        how often everything is measured (7, at most 25)\n"
    "  --without A,B     leave out participants: quern-scalar, c-scalar, pocl\n"
    "  --driver NAME=DIR another driver as a participant: DIR has its .icd file\n"
    "  --variant VAR=VAL Quern with another option as a participant: QUERN_VECTORIZE=8\n"
    "  --chart FILE      write the speeds relative to C as a drawing (SVG)\n"
    "  --lowest          lowest times instead of medians, on a machine that is busy\n"
    "  --report          a missed bar is no error\n"
    "  --list            print the names and classes of the kernels\n";

#define CASE(name) extern const bench_case_t bench_case_##name;
#include "cases.def"
#undef CASE

static const bench_case_t *const cases[] = {
#define CASE(name) &bench_case_##name,
#include "cases.def"
#undef CASE
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };
_Static_assert((int)CASES <= (int)BENCH_MAX_CASES, "the results have room for every case");

typedef struct options_t {
  bool check, report, list, lowest;
  const char *only, *without, *chart;
  size_t rounds;
} options_t;

static const char quern[] = "Quern ";
static bench_participant_t participants[BENCH_MAX_PARTICIPANTS] = {
    [WHO_QUERN] = {.label = "quern", .backend = &bench_backend_cl, .platform = quern},
    [WHO_QUERN_SCALAR] = {.label = "quern-scalar",
                          .backend = &bench_backend_cl,
                          .platform = quern,
                          .setting = "QUERN_VECTORIZE=0"},
    [WHO_C] = {.label = "c", .backend = &bench_backend_openmp},
    [WHO_C_SCALAR] = {.label = "c-scalar", .backend = &bench_backend_scalar},
    [WHO_POCL] = {.label = "pocl", .backend = &bench_backend_cl, .vendors = POCL_VENDOR_FILE, .platform = "Portable"},
};
static size_t participant_count = WHO_OTHERS;

/* ---- options */

/** Whether a list of words with commas between them has this word. */
static bool list_has(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; at != NULL; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
  }
  return false;
}

/** NAME=DIRECTORY */
static bool driver_add(const char *text) {
  const char *directory = strchr(text, '=');
  if (directory == NULL || participant_count == BENCH_MAX_PARTICIPANTS) return false;
  bench_participant_t *added = &participants[participant_count++];
  snprintf(added->label, sizeof(added->label), "%.*s", (int)(directory - text), text);
  snprintf(added->vendors, sizeof(added->vendors), "%s", directory + 1);
  added->backend = &bench_backend_cl;
  return true;
}

/** VARIABLE=VALUE */
static bool variant_add(const char *text) {
  if (strchr(text, '=') == NULL || participant_count == BENCH_MAX_PARTICIPANTS) return false;
  bench_participant_t *added = &participants[participant_count++];
  *added = participants[WHO_QUERN];
  snprintf(added->label, sizeof(added->label), "%s", text);
  added->setting = text;
  return true;
}

static bool rounds_parse(options_t *options, const char *text) {
  char *end;
  options->rounds = strtoul(text, &end, 10);
  return *end == '\0' && options->rounds >= 1 && options->rounds <= BENCH_MAX_ROUNDS;
}

/** An option with a value. */
static bool option_parse(options_t *options, const char *name, const char *value) {
  if (strcmp(name, "--driver") == 0) return driver_add(value);
  if (strcmp(name, "--variant") == 0) return variant_add(value);
  if (strcmp(name, "--rounds") == 0) return rounds_parse(options, value);
  const char **text = strcmp(name, "--only") == 0      ? &options->only
                      : strcmp(name, "--without") == 0 ? &options->without
                      : strcmp(name, "--chart") == 0   ? &options->chart
                                                       : NULL;
  if (text == NULL) return false;
  *text = value;
  return true;
}

static bool options_parse(options_t *options, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    bool *flag = strcmp(argv[i], "--check") == 0    ? &options->check
                 : strcmp(argv[i], "--report") == 0 ? &options->report
                 : strcmp(argv[i], "--lowest") == 0 ? &options->lowest
                 : strcmp(argv[i], "--list") == 0   ? &options->list
                                                    : NULL;
    if (flag != NULL) {
      *flag = true;
    } else if (i + 1 == argc || !option_parse(options, argv[i], argv[i + 1])) {
      fprintf(stderr, "bench-kernels: '%s' cannot be done\n", argv[i]);
      return false;
    } else {
      i++;
    }
  }
  return true;
}

/* ---- one case */

typedef struct children_t {
  bool are[BENCH_MAX_PARTICIPANTS];
  bench_child_t list[BENCH_MAX_PARTICIPANTS];
} children_t;

/** Returns whether every participant that has to work does: the others are only left out. */
static bool children_start(children_t *children, bench_results_t *results, bench_result_t *result,
                           const bench_data_t *data, const options_t *options) {
  bool worked = true;
  for (size_t who = 0; who < participant_count; who++) {
    bench_opened_t opened = {.name = ""};
    if (participants[who].backend == NULL || list_has(options->without, participants[who].label)) continue;
    result->status[who] =
        bench_child_start(&children->list[who], &participants[who], result->bench_case, data, &opened);
    children->are[who] = result->status[who] == BENCH_OK;
    if (children->are[who]) result->compile_seconds[who] = opened.compile_seconds;
    if (results->names[who][0] == '\0') memcpy(results->names[who], opened.name, sizeof(opened.name));
    if (result->status[who] != BENCH_FAILED) continue;
    fprintf(stderr, "%s: %s failed\n", result->bench_case->name, participants[who].label);
    worked = worked && who >= WHO_POCL;
  }
  return worked;
}

static bool children_end(const children_t *children, const bench_result_t *result) {
  bool worked = true;
  for (size_t who = 0; who < participant_count; who++) {
    if (!children->are[who] || bench_child_end(&children->list[who])) continue;
    fprintf(stderr, "%s: %s failed later\n", result->bench_case->name, participants[who].label);
    worked = worked && who >= WHO_POCL;
  }
  return worked;
}

/** Lets the threads of whoever had the last turn go to sleep. */
static void pause_shortly(void) {
  const struct timespec time = {.tv_nsec = PAUSE_MILLISECONDS * 1000000L};
  nanosleep(&time, NULL);
}

/** Everybody once, who goes first changing with the rounds. */
static void round_run(const children_t *children, bench_result_t *result, size_t round) {
  for (size_t turn = 0; turn < participant_count; turn++) {
    const size_t who = (turn + round) % participant_count;
    if (!children->are[who]) continue;
    pause_shortly();
    result->seconds[who][round] = bench_child_measure(&children->list[who]);
  }
}

static void round_print(const bench_result_t *result, size_t round) {
  printf("%s, round %zu:", result->bench_case->name, round + 1);
  for (size_t who = 0; who < participant_count; who++) {
    const double seconds = result->seconds[who][round];
    if (isnan(seconds)) continue;
    printf("  %s %.3f ms", participants[who].label, seconds * 1e3);
    if (who != WHO_C) printf(" (%.2f of C's speed)", result->seconds[WHO_C][round] / seconds);
  }
  printf("\n");
}

/** Returns whether everything worked, with right results. */
static bool case_run(bench_results_t *results, const bench_case_t *bench_case, const options_t *options) {
  static bench_data_t data;
  children_t children = {.are = {false}};
  bench_result_t *result = &results->cases[results->case_count++];
  result->bench_case = bench_case;
  for (size_t who = 0; who < BENCH_MAX_PARTICIPANTS; who++) {
    result->compile_seconds[who] = NAN;
    for (size_t round = 0; round < BENCH_MAX_ROUNDS; round++) result->seconds[who][round] = NAN;
  }
  bench_data_create(&data, bench_case, options->check);
  bool worked = children_start(&children, results, result, &data, options);
  for (size_t round = 0; round < results->rounds; round++) {
    round_run(&children, result, round);
    if (options->only != NULL) round_print(result, round);
  }
  worked = children_end(&children, result) && worked;
  bench_data_release(&data);
  return worked;
}

/* ---- all */

static void participants_prepare(bench_results_t *results, const options_t *options) {
  const char *vendors = getenv("OCL_ICD_VENDORS");
  for (size_t who = 0; who < participant_count; who++) {
    if (participants[who].platform != quern) continue;
    if (vendors != NULL) snprintf(participants[who].vendors, sizeof(participants[who].vendors), "%s", vendors);
    participants[who].builds = options->check ? 0 : MEASURED_BUILDS;
  }
  if (options->check || access(POCL_VENDOR_FILE, R_OK) != 0) participants[WHO_POCL].backend = NULL;
  results->participant_count = participant_count;
  results->by_lowest = options->lowest;
  results->rounds = options->check ? 0 : options->rounds;
  for (size_t who = 0; who < participant_count; who++) results->labels[who] = participants[who].label;
}

static void cases_list(void) {
  for (size_t i = 0; i < CASES; i++) printf("%-16s %s\n", cases[i]->name, bench_classes[cases[i]->class].name);
}

/** For --check: what became of the case. */
static void verdict_print(const bench_result_t *result, bool worked) {
  const bool skipped = result->status[WHO_QUERN] == BENCH_SKIPPED;
  printf("%s: %s\n", result->bench_case->name, !worked ? "failed" : skipped ? "skipped: no images" : "ok");
}

/** Returns whether everything worked. */
static bool cases_run(bench_results_t *results, const options_t *options) {
  bool all_worked = true;
  for (size_t i = 0; i < CASES; i++) {
    if (options->only != NULL && !list_has(options->only, cases[i]->name)) continue;
    if (!options->check && options->only == NULL) fprintf(stderr, "%s\n", cases[i]->name);
    const bool worked = case_run(results, cases[i], options);
    if (options->check) verdict_print(&results->cases[results->case_count - 1], worked);
    all_worked = all_worked && worked;
  }
  return all_worked;
}

int main(int argc, char **argv) {
  static bench_results_t results;
  options_t options = {.rounds = DEFAULT_ROUNDS};
  if (!options_parse(&options, argc, argv)) {
    fputs(help, stderr);
    return 2;
  }
  if (options.list) {
    cases_list();
    return 0;
  }
  signal(SIGPIPE, SIG_IGN); /* a participant that is gone is told by the result of writing to it */
  participants_prepare(&results, &options);
  bool worked = cases_run(&results, &options);
  if (results.case_count == 0) {
    fprintf(stderr, "no kernel of that name; --list has them\n");
    return 2;
  }
  if (options.check) return worked ? 0 : 2;
  const size_t missed = bench_table_print(&results);
  if (options.chart != NULL && !bench_chart_write(&results, options.chart)) {
    perror(options.chart);
    worked = false;
  }
  if (!worked) return 2;
  return missed > 0 && !options.report && options.only == NULL ? 1 : 0;
}
