/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Formatting of what kernels print. Numbers are converted by the C library, one vector element at a time. */
#include "cl/printf/printf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cl/printf/printf_spec.h"
#include "compiler/printf.h"

/** An argument of a record, its data checked to be there. */
typedef struct argument_t {
  printf_arg_t head;
  const unsigned char *data;
} argument_t;

/** What is left of a record's arguments. */
typedef struct arguments_t {
  const unsigned char *position;
  size_t left;
  uint32_t count;
} arguments_t;

static bool element_size_is_valid(unsigned size) { return size == 1 || size == 2 || size == 4 || size == 8; }

/** False when no argument is left (`*out_has` false), or when the next one is malformed. */
static bool next_argument(arguments_t *arguments, argument_t *out_argument, bool *out_has) {
  *out_has = arguments->count > 0;
  if (!*out_has) return true;
  printf_arg_t *head = &out_argument->head;
  if (arguments->left < sizeof *head) return false;
  memcpy(head, arguments->position, sizeof *head);
  size_t left = arguments->left - sizeof *head;
  if (head->kind > printf_arg_string_bytes || head->data_size > left || head->data_size % 8) return false;
  if (!element_size_is_valid(head->element_size) || head->element_count == 0) return false;
  if ((size_t)head->element_size * head->element_count > head->data_size) return false;
  out_argument->data = arguments->position + sizeof *head;
  arguments->position = out_argument->data + head->data_size;
  arguments->left = left - head->data_size;
  arguments->count--;
  return true;
}

/** The element's bits, zero-extended; zero where the vector is shorter than the conversion wants. */
static uint64_t element_bits(const argument_t *argument, unsigned index) {
  uint64_t bits = 0;
  if (index >= argument->head.element_count) return 0;
  memcpy(&bits, argument->data + (size_t)index * argument->head.element_size, argument->head.element_size);
  return bits;
}

static double half_value(uint16_t bits) {
  int exponent = (bits >> 10) & 31, mantissa = bits & 0x3ff;
  double magnitude;
  if (exponent == 31) {
    magnitude = mantissa ? (double)NAN : (double)INFINITY;
  } else if (exponent == 0) {
    magnitude = ldexp(mantissa, -24);
  } else {
    magnitude = ldexp(mantissa + 1024, exponent - 25);
  }
  return bits & 0x8000 ? -magnitude : magnitude;
}

/** The element's bits as a number of their size: a mismatched conversion prints something, and harms nothing. */
static double element_float(const argument_t *argument, unsigned index) {
  uint64_t bits = element_bits(argument, index);
  uint32_t low = (uint32_t)bits;
  double wide;
  float single;
  switch (argument->head.element_size) {
    case 8: memcpy(&wide, &bits, sizeof wide); return wide;
    case 4: memcpy(&single, &low, sizeof single); return (double)single;
    case 2: return half_value((uint16_t)bits);
    default: return (double)bits;
  }
}

/** Bytes of the integer that a conversion prints: those of its length modifier, within what the argument has. */
static unsigned integer_size(const printf_spec_t *spec, const argument_t *argument) {
  unsigned size = argument->head.element_size;
  unsigned wanted = spec->length == printf_length_char    ? 1
                    : spec->length == printf_length_short ? 2
                    : spec->length == printf_length_int   ? 4
                                                          : 8;
  return wanted < size ? wanted : size;
}

static uint64_t unsigned_element(const printf_spec_t *spec, const argument_t *argument, unsigned index) {
  unsigned shift = 64 - 8 * integer_size(spec, argument);
  return element_bits(argument, index) << shift >> shift;
}

static int64_t signed_element(const printf_spec_t *spec, const argument_t *argument, unsigned index) {
  unsigned shift = 64 - 8 * integer_size(spec, argument);
  return (int64_t)(element_bits(argument, index) << shift) >> shift;
}

enum { host_format_size = 32 };

/** The specification for the C library, without a vector, with `length`. */
static void host_format(const printf_spec_t *spec, const char *length, char out[host_format_size]) {
  int used = snprintf(out, host_format_size, "%%%s", spec->flags);
  if (spec->width >= 0) used += snprintf(out + used, (size_t)(host_format_size - used), "%d", spec->width);
  if (spec->precision >= 0) used += snprintf(out + used, (size_t)(host_format_size - used), ".%d", spec->precision);
  snprintf(out + used, (size_t)(host_format_size - used), "%s%c", length, spec->conversion);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* formats are built by host_format for exactly these types */

static void print_number(text_t *out, const printf_spec_t *spec, const argument_t *argument, unsigned index) {
  char format[host_format_size];
  switch (spec->conversion) {
    case 'd':
    case 'i':
      host_format(spec, "ll", format);
      text_appendf(out, format, (long long)signed_element(spec, argument, index));
      return;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      host_format(spec, "ll", format);
      text_appendf(out, format, (unsigned long long)unsigned_element(spec, argument, index));
      return;
    default:
      host_format(spec, "", format);
      text_appendf(out, format, element_float(argument, index));
      return;
  }
}

/** NULs in what is printed reach the output too: text_appendf would stop at them. */
static void print_char(text_t *out, const printf_spec_t *spec, const argument_t *argument) {
  char format[host_format_size], field[4100];
  host_format(spec, "", format);
  int length = snprintf(field, sizeof field, format, (int)(unsigned char)element_bits(argument, 0));
  if (length > 0) text_append_bytes(out, field, (size_t)length);
}

static void print_pointer(text_t *out, const printf_spec_t *spec, const argument_t *argument) {
  char format[host_format_size];
  host_format(spec, "", format);
  text_appendf(out, format, (void *)(uintptr_t)element_bits(argument, 0));
}

/** Null when the argument is no string, or a null pointer, which are the only ones that a buffer has. */
static const char *string_of(const program_info_t *info, const argument_t *argument) {
  uint64_t bits = element_bits(argument, 0);
  if (argument->head.kind == printf_arg_string) {
    return bits < info->printf_string_count ? info->printf_strings[bits] : NULL;
  }
  bool is_string =
      argument->head.kind == printf_arg_string_bytes && memchr(argument->data, 0, argument->head.data_size);
  return is_string ? (const char *)argument->data : NULL;
}

static void print_string(text_t *out, const printf_spec_t *spec, const program_info_t *info,
                         const argument_t *argument) {
  char format[host_format_size];
  const char *string = string_of(info, argument);
  host_format(spec, "", format);
  text_appendf(out, format, string ? string : "(null)");
}

#pragma GCC diagnostic pop

static void print_argument(text_t *out, const printf_spec_t *spec, const program_info_t *info,
                           const argument_t *argument) {
  switch (spec->conversion) {
    case 'c': print_char(out, spec, argument); return;
    case 's': print_string(out, spec, info, argument); return;
    case 'p': print_pointer(out, spec, argument); return;
    default:
      for (unsigned i = 0; i < spec->vector; i++) {
        if (i) text_append(out, ",");
        print_number(out, spec, argument, i);
      }
  }
}

/** Prints the conversion at `text`, after its `%`; null when an argument is malformed. */
static const char *print_conversion(text_t *out, const program_info_t *info, const char *text, arguments_t *arguments) {
  printf_spec_t spec;
  const char *next = printf_spec_parse(text, &spec);
  if (!next || spec.conversion == '%') {
    text_append(out, "%"); /* what is no conversion stands for itself */
    return next ? next : text;
  }
  argument_t argument;
  bool has;
  if (!next_argument(arguments, &argument, &has)) return NULL;
  if (has) print_argument(out, &spec, info, &argument);
  return next;
}

static bool format_record(text_t *out, const program_info_t *info, const char *format, arguments_t arguments) {
  while (format) {
    const char *percent = strchr(format, '%');
    if (!percent) {
      text_append(out, format);
      return true;
    }
    text_append_bytes(out, format, (size_t)(percent - format));
    format = print_conversion(out, info, percent + 1, &arguments);
  }
  return false;
}

bool printf_format_records(text_t *out, const program_info_t *info, const void *records, size_t size) {
  const unsigned char *position = records;
  while (size) {
    printf_record_t head;
    if (size < sizeof head) return false;
    memcpy(&head, position, sizeof head);
    if (head.size < sizeof head || head.size > size || head.size % 8) return false;
    if (head.format >= info->printf_string_count) return false;
    arguments_t arguments = {position + sizeof head, head.size - sizeof head, head.arg_count};
    if (!format_record(out, info, info->printf_strings[head.format], arguments)) return false;
    position += head.size;
    size -= head.size;
  }
  return true;
}
