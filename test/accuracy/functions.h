/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The table of functions under test. */
#ifndef ACCURACY_FUNCTIONS_H
#define ACCURACY_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum accuracy_format_e { format_float, format_double, format_half, format_count } accuracy_format_e;

typedef enum accuracy_arguments_e { arguments_x, arguments_xy, arguments_xn } accuracy_arguments_e;

/** What errors are counted in. Where the limit depends on the argument, they are scaled by what it is there, so that
 * one number is the limit. */
typedef enum accuracy_unit_e {
  /** The result's last place. */
  unit_ulp,
  /** 2^-23. */
  unit_absolute,
  /** The last place; the limit has floor(|2x|) added. */
  unit_exponential,
  /** The last place; for arguments from 1/2 to 2 the limit is an absolute error of 2^-21. */
  unit_logarithm
} accuracy_unit_e;

typedef struct accuracy_function_t {
  const char *name;
  /** For which formats it is tested. */
  bool has_format[format_count];
  /** Built with -cl-fast-relaxed-math: infinity and not-a-number do not count, zeros have no sign, and subnormal
   * numbers may be zero. */
  bool relaxed;
  accuracy_arguments_e arguments;
  /** Only arguments from `low` to `high` count. */
  bool in_range;
  accuracy_unit_e unit;
  /** For half: see function_limit. */
  double limit;
  double low, high;
  /** All floats from `from` to `to`, which has the same sign, are part of every sample, if `from` is not 0. */
  double from, to;
  /** OpenCL C, see functions.def. */
  const char *code;
  /** The result for floats and halves; for doubles. `below_one` is the largest number of the format that is less than
   * one. */
  double (*for_float)(double x, double y, int n, double below_one);
  long double (*for_double)(long double x, long double y, int n, long double below_one);
  /** The C library's own function for floats, whose speed is compared; for doubles it is `for_float`. */
  float (*in_float)(float x, float y, int n, float below_one);
} accuracy_function_t;

extern const accuracy_function_t accuracy_functions[];
extern const size_t accuracy_function_count;

/** The largest error that a format may have. For half, whose table is another one (OpenCL C section 7.4), at least as
 * strict as that: exact and correctly rounded functions are so in all formats, and what may be 16 units wrong in float
 * may be 4 wrong in half, all else 2, or 1. */
double function_limit(const accuracy_function_t *function, accuracy_format_e format);

#endif
