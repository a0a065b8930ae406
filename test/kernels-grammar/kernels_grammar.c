/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random programs from the specification's grammar: each is evaluated as a syntax tree, and run on the device in one or
 * more modes, each run in a process of its own so that nothing can take the others with it.
 *
 *   kernels-grammar [--modes LIST] [--jobs N] [--timeout S] [COUNT [FIRST]]   COUNT seeds from FIRST on
 *   kernels-grammar --print SEED                                              the source
 *   kernels-grammar --reduce SEED [--modes MODE]                              the smallest program that still fails
 *
 * LIST is "all", "each" (one mode for each seed, in turn, and the default) or names with commas between them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "evaluate.h"
#include "generate.h"
#include "print.h"
#include "reduce.h"

enum { MAX_JOBS = 256, CHUNK = 20 };

/* ---------------------------------------------------------------- modes */

typedef struct run_mode_t {
  const char *name, *variable, *value, *options;
  bool is_required; /* the local size is known when the program is compiled */
} run_mode_t;

static const run_mode_t modes[] = {
    {.name = "default", .options = ""},
    {.name = "scalar", .variable = "QUERN_VECTORIZE", .value = "0", .options = ""},
    {.name = "4", .variable = "QUERN_VECTORIZE", .value = "4", .options = ""},
    {.name = "8", .variable = "QUERN_VECTORIZE", .value = "8", .options = ""},
    {.name = "16", .variable = "QUERN_VECTORIZE", .value = "16", .options = ""},
    {.name = "64", .variable = "QUERN_VECTORIZE", .value = "64", .options = ""},
    {.name = "unoptimized", .options = "-cl-opt-disable"},
    {.name = "in-process", .variable = "QUERN_COMPILER", .value = "in-process", .options = ""},
    {.name = "specialized", .variable = "QUERN_SPECIALIZE", .value = "2", .options = ""},
    {.name = "required", .options = "", .is_required = true},
#ifdef __x86_64__
    {.name = "x86-64-v2", .variable = "QUERN_CPU", .value = "x86-64-v2", .options = ""},
    {.name = "x86-64-v3", .variable = "QUERN_CPU", .value = "x86-64-v3", .options = ""},
#endif
    /* By name alone: for many programs Clang 22 writes SPIR-V that is wrong (OpUConvert for convert_uint of a char, and
     * of int vectors) or invalid (OpBitwiseAnd of operands of two sizes). */
    {.name = "il-O0", .variable = "OPENCL_TEST_IL", .value = "-O0", .options = ""},
    {.name = "il-O2", .variable = "OPENCL_TEST_IL", .value = "-O2", .options = ""},
};
enum { MODE_COUNT = sizeof(modes) / sizeof(*modes), DRIVER_MODES = MODE_COUNT - 2 };

static bool is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = strstr(list, name); at; at = strstr(at + 1, name)) {
    bool begins = at == list || at[-1] == ',', ends = at[length] == '\0' || at[length] == ',';
    if (begins && ends) return true;
  }
  return false;
}

/* Whether the list has the mode for the seed: "each" has one besides the default. */
static bool runs(const char *list, unsigned mode, uint64_t seed) {
  if (strcmp(list, "all") == 0) return mode < DRIVER_MODES;
  if (strcmp(list, "each") == 0) return mode == 0 || mode == 1 + seed % (DRIVER_MODES - 1);
  return is_listed(list, modes[mode].name);
}

/* ---------------------------------------------------------------- one program in this process */

/* What a process tells, also when it dies. */
typedef struct report_t {
  volatile int stage;
  volatile uint64_t seed, ran, failed, skipped;
} report_t;

static void know_local_size(program_t *program) {
  bool is_even = !program->is_local_free;
  for (unsigned i = 0; i < 3; i++) is_even &= program->global[i] % program->local[i] == 0;
  if (is_even) program->is_local_required = true;
}

static bool check(program_t *program, const run_mode_t *mode, report_t *report) {
  if (mode->is_required) know_local_size(program);
  char *source = print_program(program);
  bool agrees = device_agrees(program, source, mode->options, &report->stage);
  free(source);
  if (!agrees) printf("seed %llu, mode %s: differs\n", (unsigned long long)program->seed, mode->name);
  return agrees;
}

/* C++ through SPIR-V is not among what Clang's target translates whole. */
static bool is_for(const program_t *program, const run_mode_t *mode) {
  return !program->is_cxx || strncmp(mode->name, "il-", 3) != 0;
}

static void run_seed(uint64_t seed, const run_mode_t *mode, report_t *report) {
  program_t program;
  report->seed = seed;
  report->stage = STAGE_GENERATE;
  generate(&program, seed);
  if (!is_for(&program, mode) || !evaluate(&program)) {
    report->skipped++;
  } else {
    report->ran++;
    if (!check(&program, mode, report)) report->failed++;
  }
  program_free(&program);
  fflush(stdout);
}

static void open_device(const run_mode_t *mode) {
  if (mode->variable) setenv(mode->variable, mode->value, 1);
  setenv("QUERN_CACHE", "0", 1);
  if (test_device_open(NULL) != 0) exit(2);
}

/* ---------------------------------------------------------------- processes */

typedef struct job_t {
  pid_t process;
  unsigned mode;
  uint64_t next, end; /* seeds */
  uint64_t seen_seed; /* and since when */
  time_t since;
  report_t *report;
} job_t;

typedef struct run_t {
  const char *list;
  unsigned job_count;
  long timeout;
  uint64_t first_seed, next_seed, end_seed;
  unsigned next_mode;
  job_t jobs[MAX_JOBS];
  report_t *reports;
  uint64_t ran, failed, skipped, died;
} run_t;

static void work(const run_t *run, const job_t *job) {
  open_device(&modes[job->mode]);
  for (uint64_t seed = job->next; seed < job->end; seed++) {
    if (runs(run->list, job->mode, seed)) run_seed(seed, &modes[job->mode], job->report);
  }
  test_device_close(NULL);
}

static void start(const run_t *run, job_t *job) {
  *job->report = (report_t){.seed = job->next};
  job->seen_seed = job->next;
  job->since = time(NULL);
  fflush(stdout);
  job->process = fork();
  if (job->process < 0) exit(2);
  if (job->process > 0) return;
  work(run, job);
  exit(0);
}

static void tell_progress(const run_t *run) {
  if ((run->next_seed - run->first_seed) % 500 != 0) return;
  printf("before seed %llu: %llu runs\n", (unsigned long long)run->next_seed, (unsigned long long)run->ran);
  fflush(stdout);
}

/* The next seeds of a mode; false: all is done. */
static bool take(run_t *run, job_t *job) {
  if (run->next_seed >= run->end_seed) return false;
  job->mode = run->next_mode;
  job->next = run->next_seed;
  job->end = job->next + CHUNK < run->end_seed ? job->next + CHUNK : run->end_seed;
  if (++run->next_mode == MODE_COUNT) {
    run->next_mode = 0;
    run->next_seed = job->end;
    tell_progress(run);
  }
  return true;
}

static bool has_work(const run_t *run, const job_t *job) {
  for (uint64_t seed = job->next; seed < job->end; seed++) {
    if (runs(run->list, job->mode, seed)) return true;
  }
  return false;
}

static void describe_death(const job_t *job, int status) {
  static const char *const stages[] = {"generating", "building", "running", "between"};
  printf("seed %llu, mode %s: ", (unsigned long long)job->report->seed, modes[job->mode].name);
  if (WIFSIGNALED(status)) {
    printf("signal %d", WTERMSIG(status));
  } else {
    printf("exit %d", WEXITSTATUS(status));
  }
  printf(" while %s\n", stages[job->report->stage]);
  fflush(stdout);
}

/* The seeds behind one that took its process with it go on in another. */
static void finish(run_t *run, job_t *job, int status) {
  run->ran += job->report->ran;
  run->failed += job->report->failed;
  run->skipped += job->report->skipped;
  job->process = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  describe_death(job, status);
  run->died++;
  job->next = job->report->seed + 1;
  if (has_work(run, job)) start(run, job);
}

static void look_after(run_t *run, job_t *job) {
  if (!job->process) return;
  int status;
  if (waitpid(job->process, &status, WNOHANG) == job->process) {
    finish(run, job, status);
  } else if (job->report->seed != job->seen_seed) {
    job->seen_seed = job->report->seed;
    job->since = time(NULL);
  } else if (time(NULL) - job->since > run->timeout) {
    printf("seed %llu, mode %s: takes over %ld s\n", (unsigned long long)job->seen_seed, modes[job->mode].name,
           run->timeout);
    kill(job->process, SIGKILL);
    job->since = time(NULL);
  }
}

static bool run_jobs(run_t *run) {
  bool is_busy = true;
  while (is_busy) {
    is_busy = false;
    for (unsigned i = 0; i < run->job_count; i++) {
      job_t *job = &run->jobs[i];
      look_after(run, job);
      while (!job->process && take(run, job)) {
        if (has_work(run, job)) start(run, job);
      }
      is_busy |= job->process != 0;
    }
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  printf("%llu runs, %llu differ, %llu ended their process, %llu left out\n", (unsigned long long)run->ran,
         (unsigned long long)run->failed, (unsigned long long)run->died, (unsigned long long)run->skipped);
  return run->failed + run->died == 0;
}

static bool run_seeds(const char *list, unsigned jobs, long timeout, uint64_t count, uint64_t first) {
  static run_t run;
  run = (run_t){.list = list,
                .job_count = jobs,
                .timeout = timeout,
                .first_seed = first,
                .next_seed = first,
                .end_seed = first + count};
  run.reports = mmap(NULL, jobs * sizeof(report_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (run.reports == MAP_FAILED) return false;
  for (unsigned i = 0; i < jobs; i++) run.jobs[i].report = &run.reports[i];
  return run_jobs(&run);
}

/* ---------------------------------------------------------------- reducing, printing */

static void forget_repaired(expression_t *expression) {
  expression->repaired = false;
  for (unsigned i = 0; i < expression->operand_count; i++) forget_repaired(expression->operands[i]);
}

static void forget_repairs(statement_t *statement, void *data) {
  (void)data;
  statement->repaired = false;
  if (statement->target) forget_repaired(statement->target);
  if (statement->value) forget_repaired(statement->value);
  if (statement->index) forget_repaired(statement->index);
  for (unsigned i = 0; i < statement->value_count; i++) forget_repaired(statement->values[i]);
  for (unsigned i = 0; statement->function && i < statement->function->parameter_count; i++) {
    forget_repaired(statement->arguments[i]);
  }
}

/* What is reduced, and how it failed: a difference shall not become a crash on the way, nor the reverse. */
typedef struct failure_t {
  const run_mode_t *mode;
  int status;
} failure_t;

/* How a process ended that ran the program (one of its own, for what a mode sets, and for crashes); 0: they agree. */
static int status_of(program_t *program, const run_mode_t *mode) {
  report_t report = {0};
  program_visit(program, forget_repairs, NULL);
  if (!evaluate(program)) return 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) exit(0);
    alarm(60);
    open_device(mode);
    exit(check(program, mode, &report) ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) exit(2);
  return status;
}

static bool fails(program_t *program, void *data) {
  const failure_t *failure = data;
  return status_of(program, failure->mode) == failure->status;
}

static int reduce_seed(const char *list, uint64_t seed) {
  const run_mode_t *mode = &modes[0];
  for (unsigned i = 0; i < MODE_COUNT; i++) {
    if (is_listed(list, modes[i].name)) mode = &modes[i];
  }
  program_t program;
  generate(&program, seed);
  failure_t failure = {mode, status_of(&program, mode)};
  if (!failure.status) {
    printf("seed %llu does not fail in mode %s\n", (unsigned long long)seed, mode->name);
    return 1;
  }
  reduce(&program, fails, &failure);
  program_visit(&program, forget_repairs, NULL);
  evaluate(&program);
  char *source = print_program(&program);
  printf("/* global %zu %zu %zu, local %zu %zu %zu%s */\n%s", program.global[0], program.global[1], program.global[2],
         program.local[0], program.local[1], program.local[2], program.is_local_free ? " (not given)" : "", source);
  free(source);
  program_free(&program);
  return 0;
}

static int print_seed(uint64_t seed) {
  program_t program;
  generate(&program, seed);
  bool is_done = evaluate(&program);
  char *source = print_program(&program);
  printf("%s", source);
  if (!is_done) printf("/* runs for too long */\n");
  free(source);
  program_free(&program);
  return 0;
}

/* ---------------------------------------------------------------- the command line */

static int usage(void) {
  fprintf(stderr,
          "kernels-grammar [--modes LIST] [--jobs N] [--timeout S] [COUNT [FIRST]] | --print SEED | --reduce SEED\n");
  return 2;
}

int main(int count, char **words) {
  const char *list = "each", *reduced = NULL, *printed = NULL;
  unsigned long jobs = 1, timeout = 600;
  int at = 1;
  for (; at + 1 < count && strncmp(words[at], "--", 2) == 0; at += 2) {
    if (strcmp(words[at], "--modes") == 0)
      list = words[at + 1];
    else if (strcmp(words[at], "--jobs") == 0)
      jobs = strtoul(words[at + 1], NULL, 0);
    else if (strcmp(words[at], "--timeout") == 0)
      timeout = strtoul(words[at + 1], NULL, 0);
    else if (strcmp(words[at], "--print") == 0)
      printed = words[at + 1];
    else if (strcmp(words[at], "--reduce") == 0)
      reduced = words[at + 1];
    else
      return usage();
  }
  if (jobs < 1 || jobs > MAX_JOBS) return usage();
  if (printed) return print_seed(strtoull(printed, NULL, 0));
  if (reduced) return reduce_seed(list, strtoull(reduced, NULL, 0));
  if (count - at > 2) return usage();
  uint64_t seeds = count > at ? strtoull(words[at], NULL, 0) : 1000;
  uint64_t first = count > at + 1 ? strtoull(words[at + 1], NULL, 0) : 1;
  return run_seeds(list, (unsigned)jobs, (long)timeout, seeds, first) ? 0 : 1;
}
