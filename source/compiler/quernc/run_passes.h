/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * quernc --passes, --print-passes, --stats: the compiler library without the driver. */
#ifndef COMPILER_QUERNC_RUN_PASSES_H
#define COMPILER_QUERNC_RUN_PASSES_H

#include "base/text.h"

/** Makes this program use the compiler library that the driver uses. Before the environment's options are asked for. */
void run_passes_find_library(void);

/** Runs a pipeline on LLVM IR in text form, and appends the result to `out`. False with what is wrong on stderr. */
__attribute__((warn_unused_result)) bool run_passes(const text_t *ir, const char *passes, bool verify_each,
                                                    text_t *out);

/** The names of our passes, a line for each, on stdout; false when there is no compiler. */
__attribute__((warn_unused_result)) bool run_passes_print_names(void);

#endif
