/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The data of a case: making it, and checking results. */
#include "data.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static const size_t type_sizes[] = {[BENCH_U8] = 1, [BENCH_I32] = 4, [BENCH_U32] = 4, [BENCH_F32] = 4};

void *bench_allocate(size_t bytes) {
  void *memory = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  if (memory == NULL) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    exit(2);
  }
  return memory;
}

/* ---- set-up */

static bench_argument_t *argument_add(bench_data_t *data, bench_kind_e kind, size_t bytes) {
  if (data->argument_count == BENCH_MAX_ARGUMENTS) abort();
  bench_argument_t *argument = &data->arguments[data->argument_count++];
  *argument = (bench_argument_t){.kind = kind, .bytes = bytes};
  return argument;
}

static bench_argument_t *array_add(bench_data_t *data, bench_kind_e kind, bench_type_e type, size_t count) {
  bench_argument_t *argument = argument_add(data, kind, count * type_sizes[type]);
  argument->type = type;
  argument->count = count;
  argument->contents = bench_allocate(argument->bytes);
  return argument;
}

void *bench_add_input(bench_data_t *data, bench_type_e type, size_t count) {
  return array_add(data, BENCH_ARRAY, type, count)->contents;
}

static void *image_add(bench_data_t *data, bench_type_e type, size_t width, size_t height) {
  bench_argument_t *argument = array_add(data, BENCH_IMAGE, type, 4 * width * height);
  argument->width = width;
  return argument->contents;
}

void *bench_add_image(bench_data_t *data, size_t width, size_t height) {
  return image_add(data, BENCH_U8, width, height);
}

float *bench_add_float_image(bench_data_t *data, size_t width, size_t height) {
  return image_add(data, BENCH_F32, width, height);
}

void bench_add_output(bench_data_t *data, bench_type_e type, size_t count) {
  array_add(data, BENCH_ARRAY, type, count)->is_output = true;
}

void bench_add_uint(bench_data_t *data, size_t value) {
  const uint32_t number = (uint32_t)value;
  memcpy(argument_add(data, BENCH_VALUE, sizeof(number))->value, &number, sizeof(number));
}

void bench_add_float(bench_data_t *data, float value) {
  memcpy(argument_add(data, BENCH_VALUE, sizeof(value))->value, &value, sizeof(value));
}

void bench_add_local(bench_data_t *data, size_t bytes) { argument_add(data, BENCH_LOCAL, bytes); }

static void range_set(bench_data_t *data, unsigned dimensions, const size_t *global, const size_t *local) {
  data->dimensions = dimensions;
  for (unsigned i = 0; i < 3; i++) data->global[i] = data->local[i] = 1;
  memcpy(data->global, global, dimensions * sizeof(*global));
  memcpy(data->local, local, dimensions * sizeof(*local));
}

void bench_set_range(bench_data_t *data, size_t global, size_t local) { range_set(data, 1, &global, &local); }

void bench_set_range_2d(bench_data_t *data, const size_t global[2], const size_t local[2]) {
  range_set(data, 2, global, local);
}

void bench_set_range_3d(bench_data_t *data, const size_t global[3], const size_t local[3]) {
  range_set(data, 3, global, local);
}

/* ---- numbers */

/** Well mixed bits of the number and of how many there are, so that arrays of different sizes differ. */
static uint32_t bits_of(size_t index, size_t count) {
  uint64_t bits = (uint64_t)index * 0x9E3779B97F4A7C15u + count;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)(bits >> 32);
}

void bench_fill_floats(float *array, size_t count, float low, float high) {
  for (size_t i = 0; i < count; i++) array[i] = low + (high - low) * ((float)(bits_of(i, count) >> 8) * 0x1p-24f);
}

void bench_fill_uints(unsigned *array, size_t count, unsigned limit) {
  for (size_t i = 0; i < count; i++) array[i] = (unsigned)((uint64_t)bits_of(i, count) * limit >> 32);
}

void bench_fill_bytes(unsigned char *array, size_t count, unsigned limit) {
  for (size_t i = 0; i < count; i++) array[i] = (unsigned char)((uint64_t)bits_of(i, count) * limit >> 32);
}

/* ---- reference */

void bench_data_create(bench_data_t *data, const bench_case_t *bench_case, bool check) {
  void *arguments[BENCH_MAX_ARGUMENTS] = {NULL};
  memset(data, 0, sizeof(*data));
  bench_case->set_up(data, check ? bench_case->check_size : bench_case->size);
  for (size_t i = 0; i < data->argument_count; i++) {
    bench_argument_t *argument = &data->arguments[i];
    arguments[i] = argument->kind == BENCH_VALUE ? argument->value : argument->contents;
  }
  bench_case->reference(arguments);
}

void bench_data_release(bench_data_t *data) {
  for (size_t i = 0; i < data->argument_count; i++) free(data->arguments[i].contents);
}

static double element(bench_type_e type, const void *array, size_t index) {
  switch (type) {
    case BENCH_U8: return ((const uint8_t *)array)[index];
    case BENCH_I32: return ((const int32_t *)array)[index];
    case BENCH_U32: return ((const uint32_t *)array)[index];
    case BENCH_F32: return (double)((const float *)array)[index];
  }
  abort();
}

static bool is_near(const bench_case_t *bench_case, bench_type_e type, double found, double expected) {
  const double relative = type == BENCH_F32 ? bench_case->relative : 0;
  if (isnan(found) || isnan(expected)) return isnan(found) && isnan(expected);
  return found == expected || fabs(found - expected) <= relative * fabs(expected) + bench_case->absolute;
}

bool bench_output_check(const bench_case_t *bench_case, const bench_data_t *data, size_t index, const void *found,
                        const char *who) {
  const bench_argument_t *argument = &data->arguments[index];
  size_t differing = 0, first = 0;
  for (size_t i = 0; i < argument->count; i++) {
    const double expected = element(argument->type, argument->contents, i);
    if (is_near(bench_case, argument->type, element(argument->type, found, i), expected)) continue;
    if (differing++ == 0) first = i;
  }
  if ((double)differing <= bench_case->may_differ * (double)argument->count) return true;
  fprintf(stderr, "%s: %s: argument %zu: %zu of %zu elements differ, first [%zu]: %.9g, not %.9g\n", bench_case->name,
          who, index, differing, argument->count, first, element(argument->type, found, first),
          element(argument->type, argument->contents, first));
  return false;
}
