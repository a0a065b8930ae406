/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Broken modules: words of good ones are changed at random, the same way in each run. Every one must give an error or a
 * program, in bounded time, and never end the process: mutations COUNT SEED FOLDER FILE.cases... FOLDER has what the
 * fuzz target found worth keeping. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "case_file.h"
#include "test_il.h"
#include "test_process.h"

enum {
  max_modules = 512,
  /** One of so many that compile is built to the end. */
  build_every = 25,
  /** Each compilation, on a machine that does other things too. */
  allowed_seconds = 10,
};

typedef struct module_t {
  const char *name;
  uint32_t *words;
  size_t count;
} module_t;

static module_t modules[max_modules];
static size_t module_count;
static uint64_t random_state;

static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

static uint32_t below(size_t limit) { return (uint32_t)(next_random() % limit); }

static uint32_t random_word(const module_t *module, uint32_t old) {
  switch (below(7)) {
    case 0: return old ^ (uint32_t)1 << below(32);
    case 1: return old + 1;
    case 2: return old - 1;
    case 3: return below(module->words[3] + 2u); /* an id */
    case 4: return module->words[below(module->count)];
    case 5: return (old & 0xffff0000u) | below(500); /* another instruction */
    default: return (uint32_t)next_random();
  }
}

/* A copy with a few words changed, sometimes with one left out or doubled, or cut. */
static uint32_t *mutate(const module_t *module, size_t *out_count) {
  uint32_t *words = malloc((module->count + 1) * sizeof(*words));
  assert_non_null(words);
  memcpy(words, module->words, module->count * sizeof(*words));
  *out_count = module->count;
  for (uint32_t changes = 1 + below(3); changes > 0; changes--) {
    uint32_t at = 5 + below(module->count - 5);
    words[at] = random_word(module, words[at]);
  }
  uint32_t at = 5 + below(module->count - 5), kind = below(20);
  if (kind == 0) *out_count = at;
  if (kind == 1) memmove(words + at, words + at + 1, (--*out_count - at) * sizeof(*words));
  if (kind == 2) memmove(words + at + 1, words + at, ((*out_count)++ - at) * sizeof(*words));
  return words;
}

static void compile_program(cl_program program, bool to_the_end) {
  double begin = test_seconds();
  cl_int error = clCompileProgram(program, 1, &dut.device, NULL, 0, NULL, NULL, NULL, NULL);
  assert_true(error == CL_SUCCESS || error == CL_COMPILE_PROGRAM_FAILURE);
  if (error == CL_COMPILE_PROGRAM_FAILURE) {
    char *log = test_build_log(program);
    assert_non_null(strstr(log, "error: "));
    free(log);
  } else if (to_the_end) {
    error = clBuildProgram(program, 1, &dut.device, NULL, NULL, NULL);
    assert_true(error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE);
  }
  assert_true(test_seconds() - begin <= allowed_seconds);
  ASSERT_CL(clReleaseProgram(program));
}

static void compile(const module_t *module, size_t number) {
  size_t count;
  uint32_t *words = mutate(module, &count);
  compile_program(test_create_with_il(words, count * sizeof(*words)), number % build_every == 0);
  free(words);
}

static void assemble(const case_file_t *file) {
  for (size_t i = 0; i < file->count && module_count < max_modules; i++) {
    size_t size = 0;
    module_t *module = &modules[module_count++];
    module->words = test_assemble_il(file->cases[i].text, &size);
    module->count = size / sizeof(*module->words);
    module->name = file->cases[i].name;
  }
}

static size_t mutation_count;
static case_file_t files[32];
static size_t file_count;

static void every_broken_module_is_refused_or_built(void **state) {
  (void)state;
  for (size_t i = 0; i < file_count; i++) assemble(&files[i]);
  for (size_t i = 0; i < mutation_count; i++) {
    const module_t *module = &modules[below(module_count)];
    uint64_t seed = random_state;
    if (getenv("OPENCL_TEST_VERBOSE")) print_message("%zu: %s, seed %llu\n", i, module->name, (unsigned long long)seed);
    compile(module, i);
  }
  for (size_t i = 0; i < module_count; i++) free(modules[i].words);
}

static const char *findings;

static void compile_file(const char *path) {
  unsigned char data[4096];
  cl_int error;
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(data, 1, sizeof(data), file);
  fclose(file);
  cl_program program = clCreateProgramWithIL(dut.context, data, size, &error);
  assert_true(program ? error == CL_SUCCESS : error == CL_INVALID_VALUE);
  if (program) compile_program(program, true);
}

static void every_finding_is_refused_or_built(void **state) {
  (void)state;
  char path[4096];
  size_t count = 0;
  DIR *folder = opendir(findings);
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof(path), "%s/%s", findings, entry->d_name);
    compile_file(path);
    count++;
  }
  closedir(folder);
  assert_true(count > 0);
}

int main(int argc, char **argv) {
  if (argc < 5) return EXIT_FAILURE;
  findings = argv[3];
  mutation_count = strtoull(argv[1], NULL, 10);
  random_state = strtoull(argv[2], NULL, 10) | 1;
  for (int i = 4; i < argc && file_count < 32; i++) {
    if (!case_file_read(argv[i], &files[file_count++])) return EXIT_FAILURE;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_broken_module_is_refused_or_built),
                                     cmocka_unit_test(every_finding_is_refused_or_built)};
  int failed = cmocka_run_group_tests(tests, test_device_open, test_device_close);
  for (size_t i = 0; i < file_count; i++) case_file_free(&files[i]);
  return failed;
}
