/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Processes that mutate and build: each an application, which must not end and must not hang. */
#ifndef OPENCL_C_WORKERS_H
#define OPENCL_C_WORKERS_H

#include "corpus.h"

typedef struct fuzz_t {
  const corpus_t *corpus;
  /** Where findings go. */
  const char *folder;
  uint64_t seed;
  /** Either ends the run; 0 for none. */
  uint64_t seconds, builds;
  unsigned workers;
} fuzz_t;

/** Runs until the end, prints a summary on stdout and writes it into the folder. True when no application ended or
 * hung. */
bool fuzz_run(const fuzz_t *fuzz);

#endif
