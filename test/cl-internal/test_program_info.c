/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Program information: what is encoded is decoded, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/program_info.h"

static program_arg_info_t sample_args[] = {
    {program_arg_buffer, program_address_global, program_access_none,
     program_type_qualifier_const | program_type_qualifier_restrict, 8, "number*", "float*", "input"},
    {program_arg_local, program_address_local, program_access_none, 0, 8, "int4*", "int4*", "scratch"},
    {program_arg_value, program_address_private, program_access_none, 0, 12, "", "struct parameters", ""},
};

static program_kernel_info_t sample_kernels[] = {
    {.name = "scale",
     .attributes = "reqd_work_group_size(8,4,1)",
     .reqd_work_group_size = {8, 4, 1},
     .local_memory_size = 4096,
     .private_memory_size = 128,
     .uses_printf = true,
     .arg_count = 3,
     .args = sample_args},
    {.name = "nothing", .attributes = "", .work_group_size_hint = {64, 1, 1}},
    {.name = "(constructors)", .attributes = "reqd_work_group_size(1,1,1)", .reqd_work_group_size = {1, 1, 1}},
};

static const char *sample_strings[] = {"%d %s\n", "", "two"};

static const program_info_t sample = {.kernel_count = 2,
                                      .has_constructors = true,
                                      .kernels = sample_kernels,
                                      .printf_string_count = 3,
                                      .printf_strings = sample_strings,
                                      .global_variable_size = 1ull << 40};

static void assert_same_arg(const program_arg_info_t *a, const program_arg_info_t *b) {
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->address_qualifier, b->address_qualifier);
  assert_int_equal(a->access_qualifier, b->access_qualifier);
  assert_int_equal(a->type_qualifiers, b->type_qualifiers);
  assert_int_equal(a->size, b->size);
  assert_string_equal(a->type_name, b->type_name);
  assert_string_equal(a->base_type, b->base_type);
  assert_string_equal(a->name, b->name);
}

static void assert_same_kernel(const program_kernel_info_t *a, const program_kernel_info_t *b) {
  assert_string_equal(a->name, b->name);
  assert_string_equal(a->attributes, b->attributes);
  assert_memory_equal(a->reqd_work_group_size, b->reqd_work_group_size, sizeof a->reqd_work_group_size);
  assert_memory_equal(a->work_group_size_hint, b->work_group_size_hint, sizeof a->work_group_size_hint);
  assert_int_equal(a->local_memory_size, b->local_memory_size);
  assert_int_equal(a->private_memory_size, b->private_memory_size);
  assert_int_equal(a->uses_printf, b->uses_printf);
  assert_int_equal(a->arg_count, b->arg_count);
  for (uint32_t i = 0; i < a->arg_count; i++) assert_same_arg(&a->args[i], &b->args[i]);
}

static void encode(const program_info_t *info, unsigned char **out_data, size_t *out_size) {
  void *data;
  assert_true(program_info_encode(info, &data, out_size));
  *out_data = data;
}

static void decodes_what_was_encoded(void **state) {
  (void)state;
  unsigned char *data;
  size_t size;
  encode(&sample, &data, &size);
  program_info_t *info = program_info_decode(data, size);
  free(data); /* nothing of the result is in it */
  assert_non_null(info);
  assert_int_equal(info->kernel_count, sample.kernel_count);
  assert_true(info->has_constructors);
  for (uint32_t i = 0; i <= info->kernel_count; i++) assert_same_kernel(&info->kernels[i], &sample.kernels[i]);
  assert_int_equal(info->printf_string_count, sample.printf_string_count);
  for (uint32_t i = 0; i < info->printf_string_count; i++) {
    assert_string_equal(info->printf_strings[i], sample.printf_strings[i]);
  }
  assert_int_equal(info->global_variable_size, sample.global_variable_size);
  program_info_free(info);
}

static void null_strings_become_empty(void **state) {
  (void)state;
  program_arg_info_t arg = {.kind = program_arg_value, .size = 4};
  program_kernel_info_t kernel = {.name = "k", .arg_count = 1, .args = &arg};
  const program_info_t without = {.kernel_count = 1, .kernels = &kernel};
  unsigned char *data;
  size_t size;
  encode(&without, &data, &size);
  program_info_t *info = program_info_decode(data, size);
  free(data);
  assert_non_null(info);
  assert_string_equal(info->kernels[0].attributes, "");
  assert_string_equal(info->kernels[0].args[0].name, "");
  assert_string_equal(info->kernels[0].args[0].type_name, "");
  program_info_free(info);
}

static void empty_information_is_valid(void **state) {
  (void)state;
  unsigned char *data;
  size_t size;
  encode(&(program_info_t){0}, &data, &size);
  program_info_t *info = program_info_decode(data, size);
  free(data);
  assert_non_null(info);
  assert_int_equal(info->kernel_count, 0);
  assert_false(info->has_constructors);
  program_info_free(info);
}

/** A copy that ends where the allocation ends, so that reading past it is found out. */
static program_info_t *decode_copy(const unsigned char *data, size_t size) {
  unsigned char *copy = malloc(size ? size : 1);
  assert_non_null(copy);
  memcpy(copy, data, size);
  program_info_t *info = program_info_decode(copy, size);
  free(copy);
  return info;
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  unsigned char *data;
  size_t size;
  encode(&sample, &data, &size);
  for (size_t length = 0; length < size; length++) assert_null(decode_copy(data, length));
  free(data);
}

static void bytes_after_the_end_are_refused(void **state) {
  (void)state;
  unsigned char *data;
  size_t size;
  encode(&sample, &data, &size);
  unsigned char *longer = realloc(data, size + 1);
  assert_non_null(longer);
  longer[size] = 0;
  assert_null(program_info_decode(longer, size + 1));
  free(longer);
}

/** Reads everything, so that a sanitizer sees a pointer that leads astray. */
static size_t touch(const program_info_t *info) {
  size_t sum = 0;
  for (uint32_t i = 0; i < info->kernel_count + info->has_constructors; i++) {
    const program_kernel_info_t *kernel = &info->kernels[i];
    sum += strlen(kernel->name) + strlen(kernel->attributes);
    for (uint32_t j = 0; j < kernel->arg_count; j++) {
      sum += strlen(kernel->args[j].name) + strlen(kernel->args[j].type_name) + strlen(kernel->args[j].base_type);
    }
  }
  for (uint32_t i = 0; i < info->printf_string_count; i++) sum += strlen(info->printf_strings[i]);
  return sum;
}

static void any_corrupt_byte_is_harmless(void **state) {
  (void)state;
  static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  unsigned char *data;
  size_t size, survivors = 0;
  encode(&sample, &data, &size);
  for (size_t i = 0; i < size; i++) {
    unsigned char original = data[i];
    for (size_t j = 0; j < sizeof values; j++) {
      data[i] = values[j];
      program_info_t *info = decode_copy(data, size);
      if (info) survivors += touch(info) < size;
      program_info_free(info);
    }
    data[i] = original;
  }
  assert_true(survivors > 0); /* a changed letter of a name is no damage that the codec can see */
  free(data);
}

/** Numbers that look random, the same in every run. */
static size_t below(size_t limit) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(state >> 33) % limit;
}

static void random_changes_are_harmless(void **state) {
  (void)state;
  unsigned char *data;
  size_t size;
  encode(&sample, &data, &size);
  for (int round = 0; round < 20000; round++) {
    unsigned char copy[1024];
    assert_true(size <= sizeof copy);
    memcpy(copy, data, size);
    for (int i = 0; i < 4; i++) copy[16 + below(size - 16)] = (unsigned char)below(256);
    program_info_t *info = decode_copy(copy, size);
    if (info) touch(info);
    program_info_free(info);
  }
  free(data);
}

static void unknown_enumerators_are_refused(void **state) {
  (void)state;
  const int unknown = 99;
  program_arg_info_t arg = {.size = 4};
  memcpy(&arg.kind, &unknown, sizeof arg.kind);
  program_kernel_info_t kernel = {.name = "k", .arg_count = 1, .args = &arg};
  const program_info_t bad = {.kernel_count = 1, .kernels = &kernel};
  unsigned char *data;
  size_t size;
  encode(&bad, &data, &size);
  assert_null(program_info_decode(data, size));
  free(data);
}

static void null_is_refused(void **state) {
  (void)state;
  assert_null(program_info_decode(NULL, 0));
  assert_null(program_info_decode(NULL, 100));
  program_info_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decodes_what_was_encoded),
      cmocka_unit_test(null_strings_become_empty),
      cmocka_unit_test(empty_information_is_valid),
      cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(bytes_after_the_end_are_refused),
      cmocka_unit_test(any_corrupt_byte_is_harmless),
      cmocka_unit_test(random_changes_are_harmless),
      cmocka_unit_test(unknown_enumerators_are_refused),
      cmocka_unit_test(null_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
