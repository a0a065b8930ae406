/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Who does the work of a case: an OpenCL driver, or C. A process has one backend, and one case. */
#ifndef BENCH_KERNELS_BACKEND_H
#define BENCH_KERNELS_BACKEND_H

#include "case.h"

enum { BENCH_NAME_SIZE = 128 };

/** What opening a backend tells. */
typedef struct bench_opened_t {
  char name[BENCH_NAME_SIZE]; /**< of the driver, with its version */
  double compile_seconds;     /**< the lowest of several builds, each with a first small run; NaN: none */
} bench_opened_t;

typedef enum bench_status_e {
  BENCH_OK,
  BENCH_SKIPPED, /**< the device lacks what the case needs */
  BENCH_FAILED
} bench_status_e;

typedef struct bench_backend_t {
  /** Prepares everything, so that `run` only runs. Says why on stderr where it fails. `builds`: how many
   * to measure. */
  bench_status_e (*open)(const bench_case_t *bench_case, const bench_data_t *data, size_t builds,
                         bench_opened_t *opened);
  /** Does the work once and waits for it. */
  void (*run)(void);
  /** Overwrites all outputs, so that what is read afterwards was written by a later run. */
  void (*spoil)(void);
  /** Copies the output that is argument `index`. */
  void (*read)(size_t index, void *contents);
} bench_backend_t;

extern const bench_backend_t bench_backend_cl, bench_backend_openmp, bench_backend_scalar;

#endif
