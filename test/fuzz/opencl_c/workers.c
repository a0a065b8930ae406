/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The parent watches over applications, each of which builds programs for a while and makes room for the next one. */
#include "workers.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "build.h"
#include "finding.h"
#include "mutation.h"

enum {
  chains_per_process = 60,
  builds_per_chain = 12,
  changes_limit = 4,
  /** Tokens from which on a program is first reduced to one of its kernels. */
  long_program = 3000,
  source_limit = 512 << 10,
  options_limit = 4096,
  workers_limit = 256,
};
static const uint64_t second = UINT64_C(1000000000);

/** What a worker is at, for who finds it dead or hanging. */
typedef struct slot_t {
  pid_t process;
  /** 0 between builds. */
  _Atomic uint64_t begin;
  _Atomic uint64_t results[build_result_count];
  char source[source_limit], options[options_limit];
} slot_t;

typedef struct watch_t {
  const fuzz_t *fuzz;
  slot_t *slots;
  uint64_t end, hang_limit, next_seed, ended, hung;
} watch_t;

/* ------------------------------------------------------------ an application */

/* What is chosen when the driver is loaded. */
static void choose_environment(random_t *random) {
  static const char *const widths[] = {"1", "1", "1", "0", "4", "16"};
  static const char *const processors[] = {"", "", "", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  setenv("QUERN_VECTORIZE", widths[random_below(random, 6)], 1);
#ifdef __x86_64__
  setenv("QUERN_CPU", processors[random_below(random, 6)], 1);
#else
  (void)processors;
#endif
}

static build_result_e build_one(const fuzz_t *fuzz, const builder_t *builder, slot_t *slot, const tokens_t *tokens,
                                const char *options) {
  text_t source = {0}, log = {0}, cause = {0};
  build_result_e result = build_refused;
  tokens_print(tokens->all, tokens->count, &source);
  if (source.length < source_limit) {
    memcpy(slot->source, text_string(&source), source.length + 1);
    snprintf(slot->options, options_limit, "%s", options);
    atomic_store(&slot->begin, clock_now_ns());
    result = builder_run(builder, slot->source, options, &log);
    atomic_store(&slot->begin, 0);
    atomic_fetch_add(&slot->results[result], 1);
  }
  if (result >= build_crashed) {
    build_cause(result, text_string(&log), &cause);
    finding_add(fuzz->folder, text_string(&cause), slot->source, options, text_string(&log));
  }
  text_free(&source);
  text_free(&log);
  text_free(&cause);
  return result;
}

/* A program, changed again and again: from each that could be built, or from the one before. */
static void run_chain(const fuzz_t *fuzz, const builder_t *builder, slot_t *slot, random_t *random) {
  const seed_t *seed = &fuzz->corpus->seeds[random_below(random, fuzz->corpus->count)];
  tokens_t base = {0}, changed = {0};
  pool_t pool = {0};
  text_t options = {0};
  tokens_copy(&base, &seed->tokens);
  if (base.count > long_program) mutate_shorten(&base, random);
  text_appendf(&options, "%s %s", text_string(&seed->options), word_pick(&word_options, random));
  for (int i = 0; i < builds_per_chain; i++) {
    tokens_copy(&changed, &base);
    for (size_t changes = 1 + random_below(random, changes_limit); changes; changes--) {
      mutate(&changed, fuzz->corpus, &pool, random);
    }
    if (build_one(fuzz, builder, slot, &changed, text_string(&options)) == build_done) tokens_copy(&base, &changed);
  }
  tokens_free(&base);
  tokens_free(&changed);
  pool_free(&pool);
  text_free(&options);
}

static _Noreturn void work(const watch_t *watch, slot_t *slot, uint64_t seed) {
  random_t random = {seed};
  builder_t builder;
  choose_environment(&random);
  if (!builder_open(&builder)) _exit(2);
  for (int i = 0; i < chains_per_process && clock_now_ns() < watch->end; i++) {
    run_chain(watch->fuzz, &builder, slot, &random);
  }
  builder_close(&builder);
  exit(EXIT_SUCCESS);
}

/* ------------------------------------------------------------ the parent */

static void start(watch_t *watch, slot_t *slot) {
  const uint64_t seed = watch->fuzz->seed + watch->next_seed++;
  atomic_store(&slot->begin, 0);
  fflush(stdout);
  const pid_t process = fork();
  if (process == 0) work(watch, slot, seed);
  if (process < 0) perror("fork");
  /* The parent's alone to write: the child has the same slot. */
  slot->process = process;
}

static void note(watch_t *watch, const slot_t *slot, const char *cause) {
  finding_add(watch->fuzz->folder, cause, slot->source, slot->options, cause);
  printf("%s\n", cause);
}

/* Told by the worker's own begin of a build: what happens between two of them is as much a finding. */
static void take_end(watch_t *watch, const slot_t *slot, int status) {
  char cause[64];
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS) return;
  const char *when = atomic_load(&slot->begin) ? "in a build" : "between builds";
  if (WIFSIGNALED(status)) {
    snprintf(cause, sizeof cause, "application: signal %d %s", WTERMSIG(status), when);
  } else {
    snprintf(cause, sizeof cause, "application: exit status %d %s", WEXITSTATUS(status), when);
  }
  watch->ended++;
  note(watch, slot, cause);
}

static void look_after(watch_t *watch, slot_t *slot) {
  int status;
  const uint64_t now = clock_now_ns(), begin = atomic_load(&slot->begin);
  if (slot->process > 0 && begin && now > begin + watch->hang_limit) {
    watch->hung++;
    note(watch, slot, "hung: a build that did not end in time");
    kill(slot->process, SIGKILL);
    waitpid(slot->process, &status, 0);
    slot->process = 0;
  } else if (slot->process > 0 && waitpid(slot->process, &status, WNOHANG) == slot->process) {
    take_end(watch, slot, status);
    slot->process = 0;
  }
}

static uint64_t sum_of(const watch_t *watch, build_result_e result) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < watch->fuzz->workers; i++) sum += atomic_load(&watch->slots[i].results[result]);
  return sum;
}

static uint64_t builds_of(const watch_t *watch) {
  uint64_t sum = 0;
  for (build_result_e result = 0; result < build_result_count; result++) sum += sum_of(watch, result);
  return sum;
}

static bool is_over(const watch_t *watch) {
  return clock_now_ns() >= watch->end || (watch->fuzz->builds && builds_of(watch) >= watch->fuzz->builds) ||
         watch->ended + watch->hung > 1000;
}

static void run_workers(watch_t *watch) {
  while (!is_over(watch)) {
    for (unsigned i = 0; i < watch->fuzz->workers; i++) {
      look_after(watch, &watch->slots[i]);
      if (watch->slots[i].process <= 0) start(watch, &watch->slots[i]);
    }
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
}

static void end_workers(watch_t *watch) {
  for (unsigned i = 0; i < watch->fuzz->workers; i++) {
    look_after(watch, &watch->slots[i]);
    if (watch->slots[i].process <= 0) continue;
    kill(watch->slots[i].process, SIGKILL);
    waitpid(watch->slots[i].process, NULL, 0);
  }
}

static bool summarize(const watch_t *watch, uint64_t begin, FILE *out) {
  const fuzz_t *fuzz = watch->fuzz;
  fprintf(out, "%llu builds of %zu programs' mutants in %llu s with %u workers, seed %llu\n",
          (unsigned long long)builds_of(watch), fuzz->corpus->count,
          (unsigned long long)((clock_now_ns() - begin) / second), fuzz->workers, (unsigned long long)fuzz->seed);
  for (build_result_e result = 0; result < build_result_count; result++) {
    fprintf(out, "%-10s %llu\n", build_result_name(result), (unsigned long long)sum_of(watch, result));
  }
  fprintf(out, "applications that ended %llu, that hung %llu\ncauses:\n", (unsigned long long)watch->ended,
          (unsigned long long)watch->hung);
  fprintf(out, "%zu causes\n", findings_print(fuzz->folder, out));
  return !watch->ended && !watch->hung;
}

bool fuzz_run(const fuzz_t *fuzz) {
  const uint64_t begin = clock_now_ns();
  const char *timeout = getenv("QUERN_COMPILER_TIMEOUT");
  watch_t watch = {.fuzz = fuzz, .end = fuzz->seconds ? begin + fuzz->seconds * second : UINT64_MAX};
  /* A build has several steps, each of which may take that long. */
  watch.hang_limit = (60 + 8 * (uint64_t)atoi(timeout ? timeout : "600")) * second;
  const size_t size = fuzz->workers * sizeof(slot_t);
  watch.slots = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (watch.slots == MAP_FAILED || fuzz->workers > workers_limit) return false;
  run_workers(&watch);
  end_workers(&watch);
  text_t path = {0};
  text_appendf(&path, "%s/summary.txt", fuzz->folder);
  FILE *file = fopen(text_string(&path), "we");
  if (file) {
    summarize(&watch, begin, file);
    fclose(file);
  }
  const bool is_clean = summarize(&watch, begin, stdout);
  text_free(&path);
  munmap(watch.slots, size);
  return is_clean;
}
