/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-group collectives (OpenCL C section 6.15.16): every function in every type, in one to three dimensions, in whole
 * and in smaller work-groups, one after the other, in loops and in called functions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

/** Functions of one value; what `all` and `any` give is made a T. */
#define FUNCTION_LIST(X) \
  X(reduce_add)          \
  X(reduce_min)          \
  X(reduce_max)          \
  X(scan_inclusive_add)  \
  X(scan_inclusive_min)  \
  X(scan_inclusive_max)  \
  X(scan_exclusive_add)  \
  X(scan_exclusive_min)  \
  X(scan_exclusive_max)

enum {
#define FUNCTION_ENUM(name) name,
  FUNCTION_LIST(FUNCTION_ENUM)
#undef FUNCTION_ENUM
      function_all,
  function_any,
  function_broadcast,
  function_count
};

/** Every function, without anything between them, on values that are small, so that floats add them exactly. */
#define CALL(name) "  out[" #name " * n + i] = work_group_" #name "(value);\n"
static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "size_t index(void) {\n"
    "  return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);\n"
    "}\n"
    "T broadcast(T value) {\n"
    "  size_t x = get_local_size(0) - 1, y = get_local_size(1) / 2, z = get_local_size(2) - 1;\n"
    "  if (get_work_dim() == 1) return work_group_broadcast(value, x);\n"
    "  if (get_work_dim() == 2) return work_group_broadcast(value, x, y);\n"
    "  return work_group_broadcast(value, x, y, z);\n"
    "}\n"
    "kernel void each(global const T *in, global T *out, ulong n) {\n"
    "  const size_t i = index();\n"
    "  const T value = in[i];\n" FUNCTION_LIST(CALL)
    "  out[function_all * n + i] = work_group_all(value != 3);\n"
    "  out[function_any * n + i] = work_group_any(value == 3);\n"
    "  out[function_broadcast * n + i] = broadcast(value);\n"
    "}\n"
    "kernel void turns(global T *data, int count) {\n"
    "  const size_t i = index();\n"
    "  T value = data[i];\n"
    "  for (int turn = 0; turn < count; turn++) {\n"
    "    T sum = work_group_reduce_add(value), before = work_group_scan_exclusive_add((T)1);\n"
    "    value = work_group_any(sum > 0) ? (sum + before) / 64 : value + turn;\n"
    "    if (work_group_all(turn > 2)) value += work_group_reduce_max(value) > 8 ? 1 : 2;\n"
    "  }\n"
    "  data[i] = value;\n"
    "}\n";

typedef struct range_t {
  cl_uint dimensions;
  size_t global[3], local[3];
} range_t;

static const range_t ranges[] = {
    {1, {512, 1, 1}, {64, 1, 1}},    {1, {1000, 1, 1}, {48, 1, 1}}, {1, {7, 1, 1}, {1, 1, 1}},
    {1, {1024, 1, 1}, {1024, 1, 1}}, {2, {37, 11, 1}, {8, 4, 1}},   {2, {64, 64, 1}, {16, 16, 1}},
    {3, {9, 7, 5}, {4, 3, 2}},
};
enum { most_items = 4096, range_count = sizeof(ranges) / sizeof(ranges[0]) };

static size_t items_of(const range_t *range) { return range->global[0] * range->global[1] * range->global[2]; }

/** Work-items in the order of their linear ids, of the work-group that begins at `origin`. */
typedef struct group_t {
  size_t count, size[3];
  size_t items[most_items];
} group_t;

static void fill_group(const range_t *range, const size_t origin[3], group_t *group) {
  group->count = 0;
  for (int d = 0; d < 3; d++) {
    const size_t left = range->global[d] - origin[d];
    group->size[d] = left < range->local[d] ? left : range->local[d];
  }
  for (size_t z = 0; z < group->size[2]; z++) {
    for (size_t y = 0; y < group->size[1]; y++) {
      for (size_t x = 0; x < group->size[0]; x++) {
        group->items[group->count++] =
            ((origin[2] + z) * range->global[1] + origin[1] + y) * range->global[0] + origin[0] + x;
      }
    }
  }
}

/** Calls `visit` for each work-group of a range. */
static void each_group(const range_t *range, void (*visit)(const group_t *group, void *data), void *data) {
  static group_t group;
  for (size_t z = 0; z < range->global[2]; z += range->local[2]) {
    for (size_t y = 0; y < range->global[1]; y += range->local[1]) {
      for (size_t x = 0; x < range->global[0]; x += range->local[0]) {
        fill_group(range, (const size_t[]){x, y, z}, &group);
        visit(&group, data);
      }
    }
  }
}

/** The reference in double: all values of the test are exact in every type. `lowest` and `highest` are what exclusive
 * scans begin with. */
typedef struct reference_t {
  double lowest, highest;
  size_t items;
  double in[most_items], out[function_count * most_items];
} reference_t;

static double combine(int operation, double a, double b) {
  if (operation == 0) return a + b;
  return (operation == 1) == (a < b) ? a : b;
}

static void expect_group(const group_t *group, void *data) {
  reference_t *reference = data;
  const double identities[3] = {0, reference->highest, reference->lowest};
  double any = 0;
  const size_t last =
      ((group->size[2] - 1) * group->size[1] + group->size[1] / 2) * group->size[0] + group->size[0] - 1;
  for (size_t i = 0; i < group->count; i++) any += reference->in[group->items[i]] == 3;
  for (int operation = 0; operation < 3; operation++) {
    double all = identities[operation];
    for (size_t i = 0; i < group->count; i++) {
      const size_t item = group->items[i];
      reference->out[(size_t)(scan_exclusive_add + operation) * reference->items + item] = all;
      all = combine(operation, all, reference->in[item]);
      reference->out[(size_t)(scan_inclusive_add + operation) * reference->items + item] = all;
    }
    for (size_t i = 0; i < group->count; i++) {
      reference->out[(size_t)(reduce_add + operation) * reference->items + group->items[i]] = all;
    }
  }
  for (size_t i = 0; i < group->count; i++) {
    reference->out[function_all * reference->items + group->items[i]] = any == 0;
    reference->out[function_any * reference->items + group->items[i]] = any != 0;
    reference->out[function_broadcast * reference->items + group->items[i]] = reference->in[group->items[last]];
  }
}

/** As the kernel `turns` does it. */
static void turn_group(const group_t *group, void *data) {
  reference_t *reference = data;
  double *values = reference->in;
  for (int turn = 0; turn < 5; turn++) {
    double sum = 0, greatest = reference->lowest;
    for (size_t i = 0; i < group->count; i++) sum += values[group->items[i]];
    for (size_t i = 0; i < group->count; i++) {
      double *value = &values[group->items[i]];
      *value = sum > 0 ? (double)((long)(sum + (double)i) / 64) : *value + turn;
      if (*value > greatest) greatest = *value;
    }
    for (size_t i = 0; turn > 2 && i < group->count; i++) values[group->items[i]] += greatest > 8 ? 1 : 2;
  }
}

#define TYPE_LIST(X)                   \
  X(cl_int, CL_INT_MIN, CL_INT_MAX)    \
  X(cl_uint, 0, CL_UINT_MAX)           \
  X(cl_long, CL_LONG_MIN, CL_LONG_MAX) \
  X(cl_ulong, 0, CL_ULONG_MAX)         \
  X(cl_float, -INFINITY, INFINITY)     \
  X(cl_double, -INFINITY, INFINITY)

/** A device type: how arrays of it are made from doubles and read back. */
typedef struct type_t {
  const char *name;
  size_t size;
  double lowest, highest;
  void (*store)(void *array, size_t index, double value);
  double (*load)(const void *array, size_t index);
} type_t;

#define DEFINE_ACCESS(type, low, high)                                                                        \
  static void store_##type(void *array, size_t index, double value) { ((type *)array)[index] = (type)value; } \
  static double load_##type(const void *array, size_t index) { return (double)((const type *)array)[index]; }
TYPE_LIST(DEFINE_ACCESS)

static const type_t types[] = {
#define TYPE_ENTRY(type, low, high) {#type + 3, sizeof(type), (double)(low), (double)(high), store_##type, load_##type},
    TYPE_LIST(TYPE_ENTRY)
#undef TYPE_ENTRY
};
enum { type_count = sizeof(types) / sizeof(types[0]) };

static cl_program build(const type_t *type) {
  char options[1024];
  int length = snprintf(options, sizeof(options),
                        "-cl-std=CL3.0 -DT=%s -Dfunction_all=%d -Dfunction_any=%d"
                        " -Dfunction_broadcast=%d",
                        type->name, function_all, function_any, function_broadcast);
#define OPTION(name) length += snprintf(options + length, sizeof(options) - (size_t)length, " -D" #name "=%d", name);
  FUNCTION_LIST(OPTION)
  return test_program(source, options);
}

/** Values from 0 to 12 of which some work-groups have a 3 and some have not. */
static void fill(reference_t *reference, const type_t *type, const range_t *range) {
  reference->lowest = type->lowest;
  reference->highest = type->highest;
  reference->items = items_of(range);
  for (size_t i = 0; i < reference->items; i++) {
    reference->in[i] = (double)((i * 7 + i / 64) % 13);
    if (reference->in[i] == 3 && i / 128 % 2 == 0) reference->in[i] = 4;
  }
}

static void run(cl_kernel kernel, const range_t *range) {
  ASSERT_CL(
      clEnqueueNDRangeKernel(dut.queue, kernel, range->dimensions, NULL, range->global, range->local, 0, NULL, NULL));
}

static void compare(const type_t *type, const char *what, const range_t *range, const void *got, const double *expected,
                    size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double value = type->load(got, i);
    if (value == expected[i]) continue;
    fail_msg("%s, %s, range %zu x %zu x %zu: [%zu] is %g, not %g", type->name, what, range->global[0], range->global[1],
             range->global[2], i, value, expected[i]);
  }
}

static void each_function(cl_program program, const type_t *type, const range_t *range, reference_t *reference) {
  cl_int error;
  static cl_ulong host[function_count * most_items];
  fill(reference, type, range);
  const cl_ulong n = reference->items;
  each_group(range, expect_group, reference);
  for (size_t i = 0; i < n; i++) type->store(host, i, reference->in[i]);
  cl_kernel kernel = clCreateKernel(program, "each", &error);
  ASSERT_CL(error);
  cl_mem in = test_buffer(n * type->size, host), out = test_buffer(n * type->size * function_count, NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(in), &in));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(out), &out));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  run(kernel, range);
  test_read(out, n * type->size * function_count, host);
  compare(type, "each function", range, host, reference->out, n * function_count);
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void in_a_loop(cl_program program, const type_t *type, const range_t *range, reference_t *reference) {
  cl_int error;
  const cl_int turns = 5;
  static cl_ulong host[most_items];
  fill(reference, type, range);
  for (size_t i = 0; i < reference->items; i++) type->store(host, i, reference->in[i]);
  each_group(range, turn_group, reference);
  cl_kernel kernel = clCreateKernel(program, "turns", &error);
  ASSERT_CL(error);
  cl_mem data = test_buffer(reference->items * type->size, host);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(data), &data));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(turns), &turns));
  run(kernel, range);
  test_read(data, reference->items * type->size, host);
  compare(type, "in a loop", range, host, reference->in, reference->items);
  ASSERT_CL(clReleaseMemObject(data));
  ASSERT_CL(clReleaseKernel(kernel));
}

static bool is_integer(const type_t *type) { return strcmp(type->name, "float") && strcmp(type->name, "double"); }

static void every_type_and_range(void **state) {
  (void)state;
  if (!test_device_has_feature("__opencl_c_work_group_collective_functions")) skip();
  assert_int_equal(test_device_number(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT), CL_TRUE);
  reference_t *reference = malloc(sizeof(*reference));
  for (size_t t = 0; t < type_count; t++) {
    cl_program program = build(&types[t]);
    for (size_t r = 0; r < range_count; r++) {
      each_function(program, &types[t], &ranges[r], reference);
      /* The division there rounds towards zero, as integers do. */
      if (is_integer(&types[t])) in_a_loop(program, &types[t], &ranges[r], reference);
    }
    ASSERT_CL(clReleaseProgram(program));
  }
  free(reference);
}

/** What a group of one value, a whole vector of them, or some more gives for values that are all the same. */
static void expect_of_one_value(float value, void (*check)(const float *results)) {
  static const char text[] =
      "kernel void reduce(float value, global float *out) {\n"
      "  const float sum = work_group_reduce_add(value), least = work_group_reduce_min(value);\n"
      "  const float greatest = work_group_reduce_max(value);\n"
      "  if (get_local_id(0) == 0) { out[0] = sum; out[1] = least; out[2] = greatest; }\n"
      "}\n";
  static const size_t sizes[] = {1, 16, 37, 256};
  cl_int error;
  float results[3];
  cl_program program = test_program(text, "-cl-std=CL3.0");
  cl_kernel kernel = clCreateKernel(program, "reduce", &error);
  ASSERT_CL(error);
  cl_mem out = test_buffer(sizeof(results), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(value), &value));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out));
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    run(kernel, &(range_t){1, {sizes[i], 1, 1}, {sizes[i], 1, 1}});
    test_read(out, sizeof(results), results);
    check(results);
  }
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
}

static void expect_negative_zeros(const float *results) {
  for (int i = 0; i < 3; i++) assert_true(results[i] == 0 && signbit(results[i]));
}

static void expect_nans(const float *results) {
  for (int i = 0; i < 3; i++) assert_true(isnan(results[i]));
}

static void what_a_reduction_starts_with_is_not_seen(void **state) {
  (void)state;
  if (!test_device_has_feature("__opencl_c_work_group_collective_functions")) skip();
  expect_of_one_value(-0.0f, expect_negative_zeros);
  expect_of_one_value(NAN, expect_nans);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_and_range),
      cmocka_unit_test(what_a_reduction_starts_with_is_not_seen),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
