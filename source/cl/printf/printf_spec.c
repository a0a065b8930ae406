/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One conversion specification of OpenCL C's printf. */
#include "cl/printf/printf_spec.h"

#include <string.h>

/** Fields as wide as C promises for one conversion; more would let a format exhaust memory. */
enum { field_maximum = 4095 };

static bool is_digit(char character) { return character >= '0' && character <= '9'; }

/** Each flag once: a second time it means nothing more. */
static const char *parse_flags(const char *text, char flags[6]) {
  size_t count = 0;
  flags[0] = 0;
  for (; *text && strchr("-+ #0", *text); text++) {
    if (strchr(flags, *text)) continue;
    flags[count++] = *text;
    flags[count] = 0;
  }
  return text;
}

static const char *parse_number(const char *text, int *out_number) {
  int number = 0;
  for (; is_digit(*text); text++) {
    if (number <= field_maximum) number = number * 10 + (*text - '0');
  }
  *out_number = number > field_maximum ? field_maximum : number;
  return text;
}

static const char *parse_field(const char *text, printf_spec_t *spec) {
  spec->width = spec->precision = -1;
  if (is_digit(*text)) text = parse_number(text, &spec->width);
  if (*text == '.') text = parse_number(text + 1, &spec->precision);
  return text;
}

/** `v2`, `v3`, `v4`, `v8`, `v16`, or nothing. */
static const char *parse_vector(const char *text, unsigned *out_vector) {
  *out_vector = 1;
  if (*text != 'v') return text;
  int count;
  text = parse_number(text + 1, &count);
  if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16) return NULL;
  *out_vector = (unsigned)count;
  return text;
}

static const char *parse_length(const char *text, printf_length_e *out_length) {
  static const struct {
    const char *name;
    printf_length_e length;
  } lengths[] = {
      {"hh", printf_length_char}, {"hl", printf_length_int}, {"h", printf_length_short}, {"l", printf_length_long}};
  *out_length = printf_length_none;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t size = strlen(lengths[i].name);
    if (strncmp(text, lengths[i].name, size) != 0) continue;
    *out_length = lengths[i].length;
    return text + size;
  }
  return text;
}

const char *printf_spec_parse(const char *text, printf_spec_t *out_spec) {
  text = parse_field(parse_flags(text, out_spec->flags), out_spec);
  text = parse_vector(text, &out_spec->vector);
  if (!text) return NULL;
  text = parse_length(text, &out_spec->length);
  if (!*text || !strchr("diouxXfFeEgGaAcsp%", *text)) return NULL;
  out_spec->conversion = *text;
  return text + 1;
}
