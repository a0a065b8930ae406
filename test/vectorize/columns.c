/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-items of two dimensions that exchange rows with columns. */
#include "test_device.h"

typedef unsigned int uint;

enum { PITCH = 64, ELEMENTS = PITCH * PITCH, LARGEST_NUMBER = 1000 };

/* T is a type of numbers; all of these are small enough for it. Each kernel works on one matrix of `in`, and on one or
 * two of `out`. */
static const char source[] =
    "#define KERNEL(name) kernel void name(global const T *restrict in, global T *restrict out, uint n)\n"
    "#define PLACE const size_t column = get_global_id(0), row = get_global_id(1)\n"
    "KERNEL(stored) {\n"
    "  PLACE;\n"
    "  out[column * n + row] = in[row * n + column];\n"
    "}\n"
    "KERNEL(loaded) {\n"
    "  PLACE;\n"
    "  out[row * n + column] = in[column * n + row] * (T)3 + (T)1;\n"
    "}\n"
    "KERNEL(both) {\n"
    "  PLACE;\n"
    "  out[column * n + row] = in[column * n + row] + in[row * n + column];\n"
    "}\n"
    "KERNEL(signed_numbers) {\n"
    "  const int column = get_global_id(0), row = get_global_id(1), pitch = (int)n;\n"
    "  out[column * pitch + row] = in[row * pitch + column];\n"
    "}\n"
    "KERNEL(constant_pitch) {\n"
    "  PLACE;\n"
    "  if (column >= 45 || row >= n - 33) return;\n"
    "  out[column * 64 + row] = in[row * 64 + column];\n"
    "}\n"
    "KERNEL(bounded) {\n"
    "  PLACE;\n"
    "  if (column < 45 && row < n - 33) out[column * n + row] = in[row * n + column];\n"
    "}\n"
    /* The work-item in the middle of a vector stores nothing. */
    "KERNEL(with_holes) {\n"
    "  PLACE;\n"
    "  if ((column & 7) != 5) out[column * n + row] = in[row * n + column];\n"
    "}\n"
    "KERNEL(twice) {\n"
    "  PLACE;\n"
    "  const T value = in[row * n + column];\n"
    "  out[column * n + row] = value;\n"
    "  out[4096 + column * n + row] = value + (T)5;\n"
    "}\n"
    "KERNEL(tile) {\n"
    "  local T block[16][17];\n"
    "  const size_t x = get_local_id(0), y = get_local_id(1);\n"
    "  PLACE;\n"
    "  block[y][x] = in[row * n + column];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  const size_t w = get_local_size(0), h = get_local_size(1);\n"
    "  if (w == h) out[(get_group_id(0) * w + y) * n + get_group_id(1) * h + x] = block[x][y];\n"
    "}\n";

typedef struct launch_t {
  uint n;
  size_t width, height, local[2];
} launch_t;

typedef struct place_t {
  uint column, row;
} place_t;

static uint in[ELEMENTS], expected[2 * ELEMENTS];

typedef void expect_t(const launch_t *launch, place_t at);

static void expect_stored(const launch_t *l, place_t at) {
  expected[at.column * l->n + at.row] = in[at.row * l->n + at.column];
}

static void expect_loaded(const launch_t *l, place_t at) {
  expected[at.row * l->n + at.column] = in[at.column * l->n + at.row] * 3 + 1;
}

static void expect_both(const launch_t *l, place_t at) {
  expected[at.column * l->n + at.row] = in[at.column * l->n + at.row] + in[at.row * l->n + at.column];
}

static void expect_constant_pitch(const launch_t *l, place_t at) {
  if (at.column < 45 && at.row < l->n - 33) expected[at.column * 64 + at.row] = in[at.row * 64 + at.column];
}

static void expect_bounded(const launch_t *l, place_t at) {
  if (at.column < 45 && at.row < l->n - 33) expect_stored(l, at);
}

static void expect_with_holes(const launch_t *l, place_t at) {
  if ((at.column & 7) != 5) expect_stored(l, at);
}

static void expect_twice(const launch_t *l, place_t at) {
  expect_stored(l, at);
  expected[ELEMENTS + at.column * l->n + at.row] = in[at.row * l->n + at.column] + 5;
}

static void expect_tile(const launch_t *l, place_t at) {
  if (l->local[0] == l->local[1]) expect_stored(l, at);
}

typedef struct type_t {
  const char *option;
  size_t size;
  bool is_float;
} type_t;

static const type_t types[] = {{"-cl-std=CL3.0 -DT=ushort", 2, false},
                               {"-cl-std=CL3.0 -DT=uint", 4, false},
                               {"-cl-std=CL3.0 -DT=ulong", 8, false},
                               {"-cl-std=CL3.0 -DT=float", 4, true},
                               {"-cl-std=CL3.0 -DT=double", 8, true}};

static void put(const type_t *type, void *array, size_t index, uint number) {
  unsigned char *to = (unsigned char *)array + index * type->size;
  const float narrow = (float)number;
  const double wide = number;
  const cl_ulong whole = number;
  memcpy(to, !type->is_float ? (const void *)&whole : type->size == 4 ? (const void *)&narrow : &wide, type->size);
}

static uint get(const type_t *type, const void *array, size_t index) {
  const unsigned char *from = (const unsigned char *)array + index * type->size;
  float narrow;
  double wide;
  cl_ulong whole = 0;
  if (!type->is_float) memcpy(&whole, from, type->size);
  if (type->is_float && type->size == 4) memcpy(&narrow, from, sizeof(narrow)), whole = (cl_ulong)narrow;
  if (type->is_float && type->size == 8) memcpy(&wide, from, sizeof(wide)), whole = (cl_ulong)wide;
  return (uint)whole;
}

typedef struct case_t {
  const char *name;
  expect_t *expect;
  /** Most work-items of a work-group in each dimension. */
  size_t most;
} case_t;

static void run_once(const case_t *one, const type_t *type, cl_kernel kernel, const launch_t *launch) {
  static cl_ulong given[ELEMENTS], result[2 * ELEMENTS];
  const size_t range[2] = {launch->width, launch->height};
  for (uint i = 0; i < ELEMENTS; i++) put(type, given, i, in[i]);
  for (uint i = 0; i < 2 * ELEMENTS; i++) put(type, result, i, expected[i] = LARGEST_NUMBER + i % 7);
  cl_mem buffers[] = {test_buffer(ELEMENTS * type->size, given), test_buffer(2 * ELEMENTS * type->size, result)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(launch->n), &launch->n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, range, launch->local, 0, NULL, NULL));
  test_read(buffers[1], 2 * ELEMENTS * type->size, result);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  for (uint row = 0; row < launch->height; row++) {
    for (uint column = 0; column < launch->width; column++) one->expect(launch, (place_t){column, row});
  }
  for (uint i = 0; i < 2 * ELEMENTS; i++) {
    const uint actual = get(type, result, i);
    if (actual == expected[i]) continue;
    fail_msg("%s, %s, n = %u, local size %zu by %zu: element %u is %u, should be %u", one->name, type->option,
             launch->n, launch->local[0], launch->local[1], i, actual, expected[i]);
  }
}

static void run_case(void **state) {
  const case_t *one = *state;
  /* Ranges and their work-groups: rows that are whole vectors, and others; as many rows as are merged, and others. */
  static const struct {
    size_t width, height, local[2];
  } shapes[] = {{52, 39, {52, 39}}, {52, 39, {26, 13}}, {52, 39, {13, 3}}, {52, 39, {1, 39}},
                {52, 39, {13, 13}}, {64, 36, {64, 36}}, {64, 36, {32, 4}}, {48, 8, {16, 8}},
                {64, 64, {16, 16}}, {64, 64, {8, 8}},   {32, 64, {32, 64}}};
  for (uint i = 0; i < ELEMENTS; i++) in[i] = (i * 2654435761u >> 7) % LARGEST_NUMBER;
  for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
    cl_kernel kernel = test_kernel(source, types[t].option, one->name);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
      const size_t *local = shapes[i].local;
      const launch_t launch = {PITCH, shapes[i].width, shapes[i].height, {local[0], local[1]}};
      if (local[0] <= one->most && local[1] <= one->most) run_once(one, &types[t], kernel, &launch);
    }
    ASSERT_CL(clReleaseKernel(kernel));
  }
}

#define CASE(NAME, EXPECT, MOST)                                                    \
  {                                                                                 \
    #NAME, run_case, NULL, NULL, (void *)&(case_t) { #NAME, expect_##EXPECT, MOST } \
  }

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(stored, stored, PITCH),         CASE(loaded, loaded, PITCH),   CASE(both, both, PITCH),
      CASE(signed_numbers, stored, PITCH), CASE(bounded, bounded, PITCH), CASE(constant_pitch, constant_pitch, PITCH),
      CASE(with_holes, with_holes, PITCH), CASE(twice, twice, PITCH),     CASE(tile, tile, 16),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
