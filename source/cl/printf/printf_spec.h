/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One conversion specification of OpenCL C's printf. */
#ifndef CL_PRINTF_PRINTF_SPEC_H
#define CL_PRINTF_PRINTF_SPEC_H

#include <stdbool.h>

typedef enum printf_length_e {
  printf_length_none,
  printf_length_char,  /* hh */
  printf_length_short, /* h */
  printf_length_int,   /* hl: vectors of 4-byte elements */
  printf_length_long,  /* l */
} printf_length_e;

typedef struct printf_spec_t {
  /** The flags as they stand, NUL-terminated. */
  char flags[6];
  /** -1 when not given. */
  int width, precision;
  /** Elements of a vector; 1 for scalars. */
  unsigned vector;
  printf_length_e length;
  /** The conversion character. */
  char conversion;
} printf_spec_t;

/** Parses the specification after a `%` and returns what follows it; null when it is none that OpenCL C has. */
const char *printf_spec_parse(const char *text, printf_spec_t *out_spec);

#endif
