/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work in C with OpenMP, as the compiler vectorizes it and without vectorization. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "data.h"

#ifdef __clang__
#define COMPILER "Clang " __clang_version__
#else
#define COMPILER "GCC " __VERSION__
#endif

#ifdef BENCH_HAS_OPENMP
static const char threads[] = "OpenMP";
#else
static const char threads[] = "one thread, without OpenMP";
#endif

static const bench_data_t *the_data;
static bench_work_t *the_work;
static void *arguments[BENCH_MAX_ARGUMENTS];

/** Inputs are copied: the process shares the pages of the one that made them, which a driver's buffers do not. */
static void *argument_create(const bench_argument_t *argument) {
  const bool is_value = argument->kind == BENCH_VALUE;
  if (argument->kind == BENCH_LOCAL) return NULL;
  void *memory = bench_allocate(argument->bytes);
  if (is_value || !argument->is_output) {
    memcpy(memory, is_value ? argument->value : argument->contents, argument->bytes);
  }
  return memory;
}

static bench_status_e open_work(bench_work_t *work, const bench_data_t *data, bench_opened_t *opened) {
  the_data = data;
  the_work = work;
  for (size_t i = 0; i < data->argument_count; i++) arguments[i] = argument_create(&data->arguments[i]);
  snprintf(opened->name, sizeof(opened->name), "%s, %s", COMPILER, threads);
  opened->compile_seconds = NAN;
  return BENCH_OK;
}

static bench_status_e open_openmp(const bench_case_t *bench_case, const bench_data_t *data, size_t builds,
                                  bench_opened_t *opened) {
  (void)builds;
  return open_work(bench_case->openmp, data, opened);
}

static bench_status_e open_scalar(const bench_case_t *bench_case, const bench_data_t *data, size_t builds,
                                  bench_opened_t *opened) {
  (void)builds;
  return open_work(bench_case->scalar, data, opened);
}

static void run(void) { the_work(arguments); }

static void spoil(void) {
  for (size_t i = 0; i < the_data->argument_count; i++) {
    if (the_data->arguments[i].is_output) memset(arguments[i], 0xA5, the_data->arguments[i].bytes);
  }
}

static void read_output(size_t index, void *contents) {
  memcpy(contents, arguments[index], the_data->arguments[index].bytes);
}

const bench_backend_t bench_backend_openmp = {open_openmp, run, spoil, read_output};
const bench_backend_t bench_backend_scalar = {open_scalar, run, spoil, read_output};
