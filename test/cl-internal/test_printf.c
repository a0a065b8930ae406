/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Formatting of what kernels print: each conversion, vectors, and records that lie. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cl/printf/printf.h"
#include "compiler/printf.h"

/** A record being put together. */
typedef struct record_t {
  _Alignas(8) unsigned char bytes[1024];
  printf_record_t head;
} record_t;

static void begin(record_t *record, uint32_t format) {
  memset(record, 0, sizeof *record);
  record->head = (printf_record_t){.size = sizeof(printf_record_t), .format = format};
}

static void add(record_t *record, printf_arg_kind_e kind, const void *data, unsigned element_size, unsigned count) {
  unsigned stored = count == 3 ? 4 : count;
  printf_arg_t arg = {.kind = (uint8_t)kind,
                      .element_size = (uint8_t)element_size,
                      .element_count = (uint8_t)count,
                      .data_size = (element_size * stored + 7) & ~7u};
  memcpy(record->bytes + record->head.size, &arg, sizeof arg);
  memcpy(record->bytes + record->head.size + sizeof arg, data, (size_t)element_size * count);
  record->head.size += (uint32_t)sizeof arg + arg.data_size;
  record->head.arg_count++;
}

static const void *end(record_t *record) {
  memcpy(record->bytes, &record->head, sizeof record->head);
  return record->bytes;
}

static void assert_prints(const char *format, record_t *record, const char *expected) {
  const char *strings[] = {format, "a string", "other"};
  const program_info_t info = {.printf_string_count = 3, .printf_strings = strings};
  text_t text = {0};
  assert_true(printf_format_records(&text, &info, end(record), record->head.size));
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

#define PRINTS(format, expected, kind, type, count, ...) \
  do {                                                   \
    record_t record;                                     \
    const type values[] = {__VA_ARGS__};                 \
    begin(&record, 0);                                   \
    add(&record, (kind), values, sizeof(type), (count)); \
    assert_prints((format), &record, (expected));        \
  } while (0)

#define INTEGER(format, expected, type, ...) PRINTS(format, expected, printf_arg_integer, type, 1, __VA_ARGS__)
#define FLOAT(format, expected, ...) PRINTS(format, expected, printf_arg_float, double, 1, __VA_ARGS__)

static void prints_plain_text(void **state) {
  (void)state;
  record_t record;
  begin(&record, 0);
  assert_prints("hello, 100%% sure\n", &record, "hello, 100% sure\n");
  begin(&record, 0);
  assert_prints("", &record, "");
}

static void prints_integers(void **state) {
  (void)state;
  INTEGER("%d", "-5", int32_t, -5);
  INTEGER("<%5i>", "<   -5>", int32_t, -5);
  INTEGER("<%-5d>", "<7    >", int32_t, 7);
  INTEGER("%+d", "+7", int32_t, 7);
  INTEGER("% d", " 7", int32_t, 7);
  INTEGER("%05d", "-0042", int32_t, -42);
  INTEGER("%.4d", "0042", int32_t, 42);
  INTEGER("%u", "4294967295", uint32_t, UINT32_MAX);
  INTEGER("%x", "deadbeef", uint32_t, 0xdeadbeef);
  INTEGER("%#X", "0XFF", uint32_t, 255);
  INTEGER("%#o", "017", uint32_t, 15);
  INTEGER("%ld", "-9223372036854775808", int64_t, INT64_MIN);
  INTEGER("%lu", "18446744073709551615", uint64_t, UINT64_MAX);
  INTEGER("%hhd", "-1", int32_t, 0xff);
  INTEGER("%hhu", "255", int32_t, -1);
  INTEGER("%hd", "-2", int32_t, 0x1fffe);
  INTEGER("%hx", "fffe", int32_t, -2);
  /* Of what is longer than the conversion says, its lower bytes. */
  INTEGER("%v2hlx", "5,0", uint64_t, 0x1200000005);
}

static void prints_floats(void **state) {
  (void)state;
  FLOAT("%f", "1.500000", 1.5);
  FLOAT("%.2f", "3.14", 3.14159);
  FLOAT("<%10.3f>", "<     3.142>", 3.14159);
  FLOAT("<%-10.3f>", "<3.142     >", 3.14159);
  FLOAT("%e", "1.500000e+00", 1.5);
  FLOAT("%G", "1E-10", 1e-10);
  FLOAT("%g", "0.0001", 0.0001);
  FLOAT("%a", "0x1.8p+0", 1.5);
  FLOAT("%A", "0X1.8P+0", 1.5);
  FLOAT("%f", "inf", (double)INFINITY);
  FLOAT("%F", "-INF", -(double)INFINITY);
  FLOAT("%f", "nan", fabs((double)NAN));
  FLOAT("%+.0f", "+2", 2.0);
  PRINTS("%f", "0.500000", printf_arg_float, float, 1, 0.5f);
  PRINTS("%f", "0.500000", printf_arg_float, uint16_t, 1, 0x3800);
  PRINTS("%g", "5.96046e-08", printf_arg_float, uint16_t, 1, 1);
  PRINTS("%f", "-inf", printf_arg_float, uint16_t, 1, 0xfc00);
}

static void prints_characters_strings_and_pointers(void **state) {
  (void)state;
  static const char text[] = "never followed";
  INTEGER("<%c>", "<A>", int32_t, 'A');
  INTEGER("<%3c>", "<  A>", int32_t, 'A');
  PRINTS("<%s>", "<a string>", printf_arg_string, uint32_t, 1, 1);
  PRINTS("<%.3s>", "<a s>", printf_arg_string, uint32_t, 1, 1);
  PRINTS("<%7s>", "<  other>", printf_arg_string, uint64_t, 1, 2);
  PRINTS("<%s>", "<bytes>", printf_arg_string_bytes, uint8_t, 6, 'b', 'y', 't', 'e', 's', 0);
  PRINTS("<%7.2s>", "<     by>", printf_arg_string_bytes, uint8_t, 6, 'b', 'y', 't', 'e', 's', 0);
  PRINTS("%s", "(null)", printf_arg_string_bytes, uint8_t, 8, 'n', 'o', ' ', 'e', 'n', 'd', '!', '!');
  PRINTS("%s", "(null)", printf_arg_string_pointer, uintptr_t, 2, (uintptr_t)text, 100);
  PRINTS("%s", "(null)", printf_arg_string_pointer, uint64_t, 2, 0, 100);
  PRINTS("%p", "0x1234", printf_arg_pointer, uint64_t, 1, 0x1234);
}

static void prints_vectors(void **state) {
  (void)state;
  PRINTS("%v4hld", "1,-2,3,-4", printf_arg_integer, int32_t, 4, 1, -2, 3, -4);
  PRINTS("%v2hhd", "-1,2", printf_arg_integer, int8_t, 2, -1, 2);
  PRINTS("%v3hu", "65535,0,7", printf_arg_integer, uint16_t, 3, 65535, 0, 7);
  PRINTS("%v2lx", "ff,100", printf_arg_integer, uint64_t, 2, 255, 256);
  PRINTS("%v16hhx", "0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f", printf_arg_integer, uint8_t, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
         10, 11, 12, 13, 14, 15);
  PRINTS("%v4hlf", "1.000000,2.000000,3.000000,4.000000", printf_arg_float, float, 4, 1, 2, 3, 4);
  PRINTS("%v2lf", "0.500000,0.250000", printf_arg_float, double, 2, 0.5, 0.25);
  PRINTS("%v2hf", "1.000000,2.000000", printf_arg_float, uint16_t, 2, 0x3c00, 0x4000);
  /* Zeros, where there are fewer elements. */
  PRINTS("%v4hld", "1,-2,0,0", printf_arg_integer, int32_t, 2, 1, -2);
  PRINTS("%v4hlf", "1.000000,2.000000,0.000000,0.000000", printf_arg_float, float, 2, 1, 2);
}

static void width_and_precision_hold_for_each_element(void **state) {
  (void)state;
  record_t record;
  const float values[] = {1, 2.25f, -3, 4};
  begin(&record, 0);
  add(&record, printf_arg_float, values, sizeof *values, 4);
  assert_prints("<%6.2v4hlf>", &record, "<  1.00,  2.25, -3.00,  4.00>");
}

static void prints_several_arguments_and_records(void **state) {
  (void)state;
  const char *strings[] = {"%d-%s-%d;", "x"};
  const program_info_t info = {.printf_string_count = 2, .printf_strings = strings};
  const int32_t numbers[] = {1, 2};
  const uint32_t string = 1;
  record_t record;
  begin(&record, 0);
  add(&record, printf_arg_integer, &numbers[0], 4, 1);
  add(&record, printf_arg_string, &string, 4, 1);
  add(&record, printf_arg_integer, &numbers[1], 4, 1);
  end(&record);
  unsigned char twice[2 * sizeof record.bytes];
  memcpy(twice, record.bytes, record.head.size);
  memcpy(twice + record.head.size, record.bytes, record.head.size);
  text_t text = {0};
  assert_true(printf_format_records(&text, &info, twice, 2 * (size_t)record.head.size));
  assert_string_equal(text_string(&text), "1-x-2;1-x-2;");
  text_free(&text);
}

static void what_is_no_conversion_stands_for_itself(void **state) {
  (void)state;
  record_t record;
  begin(&record, 0);
  assert_prints("%k %v5d %", &record, "%k %v5d %");
}

static void missing_arguments_print_nothing(void **state) {
  (void)state;
  record_t record;
  begin(&record, 0);
  assert_prints("<%d %s>", &record, "< >");
  const int32_t number = 7;
  begin(&record, 0);
  add(&record, printf_arg_integer, &number, 4, 1);
  assert_prints("<%d %d %s>", &record, "<7  >");
}

static void other_types_print_something(void **state) {
  (void)state;
  record_t record;
  const double value = 1.5;
  begin(&record, 0);
  add(&record, printf_arg_float, &value, sizeof value, 1);
  add(&record, printf_arg_float, &value, sizeof value, 1);
  assert_prints("%lx %s", &record, "3ff8000000000000 (null)");
}

static void a_large_field_is_bounded(void **state) {
  (void)state;
  const char *strings[] = {"%2000000000d%.2000000000f"};
  const program_info_t info = {.printf_string_count = 1, .printf_strings = strings};
  const int32_t number = 1;
  const double real = 1;
  record_t record;
  begin(&record, 0);
  add(&record, printf_arg_integer, &number, 4, 1);
  add(&record, printf_arg_float, &real, 8, 1);
  text_t text = {0};
  assert_true(printf_format_records(&text, &info, end(&record), record.head.size));
  assert_in_range(text.length, 8190, 9000);
  text_free(&text);
}

/** Random bytes in place of a record's: the outcome is open, its harmlessness is not. */
static void records_that_lie_are_harmless(void **state) {
  (void)state;
  const char *strings[] = {"%d %v4hlf %s %c %p %lx\n", "x"};
  const program_info_t info = {.printf_string_count = 2, .printf_strings = strings};
  const float values[] = {1, 2, 3, 4};
  const uint32_t numbers[] = {1, 1, 65, 9};
  record_t record;
  begin(&record, 0);
  add(&record, printf_arg_integer, &numbers[0], 4, 1);
  add(&record, printf_arg_float, values, 4, 4);
  add(&record, printf_arg_string, &numbers[1], 4, 1);
  add(&record, printf_arg_integer, &numbers[2], 4, 1);
  end(&record);
  size_t size = record.head.size;
  for (size_t i = 0; i < size; i++) {
    for (unsigned value = 0; value < 256; value++) {
      unsigned char *copy = malloc(size);
      assert_non_null(copy);
      memcpy(copy, record.bytes, size);
      copy[i] = (unsigned char)value;
      text_t text = {0};
      (void)printf_format_records(&text, &info, copy, size);
      text_free(&text);
      free(copy);
    }
  }
}

static void truncated_records_are_refused(void **state) {
  (void)state;
  const char *strings[] = {"%d"};
  const program_info_t info = {.printf_string_count = 1, .printf_strings = strings};
  const int32_t number = 1;
  record_t record;
  begin(&record, 0);
  add(&record, printf_arg_integer, &number, 4, 1);
  end(&record);
  for (size_t size = 1; size < record.head.size; size++) {
    text_t text = {0};
    assert_false(printf_format_records(&text, &info, record.bytes, size));
    text_free(&text);
  }
}

static void unknown_formats_are_refused(void **state) {
  (void)state;
  const program_info_t info = {0};
  record_t record;
  text_t text = {0};
  begin(&record, 0);
  assert_false(printf_format_records(&text, &info, end(&record), record.head.size));
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prints_plain_text),
      cmocka_unit_test(prints_integers),
      cmocka_unit_test(prints_floats),
      cmocka_unit_test(prints_characters_strings_and_pointers),
      cmocka_unit_test(prints_vectors),
      cmocka_unit_test(width_and_precision_hold_for_each_element),
      cmocka_unit_test(prints_several_arguments_and_records),
      cmocka_unit_test(what_is_no_conversion_stands_for_itself),
      cmocka_unit_test(missing_arguments_print_nothing),
      cmocka_unit_test(other_types_print_something),
      cmocka_unit_test(a_large_field_is_bounded),
      cmocka_unit_test(records_that_lie_are_harmless),
      cmocka_unit_test(truncated_records_are_refused),
      cmocka_unit_test(unknown_formats_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
