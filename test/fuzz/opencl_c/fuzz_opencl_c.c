/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mutants of real programs in OpenCL C, built over the driver that the ICD loader finds: no application may end or
 * hang, and what ends the compiler is told by cause.
 *
 *   fuzz-opencl-c [--workers N] [--seconds N] [--builds N] [--seed N] --out FOLDER FOLDER...   mutants of all .cl files
 *   fuzz-opencl-c --build FILE     builds one, prints the log
 *   fuzz-opencl-c --reduce FILE    prints a shorter one that fails for the same cause
 *
 * Options of a file NAME.cl are in NAME.cl.options. Exit status 1: an application ended or hung. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "reduce.h"
#include "workers.h"

static int fail(const char *what) {
  fprintf(stderr, "fuzz-opencl-c: %s\n", what);
  return 2;
}

/* What an application that waits for no more than some seconds would set. */
static void bound_builds(void) {
  setenv("QUERN_CACHE", "0", 0);
  setenv("QUERN_COMPILER_TIMEOUT", "20", 0);
  setenv("QUERN_COMPILER_MEMORY", "3072", 0);
  setenv("QUERN_COMPILER_OUTPUT", "64", 0);
}

static int build_file(const char *path, bool is_to_be_short) {
  builder_t builder;
  seed_t seed;
  text_t log = {0};
  if (!seed_read(&seed, path)) return fail(path);
  if (!builder_open(&builder)) return fail("no device");
  const char *options = text_string(&seed.options);
  if (is_to_be_short) {
    tokens_parse(&seed.tokens, text_string(&seed.text), seed.text.length);
    if (!reduce(&builder, &seed.tokens, options)) return fail("it does not fail");
    tokens_print(seed.tokens.all, seed.tokens.count, &log);
    fputs(text_string(&log), stdout);
  } else {
    const build_result_e result = builder_run(&builder, text_string(&seed.text), options, &log);
    printf("%s\n%s", build_result_name(result), text_string(&log));
  }
  text_free(&log);
  seed_free(&seed);
  builder_close(&builder);
  return EXIT_SUCCESS;
}

static bool take_number(const char *option, const char *value, fuzz_t *fuzz) {
  const uint64_t number = strtoull(value, NULL, 10);
  if (!strcmp(option, "--workers")) {
    fuzz->workers = (unsigned)number;
  } else if (!strcmp(option, "--seconds")) {
    fuzz->seconds = number;
  } else if (!strcmp(option, "--builds")) {
    fuzz->builds = number;
  } else if (!strcmp(option, "--seed")) {
    fuzz->seed = number;
  } else {
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  corpus_t corpus = {0};
  fuzz_t fuzz = {.corpus = &corpus, .seed = 1, .workers = 1};
  bound_builds();
  if (argc == 3 && !strcmp(argv[1], "--build")) return build_file(argv[2], false);
  if (argc == 3 && !strcmp(argv[1], "--reduce")) return build_file(argv[2], true);
  int i = 1;
  for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
    if (!strcmp(argv[i], "--out")) {
      fuzz.folder = argv[i + 1];
    } else if (!take_number(argv[i], argv[i + 1], &fuzz)) {
      return fail("no such option; see the head of test/fuzz/opencl_c/fuzz_opencl_c.c");
    }
  }
  for (; i < argc; i++) corpus_add(&corpus, argv[i]);
  if (!fuzz.folder || !fuzz.workers) return fail("--out wants a folder, --workers a number");
  if (!corpus.count) return fail("there are no .cl files");
  if (mkdir(fuzz.folder, 0755) && errno != EEXIST) return fail(fuzz.folder);
  const bool is_clean = fuzz_run(&fuzz);
  corpus_free(&corpus);
  return is_clean ? EXIT_SUCCESS : EXIT_FAILURE;
}
