/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The data of a case: what it starts with, and whether a result is right. */
#ifndef BENCH_KERNELS_DATA_H
#define BENCH_KERNELS_DATA_H

#include "case.h"

/** Sets the case up and computes the reference: each output's contents. */
void bench_data_create(bench_data_t *data, const bench_case_t *bench_case, bool check);
void bench_data_release(bench_data_t *data);

/** Bytes for an array, aligned for vectors and not touched yet. Never fails: the program ends. free() them. */
void *bench_allocate(size_t bytes);

/** Whether `found`, of argument `index`, is what the reference gave, within the case's tolerance; says on stderr what
 * differs, naming `who`. */
bool bench_output_check(const bench_case_t *bench_case, const bench_data_t *data, size_t index, const void *found,
                        const char *who);

#endif
