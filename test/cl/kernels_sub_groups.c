/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-groups (OpenCL C section 6.15.19 and the extensions): every function in every type, with every size, in ranges of
 * one to three dimensions whose rows fill sub-groups or not, where all work-items take part and where some do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

/* cl_intel_required_subgroup_size, which some headers do not have. */
#ifndef CL_DEVICE_SUB_GROUP_SIZES_INTEL
#define CL_DEVICE_SUB_GROUP_SIZES_INTEL 0x4108
#endif

/** Operations with a reduction, both scans and a clustered reduction; those behind `add` and so on are for integers. */
#define NUMBER_LIST(X) X(add) X(mul) X(min) X(max)
#define BIT_LIST(X) X(and) X(or) X(xor)
#define LOGICAL_LIST(X) X(logical_and) X(logical_or) X(logical_xor)
#define OPERATION_LIST(X) NUMBER_LIST(X) BIT_LIST(X) LOGICAL_LIST(X)

typedef enum operation_e {
#define OPERATION_ENUM(name) op_##name,
  OPERATION_LIST(OPERATION_ENUM)
#undef OPERATION_ENUM
      operation_count
} operation_e;

/** What is done with each operation. */
enum { reduce, scan_inclusive, scan_exclusive, clustered, forms };

/** Functions that exchange values, and those that answer about work-items; results are at these places. */
enum {
  shuffle,
  shuffle_xor,
  shuffle_up,
  shuffle_down,
  rotate,
  clustered_rotate,
  broadcast,
  broadcast_first,
  exchanges
};
enum {
  vote_any,
  vote_all,
  vote_all_equal,
  elect,
  ballot_0,
  ballot_1,
  ballot_rest,
  inverse_ballot,
  bit_extract,
  bit_count,
  inclusive_count,
  exclusive_count,
  find_lsb,
  find_msb,
  eq_mask,
  ge_mask,
  gt_mask,
  le_mask,
  lt_mask,
  votes
};
enum { place_id, place_local_id, place_size, place_max_size, place_count, place_enqueued_count, places };

/** Where values are fetched. */
enum { far_lane = 2 };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#if defined(SIZE)\n"
    "#define SUB_GROUPS __attribute__((intel_reqd_sub_group_size(SIZE)))\n"
    "#define CLUSTER (SIZE < 4 ? SIZE : 4)\n"
    "#else\n"
    "#define SUB_GROUPS\n"
    "#define CLUSTER 1\n"
    "#endif\n"
    "#define OUT(place) out[(place) * n + i]\n"
    "#define UNIFORM(some, name) \\\n"
    "  OUT(4 * op_##name) = sub_group_##some##reduce_##name(value); \\\n"
    "  OUT(4 * op_##name + 1) = sub_group_##some##scan_inclusive_##name(value); \\\n"
    "  OUT(4 * op_##name + 2) = sub_group_##some##scan_exclusive_##name(value);\n"
    "#define SOME(name) UNIFORM(non_uniform_, name) \\\n"
    "  OUT(4 * op_##name + 3) = sub_group_clustered_reduce_##name(value, CLUSTER);\n"
    "#define MASK(place, name) OUT(place) = get_sub_group_##name##_mask().x + 3 * get_sub_group_##name##_mask().y;\n"
    "size_t number(void) {\n"
    "  return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);\n"
    "}\n"
    "int takes_part(int condition, int value) {\n"
    "  switch (condition) {\n"
    "    case 0: return 1;\n"
    "    case 1: return get_sub_group_local_id() & 1;\n"
    "    case 2: return value % 3 == 0;\n"
    "    case 3: return get_sub_group_id() == 0;\n"
    "    default: return value > 2 && get_sub_group_local_id() != 2;\n"
    "  }\n"
    "}\n"
    "SUB_GROUPS kernel void arithmetic(global const T *in, global T *out, ulong n, int condition) {\n"
    "  const size_t i = number();\n"
    "  const T value = in[i];\n"
    "  if (condition < 0) {\n"
    "    UNIFORM(, add) UNIFORM(, min) UNIFORM(, max)\n"
    "  } else if (takes_part(condition, (int)value)) {\n"
    "    SOME(add) SOME(mul) SOME(min) SOME(max)\n"
    "#ifdef IS_INTEGER\n"
    "    SOME(and) SOME(or) SOME(xor)\n"
    "#endif\n"
    "  }\n"
    "}\n"
    "SUB_GROUPS kernel void logical(global const int *in, global int *out, ulong n, int condition) {\n"
    "  const size_t i = number();\n"
    "  const int value = in[i] & 6;\n"
    "  if (takes_part(condition, in[i])) {\n"
    "    SOME(logical_and) SOME(logical_or) SOME(logical_xor)\n"
    "  }\n"
    "}\n"
    "SUB_GROUPS kernel void exchange(global const T *in, global T *out, ulong n, int condition) {\n"
    "  const size_t i = number();\n"
    "  const T value = in[i];\n"
    "  const uint own = get_sub_group_local_id();\n"
    "  if (takes_part(condition, (int)value)) {\n"
    "    OUT(0) = sub_group_shuffle(value, (own * 5 + 1) % get_max_sub_group_size());\n"
    "    OUT(1) = sub_group_shuffle_xor(value, 1);\n"
    "    OUT(2) = sub_group_shuffle_up(value, 2);\n"
    "    OUT(3) = sub_group_shuffle_down(value, 1);\n"
    "    OUT(4) = sub_group_rotate(value, 3);\n"
    "    OUT(5) = sub_group_clustered_rotate(value, 1, CLUSTER);\n"
    "    OUT(6) = sub_group_non_uniform_broadcast(value, min(2u, get_max_sub_group_size() - 1));\n"
    "    OUT(7) = sub_group_broadcast_first(value);\n"
    "  }\n"
    "}\n"
    "SUB_GROUPS kernel void vote(global const T *in, global uint *out, ulong n, int condition) {\n"
    "  const size_t i = number();\n"
    "  const T value = in[i];\n"
    "  if (takes_part(condition, (int)value)) {\n"
    "    OUT(0) = sub_group_non_uniform_any(value == 3);\n"
    "    OUT(1) = sub_group_non_uniform_all(value != 3);\n"
    "    OUT(2) = sub_group_non_uniform_all_equal((T)(value > 2));\n"
    "    OUT(3) = sub_group_elect();\n"
    "    const uint4 ballot = sub_group_ballot(value > 1);\n"
    "    OUT(4) = ballot.x;\n"
    "    OUT(5) = ballot.y;\n"
    "    OUT(6) = ballot.z | ballot.w;\n"
    "    OUT(7) = sub_group_inverse_ballot(ballot);\n"
    "    OUT(8) = sub_group_ballot_bit_extract(ballot, min(2u, get_max_sub_group_size() - 1));\n"
    "    OUT(9) = sub_group_ballot_bit_count(ballot);\n"
    "    OUT(10) = sub_group_ballot_inclusive_scan(ballot);\n"
    "    OUT(11) = sub_group_ballot_exclusive_scan(ballot);\n"
    "    OUT(12) = any(ballot != 0) ? sub_group_ballot_find_lsb(ballot) : 77;\n"
    "    OUT(13) = any(ballot != 0) ? sub_group_ballot_find_msb(ballot) : 77;\n"
    "    MASK(14, eq) MASK(15, ge) MASK(16, gt) MASK(17, le) MASK(18, lt)\n"
    "  }\n"
    "}\n"
    "SUB_GROUPS kernel void place(global uint *out, ulong n) {\n"
    "  const size_t i = number();\n"
    "  OUT(0) = get_sub_group_id();\n"
    "  OUT(1) = get_sub_group_local_id();\n"
    "  OUT(2) = get_sub_group_size();\n"
    "  OUT(3) = get_max_sub_group_size();\n"
    "  OUT(4) = get_num_sub_groups();\n"
    "  OUT(5) = get_enqueued_num_sub_groups();\n"
    "}\n";

typedef struct range_t {
  cl_uint dimensions;
  size_t global[3], local[3];
} range_t;

static const range_t ranges[] = {
    {1, {256, 1, 1}, {64, 1, 1}}, {1, {230, 1, 1}, {100, 1, 1}}, {1, {5, 1, 1}, {1, 1, 1}},
    {2, {21, 11, 1}, {7, 5, 1}},  {2, {64, 4, 1}, {32, 2, 1}},   {3, {9, 7, 5}, {4, 3, 2}},
};
enum { most_items = 320, range_count = sizeof(ranges) / sizeof(ranges[0]), conditions = 5 };

static size_t items_of(const range_t *range) { return range->global[0] * range->global[1] * range->global[2]; }

/** A sub-group as the host sees it. */
typedef struct sub_group_t {
  size_t count, id, full, in_group, enqueued;
  /** The work-items' global linear ids, and which take part. */
  size_t items[64];
  bool is_on[64];
} sub_group_t;

typedef void (*visit_t)(const sub_group_t *sub_group, void *data);

/** Which work-items form sub-groups. */
typedef struct division_t {
  size_t full;
  /** Rows along x that are shorter than a vector are sub-groups, also the shorter ones at the end of a range. */
  bool follows_lines;
} division_t;

/** Calls `visit` for each sub-group of the work-group that begins at `origin`. */
static void each_of_group(const range_t *range, const size_t origin[3], division_t division, visit_t visit,
                          void *data) {
  size_t items[most_items], count = 0, size[3], enqueued = 1;
  for (int d = 0; d < 3; d++) {
    size_t left = range->global[d] - origin[d];
    size[d] = left < range->local[d] ? left : range->local[d];
    enqueued *= range->local[d];
  }
  for (size_t z = 0; z < size[2]; z++) {
    for (size_t y = 0; y < size[1]; y++) {
      for (size_t x = 0; x < size[0]; x++) {
        items[count++] = ((origin[2] + z) * range->global[1] + origin[1] + y) * range->global[0] + origin[0] + x;
      }
    }
  }
  const size_t full = division.full, step = division.follows_lines ? size[0] : full;
  for (size_t first = 0; first < count; first += step) {
    sub_group_t sub_group = {.id = first / step,
                             .full = full,
                             .in_group = (count + step - 1) / step,
                             .enqueued = (enqueued + full - 1) / full};
    sub_group.count = count - first < step ? count - first : step;
    memcpy(sub_group.items, items + first, sub_group.count * sizeof(*items));
    visit(&sub_group, data);
  }
}

static void each_sub_group(const range_t *range, division_t division, visit_t visit, void *data) {
  for (size_t z = 0; z < range->global[2]; z += range->local[2]) {
    for (size_t y = 0; y < range->global[1]; y += range->local[1]) {
      for (size_t x = 0; x < range->global[0]; x += range->local[0]) {
        each_of_group(range, (const size_t[]){x, y, z}, division, visit, data);
      }
    }
  }
}

/** A device type: how arrays of it are made from doubles and read back. */
typedef struct type_t {
  const char *name;
  size_t size;
  bool is_integer;
  double lowest, highest;
  void (*store)(void *array, size_t index, double value);
  double (*load)(const void *array, size_t index);
} type_t;

#define TYPE_LIST(X)                          \
  X(cl_char, true, CL_CHAR_MIN, CL_CHAR_MAX)  \
  X(cl_uchar, true, 0, CL_UCHAR_MAX)          \
  X(cl_short, true, CL_SHRT_MIN, CL_SHRT_MAX) \
  X(cl_ushort, true, 0, CL_USHRT_MAX)         \
  X(cl_int, true, CL_INT_MIN, CL_INT_MAX)     \
  X(cl_uint, true, 0, CL_UINT_MAX)            \
  X(cl_long, true, CL_LONG_MIN, CL_LONG_MAX)  \
  X(cl_ulong, true, 0, CL_ULONG_MAX)          \
  X(cl_float, false, -INFINITY, INFINITY)     \
  X(cl_double, false, -INFINITY, INFINITY)

#define DEFINE_ACCESS(type, integer, low, high)                                                               \
  static void store_##type(void *array, size_t index, double value) { ((type *)array)[index] = (type)value; } \
  static double load_##type(const void *array, size_t index) { return (double)((const type *)array)[index]; }
TYPE_LIST(DEFINE_ACCESS)

__extension__ typedef _Float16 half_t;

static void store_half(void *array, size_t index, double value) { ((half_t *)array)[index] = (half_t)value; }
static double load_half(const void *array, size_t index) { return (double)((const half_t *)array)[index]; }

static const type_t types[] = {
#define TYPE_ENTRY(type, integer, low, high) \
  {#type + 3, sizeof(type), integer, (double)(low), (double)(high), store_##type, load_##type},
    TYPE_LIST(TYPE_ENTRY)
#undef TYPE_ENTRY
        {"half", sizeof(half_t), false, -INFINITY, INFINITY, store_half, load_half},
};
enum { type_count = sizeof(types) / sizeof(types[0]), int_type = 4, uint_type = 5 };

/** One launch, as the host expects it. NAN stands for what is not defined. */
typedef struct launch_t {
  const type_t *type;
  size_t items;
  int condition;
  /** Work-items of a cluster. */
  size_t cluster;
  double in[most_items];
  double expected[operation_count * forms * most_items];
} launch_t;

/** What the work-items that do not take part leave there. */
enum { untouched = 99 };

static void choose(const launch_t *launch, const sub_group_t *from, sub_group_t *to) {
  *to = *from;
  for (size_t lane = 0; lane < from->count; lane++) {
    const double value = launch->in[from->items[lane]];
    bool takes_part[conditions] = {true, lane & 1, (int)value % 3 == 0, from->id == 0, value > 2 && lane != 2};
    to->is_on[lane] = launch->condition < 0 || takes_part[launch->condition];
  }
}

/** Modulo 2 to the power of the type's bits, as C converts. */
static double wrapped(const type_t *type, int64_t value) {
  switch (type->size) {
    case 1: return type->lowest < 0 ? (double)(int8_t)value : (double)(uint8_t)value;
    case 2: return type->lowest < 0 ? (double)(int16_t)value : (double)(uint16_t)value;
    case 4: return type->lowest < 0 ? (double)(int32_t)value : (double)(uint32_t)value;
    default: return type->lowest < 0 ? (double)value : (double)(uint64_t)value;
  }
}

static double combine_numbers(const type_t *type, operation_e operation, double a, double b) {
  if (operation == op_min) return a < b ? a : b;
  if (operation == op_max) return a > b ? a : b;
  if (!type->is_integer) return operation == op_add ? a + b : a * b;
  /* Products are of powers of two up to 2 to the 64, which a double has exactly. */
  double exact = operation == op_add ? a + b : a * b;
  if (fabs(exact) >= 0x1p64) return 0;
  return wrapped(type, exact >= 0x1p63 ? (int64_t)(uint64_t)exact : (int64_t)exact);
}

static double combine(const type_t *type, operation_e operation, double a, double b) {
  const bool x = a != 0, y = b != 0;
  switch (operation) {
    case op_logical_and: return x && y;
    case op_logical_or: return x || y;
    case op_logical_xor: return x != y;
    case op_and: return wrapped(type, (int64_t)a & (int64_t)b);
    case op_or: return wrapped(type, (int64_t)a | (int64_t)b);
    case op_xor: return wrapped(type, (int64_t)a ^ (int64_t)b);
    default: return combine_numbers(type, operation, a, b);
  }
}

static double identity(const type_t *type, operation_e operation) {
  switch (operation) {
    case op_mul:
    case op_logical_and: return 1;
    case op_min: return type->highest;
    case op_max: return type->lowest;
    case op_and: return -1;
    default: return 0;
  }
}

static double operand(const launch_t *launch, operation_e operation, size_t item) {
  return operation >= op_logical_and ? ((int)launch->in[item] & 6) != 0 : launch->in[item];
}

static void expect_operation(launch_t *launch, const sub_group_t *group, operation_e operation) {
  double all = identity(launch->type, operation), part = all;
  double *out[forms];
  for (int form = 0; form < forms; form++)
    out[form] = &launch->expected[((size_t)operation * forms + (size_t)form) * launch->items];
  for (size_t lane = 0; lane < group->count; lane++) {
    if (!group->is_on[lane]) continue;
    out[scan_exclusive][group->items[lane]] = operation == op_and ? wrapped(launch->type, (int64_t)all) : all;
    all = combine(launch->type, operation, all, operand(launch, operation, group->items[lane]));
    out[scan_inclusive][group->items[lane]] = all;
  }
  for (size_t lane = 0; lane < group->count; lane++) {
    if (!group->is_on[lane]) continue;
    const size_t begin = lane / launch->cluster * launch->cluster;
    part = identity(launch->type, operation);
    for (size_t other = begin; other < begin + launch->cluster && other < group->count; other++) {
      if (group->is_on[other])
        part = combine(launch->type, operation, part, operand(launch, operation, group->items[other]));
    }
    out[reduce][group->items[lane]] = all;
    out[clustered][group->items[lane]] = launch->condition < 0 ? untouched : part;
  }
}

static void expect_arithmetic(const sub_group_t *from, void *data) {
  launch_t *launch = data;
  sub_group_t group;
  choose(launch, from, &group);
  for (operation_e operation = op_add; operation <= op_xor; operation++) {
    if (operation >= op_and && (!launch->type->is_integer || launch->condition < 0)) continue;
    if (operation == op_mul && launch->condition < 0) continue;
    expect_operation(launch, &group, operation);
  }
}

static void expect_logical(const sub_group_t *from, void *data) {
  launch_t *launch = data;
  sub_group_t group;
  choose(launch, from, &group);
  for (operation_e operation = op_logical_and; operation <= op_logical_xor; operation++) {
    expect_operation(launch, &group, operation);
  }
}

/** The value of a work-item that takes part. */
static double fetched(const launch_t *launch, const sub_group_t *group, size_t lane) {
  return lane < group->count && group->is_on[lane] ? launch->in[group->items[lane]] : NAN;
}

static size_t first_on(const sub_group_t *group) {
  size_t lane = 0;
  while (lane < group->count && !group->is_on[lane]) lane++;
  return lane;
}

static void expect_exchange(const sub_group_t *from, void *data) {
  launch_t *launch = data;
  sub_group_t group;
  choose(launch, from, &group);
  const size_t full = group.full, cluster = launch->cluster;
  for (size_t lane = 0; lane < group.count; lane++) {
    if (!group.is_on[lane]) continue;
    const size_t fetch[exchanges] = {(lane * 5 + 1) % full,
                                     lane ^ 1,
                                     lane - 2,
                                     lane + 1,
                                     (lane + 3) % full,
                                     lane / cluster * cluster + (lane + 1) % cluster,
                                     far_lane < full ? far_lane : full - 1,
                                     first_on(&group)};
    for (size_t i = 0; i < exchanges; i++) {
      launch->expected[i * launch->items + group.items[lane]] = fetched(launch, &group, fetch[i]);
    }
  }
}

static uint32_t folded(uint64_t mask) { return (uint32_t)mask + 3 * (uint32_t)(mask >> 32); }

static void expect_vote(const sub_group_t *from, void *data) {
  launch_t *launch = data;
  sub_group_t group;
  choose(launch, from, &group);
  uint64_t three = 0, large = 0, ballot = 0, on = 0;
  for (size_t lane = 0; lane < group.count; lane++) {
    if (!group.is_on[lane]) continue;
    const double value = launch->in[group.items[lane]];
    const uint64_t bit = UINT64_C(1) << lane;
    on |= bit;
    if (value == 3) three |= bit;
    if (value > 2) large |= bit;
    if (value > 1) ballot |= bit;
  }
  const uint64_t all = ~UINT64_C(0) >> (64 - group.full);
  const size_t far = far_lane < group.full ? far_lane : group.full - 1;
  for (size_t lane = 0; lane < group.count; lane++) {
    if (!group.is_on[lane]) continue;
    const uint64_t bit = UINT64_C(1) << lane, below = bit - 1;
    const double answers[votes] = {
        [vote_any] = three != 0,
        [vote_all] = three == 0,
        [vote_all_equal] = large == 0 || large == on,
        [elect] = lane == first_on(&group),
        [ballot_0] = (uint32_t)ballot,
        [ballot_1] = (uint32_t)(ballot >> 32),
        [ballot_rest] = 0,
        [inverse_ballot] = (ballot & bit) != 0,
        [bit_extract] = (double)(ballot >> far & 1),
        [bit_count] = __builtin_popcountll(ballot),
        [inclusive_count] = __builtin_popcountll(ballot & (below | bit)),
        [exclusive_count] = __builtin_popcountll(ballot & below),
        [find_lsb] = ballot ? __builtin_ctzll(ballot) : 77,
        [find_msb] = ballot ? 63 - __builtin_clzll(ballot) : 77,
        [eq_mask] = folded(bit),
        [ge_mask] = folded(all & ~below),
        [gt_mask] = folded(all & ~(below | bit)),
        [le_mask] = folded(below | bit),
        [lt_mask] = folded(below),
    };
    for (size_t i = 0; i < votes; i++) launch->expected[i * launch->items + group.items[lane]] = answers[i];
  }
}

static void expect_place(const sub_group_t *group, void *data) {
  launch_t *launch = data;
  for (size_t lane = 0; lane < group->count; lane++) {
    const size_t answers[places] = {group->id, lane, group->count, group->full, group->in_group, group->enqueued};
    for (size_t i = 0; i < places; i++) {
      launch->expected[i * launch->items + group->items[lane]] = (double)answers[i];
    }
  }
}

static size_t sub_group_size(cl_kernel kernel, cl_uint dimensions, const size_t *local) {
  size_t size = 0;
  ASSERT_CL(clGetKernelSubGroupInfo(kernel, dut.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                    dimensions * sizeof(size_t), local, sizeof(size), &size, NULL));
  return size;
}

static division_t division_of(cl_kernel kernel, const range_t *range) {
  const size_t row = range->local[0], many = 1024, *local = range->local;
  const size_t full = sub_group_size(kernel, range->dimensions, local);
  const bool is_short = full == row && full < sub_group_size(kernel, 1, &many);
  return (division_t){full, is_short && local[1] * local[2] > 1};
}

static void compare(const launch_t *launch, const type_t *result, const char *what, const range_t *range, size_t full,
                    const void *got, size_t count) {
  for (size_t i = 0; i < count * launch->items; i++) {
    const double value = result->load(got, i);
    double expected = launch->expected[i], stored;
    if (isnan(expected)) continue;
    if (!result->is_integer) { /* products may be too large for a half */
      result->store(&stored, 0, expected);
      expected = result->load(&stored, 0);
    }
    if (value == expected) continue;
    fail_msg(
        "%s, %s, condition %d, sub-groups of %zu, range %zu x %zu x %zu: result %zu of work-item %zu is %g, not %g",
        launch->type->name, what, launch->condition, full, range->global[0], range->global[1], range->global[2],
        i / launch->items, i % launch->items, value, expected);
  }
}

/** Launches a kernel over a range, `in` of the launch being its first argument unless it takes none, and compares the
 * `count` results of type `result` of each work-item. */
static void run(cl_program program, const char *name, const range_t *range, launch_t *launch, const type_t *result,
                size_t count, visit_t expect) {
  static cl_ulong host[operation_count * forms * most_items];
  cl_int error;
  launch->items = items_of(range);
  for (size_t i = 0; i < count * launch->items; i++) {
    launch->expected[i] = untouched;
    result->store(host, i, untouched);
  }
  cl_mem out = test_buffer(count * launch->items * result->size, host);
  for (size_t i = 0; i < launch->items; i++) launch->type->store(host, i, launch->in[i]);
  cl_mem in = test_buffer(launch->items * launch->type->size, host);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  const cl_ulong n = launch->items;
  const cl_int condition = launch->condition;
  const bool takes_values = expect != expect_place;
  cl_uint argument = 0;
  if (takes_values) ASSERT_CL(clSetKernelArg(kernel, argument++, sizeof(in), &in));
  ASSERT_CL(clSetKernelArg(kernel, argument++, sizeof(out), &out));
  ASSERT_CL(clSetKernelArg(kernel, argument++, sizeof(n), &n));
  if (takes_values) ASSERT_CL(clSetKernelArg(kernel, argument++, sizeof(condition), &condition));
  ASSERT_CL(
      clEnqueueNDRangeKernel(dut.queue, kernel, range->dimensions, NULL, range->global, range->local, 0, NULL, NULL));
  test_read(out, count * launch->items * result->size, host);
  const division_t division = division_of(kernel, range);
  each_sub_group(range, division, expect, launch);
  compare(launch, result, name, range, division.full, host, count);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(in));
  ASSERT_CL(clReleaseMemObject(out));
}

static cl_program build(const type_t *type, int size) {
  char options[1024];
  int length = snprintf(options, sizeof(options), "-cl-std=CL3.0 -DT=%s", type->name);
  if (type->is_integer) length += snprintf(options + length, sizeof(options) - (size_t)length, " -DIS_INTEGER");
  if (size) length += snprintf(options + length, sizeof(options) - (size_t)length, " -DSIZE=%d", size);
#define OPTION(name) \
  length += snprintf(options + length, sizeof(options) - (size_t)length, " -Dop_" #name "=%d", op_##name);
  OPERATION_LIST(OPTION)
  return test_program(source, options);
}

/** Small numbers; for products only as many twos as a double counts exactly. */
static void fill(launch_t *launch, const type_t *type, int condition) {
  launch->type = type;
  launch->condition = condition;
  for (size_t i = 0; i < most_items; i++) launch->in[i] = (double)((i * 7 + i / 64) % 3 + (i % 16 == 5 ? 2 : 0));
  for (size_t i = 0; condition >= 0 && i < most_items; i++) {
    static const double factors[] = {1, 2, 1, 4, 1, 1};
    launch->in[i] = factors[(i * 5 + i / 7) % 6];
    if (condition == 2 && i % 3) launch->in[i] = 3;
  }
}

static size_t cluster_of(int size) { return size == 0 ? 1 : size < 4 ? (size_t)size : 4; }

static void check_type(const type_t *type, int size) {
  static launch_t launch;
  launch.cluster = cluster_of(size);
  cl_program program = build(type, size);
  for (size_t r = 0; r < range_count; r++) {
    for (int condition = -1; condition < conditions; condition++) {
      fill(&launch, type, condition);
      run(program, "arithmetic", &ranges[r], &launch, type, (op_xor + 1) * forms, expect_arithmetic);
      if (condition < 0) continue;
      for (size_t i = 0; i < most_items; i++) launch.in[i] = (double)((i * 7 + i / 64) % 5);
      run(program, "exchange", &ranges[r], &launch, type, exchanges, expect_exchange);
      run(program, "vote", &ranges[r], &launch, &types[uint_type], votes, expect_vote);
    }
  }
  ASSERT_CL(clReleaseProgram(program));
}

static void has_every_function_in_every_type(void **state) {
  (void)state;
  for (size_t i = 0; i < type_count; i++) check_type(&types[i], i % 2 ? 8 : 16);
}

static void has_every_size(void **state) {
  (void)state;
  static launch_t launch;
  size_t sizes[16], bytes = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(sizes), sizes, &bytes));
  assert_true(bytes >= sizeof(size_t));
  for (size_t i = 0; i <= bytes / sizeof(size_t); i++) {
    int size = i < bytes / sizeof(size_t) ? (int)sizes[i] : 0;
    check_type(&types[int_type], size);
    launch.cluster = cluster_of(size);
    cl_program program = build(&types[int_type], size);
    for (size_t r = 0; r < range_count; r++) {
      fill(&launch, &types[int_type], 0);
      run(program, "place", &ranges[r], &launch, &types[uint_type], places, expect_place);
      for (launch.condition = 0; launch.condition < conditions; launch.condition++) {
        run(program, "logical", &ranges[r], &launch, &types[int_type], operation_count * forms, expect_logical);
      }
    }
    ASSERT_CL(clReleaseProgram(program));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(has_every_function_in_every_type),
      cmocka_unit_test(has_every_size),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
