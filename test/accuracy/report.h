/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is printed: a line per function, or a Markdown table. */
#ifndef ACCURACY_REPORT_H
#define ACCURACY_REPORT_H

#include "compare.h"

/** What was found about one function for one format. */
typedef struct accuracy_result_t {
  const accuracy_function_t *function;
  accuracy_format_e format;
  /** Every number was tried. */
  bool exhaustive;
  accuracy_worst_t worst;
  /** Nanoseconds per result, of the device and of the C library; 0: not measured. */
  double device_time, library_time;
} accuracy_result_t;

/** Prints one function's line, and the arguments of the worst result when that is beyond the limit or `verbose`. */
void report_line(const accuracy_result_t *result, bool verbose);

/** Prints all results as a Markdown table. */
void report_table(const accuracy_result_t *results, size_t count);

#endif
