/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Barriers behind conditions on the work-items' ids, which hold for all work-items of a group or for none. Every
 * condition is tried in every place that decides on a barrier. */
#include <stdio.h>

#include "test_device.h"

typedef unsigned int uint;
typedef unsigned long ulong;

enum { GROUPS_X = 3, GROUPS_Y = 2, LARGEST = 64, ELEMENTS = GROUPS_X * GROUPS_Y * LARGEST, STEPS = 3 };

static const char frame[] =
    "#define FORM(name) kernel void name(global const uint *in, global uint *out, local uint *tile, uint n, ulong "
    "end)\n"
    "#define BEGIN \\\n"
    "  const size_t lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2); \\\n"
    "  const size_t gx = get_global_id(0), gy = get_global_id(1), sx = get_local_size(0); \\\n"
    "  const uint item = get_local_linear_id(), count = sx * get_local_size(1) * get_local_size(2); \\\n"
    "  const size_t place = (get_group_id(1) * get_num_groups(0) + get_group_id(0)) * count + item; \\\n"
    "  uint v = in[place], i = 0\n"
    "#define MEET \\\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); \\\n"
    "  v = 3 * v + tile[count - 1 - item]; \\\n"
    "  barrier(CLK_LOCAL_MEM_FENCE)\n"
    "#define EXCHANGE tile[item] = v; MEET\n"
    /* Nothing is done between the condition and the barrier, */
    "FORM(returns) { BEGIN; out[place] = tile[item] = v; if (C) return; MEET; out[place] = v; }\n"
    "FORM(guards) { BEGIN; tile[item] = v; if (!(C)) { MEET; } out[place] = v; }\n"
    "FORM(breaks) { BEGIN; for (; i < 3; i++) { tile[item] = v; if (C) break; MEET; v += i; } out[place] = v + i; }\n"
    "FORM(continues) { BEGIN; for (; i < 3; i++) { tile[item] = v ^= i; if (C) continue; MEET; } out[place] = v; }\n"
    /* or something is. */
    "FORM(returns_late) { BEGIN; out[place] = v; EXCHANGE; if (C) return; EXCHANGE; out[place] = v; }\n"
    "FORM(repeats) { BEGIN; while (!(C) && i < 3) { i++; EXCHANGE; } out[place] = v + i; }\n"
    "FORM(switches) {\n"
    "  BEGIN;\n"
    "  switch ((C) ? 2 : n & 1) {\n"
    "    case 0: EXCHANGE; break;\n"
    "    case 1: v += item; EXCHANGE;\n"
    "    default: v ^= 5;\n"
    "  }\n"
    "  out[place] = v;\n"
    "}\n"
    "FORM(selects) {\n"
    "  BEGIN;\n"
    "  if (C) { EXCHANGE; v += item; } else { v *= 5; EXCHANGE; }\n"
    "  out[place] = v;\n"
    "}\n";

/* Where a work-item is, and what the kernel gets. */
typedef struct item_t {
  ulong lx, ly, lz, gx, gy, sx, count;
  const uint *in;
  uint n;
  ulong end;
} item_t;

/** Whether the condition holds for a work-item in iteration i of a loop. */
typedef bool condition_t(const item_t *item, uint i);

/* `n` is 0, 1, or more than there are work-items; `end` is where a column of groups begins. */
#define CONDITIONS(X)                         \
  X(local_x, lx >= n)                         \
  X(local_y, ly >= n)                         \
  X(local_z, (int)lz - (int)n >= 0)           \
  X(local_xyz, lx >= n || ly >= n || lz >= n) \
  X(constant, lx >= 64)                       \
  X(global_x, gx >= end)                      \
  X(global_narrow, (int)gx - (int)end >= 0)   \
  X(column, gx / sx % 2 == 1)                 \
  X(masked, (lx & 1024) == (n & 1))           \
  X(loaded, in[lx] > n * 100000)              \
  X(stepped, lx + 1000 * i >= 64 + n)

#define DEFINE_CONDITION(NAME, EXPRESSION)                                                             \
  static bool holds_##NAME(const item_t *item, uint i) {                                               \
    const ulong lx = item->lx, ly = item->ly, lz = item->lz, gx = item->gx, gy = item->gy;             \
    const ulong sx = item->sx, end = item->end;                                                        \
    const uint n = item->n, *in = item->in;                                                            \
    (void)lx, (void)ly, (void)lz, (void)gx, (void)gy, (void)sx, (void)end, (void)n, (void)in, (void)i; \
    return EXPRESSION;                                                                                 \
  }
CONDITIONS(DEFINE_CONDITION)

/* A work-group: its work-items and the value of each. */
typedef struct group_t {
  condition_t *holds;
  uint count, n;
  item_t items[LARGEST];
  uint v[LARGEST];
} group_t;

/* Whether the condition holds, which is a fault of this test if not for all or none. */
static bool holds(const group_t *group, uint i) {
  const bool first = group->holds(&group->items[0], i);
  for (uint k = 1; k < group->count; k++) assert_int_equal(group->holds(&group->items[k], i), first);
  return first;
}

static void exchange(group_t *group) {
  uint tile[LARGEST];
  memcpy(tile, group->v, sizeof(tile));
  for (uint k = 0; k < group->count; k++) group->v[k] = 3 * tile[k] + tile[group->count - 1 - k];
}

static void add(group_t *group, uint value) {
  for (uint k = 0; k < group->count; k++) group->v[k] += value;
}

static void add_items(group_t *group) {
  for (uint k = 0; k < group->count; k++) group->v[k] += k;
}

static void flip(group_t *group, uint bits) {
  for (uint k = 0; k < group->count; k++) group->v[k] ^= bits;
}

/** What a kernel does with a group. */
typedef void form_t(group_t *group);

static void do_returns(group_t *group) {
  if (!holds(group, 0)) exchange(group);
}

static void do_returns_late(group_t *group) {
  group_t first = *group;
  exchange(group);
  if (holds(group, 0)) {
    *group = first;
  } else {
    exchange(group);
  }
}

static void do_guards(group_t *group) { do_returns(group); }

static void do_breaks(group_t *group) {
  uint i = 0;
  for (; i < STEPS && !holds(group, i); i++) {
    exchange(group);
    add(group, i);
  }
  add(group, i);
}

static void do_continues(group_t *group) {
  for (uint i = 0; i < STEPS; i++) {
    flip(group, i);
    if (!holds(group, i)) exchange(group);
  }
}

static void do_repeats(group_t *group) {
  uint i = 0;
  for (; i < STEPS && !holds(group, i); i++) exchange(group);
  add(group, i);
}

static void do_switches(group_t *group) {
  if (!holds(group, 0)) {
    if (group->n & 1) add_items(group);
    exchange(group);
    if (!(group->n & 1)) return;
  }
  flip(group, 5);
}

static void do_selects(group_t *group) {
  if (holds(group, 0)) {
    exchange(group);
    add_items(group);
  } else {
    for (uint k = 0; k < group->count; k++) group->v[k] *= 5;
    exchange(group);
  }
}

#define FORMS(X) X(returns) X(returns_late) X(guards) X(breaks) X(continues) X(repeats) X(switches) X(selects)
static const struct {
  const char *name;
  form_t *run;
} forms[] = {
#define LIST_FORM(NAME) {#NAME, do_##NAME},
    FORMS(LIST_FORM)};
enum { FORM_COUNT = sizeof(forms) / sizeof(forms[0]) };

typedef struct case_t {
  const char *condition;
  condition_t *holds;
} case_t;

typedef struct launch_t {
  const char *condition, *form;
  size_t local[3];
  uint n;
  ulong end;
} launch_t;

static uint in[ELEMENTS];

static void place_items(const launch_t *launch, uint group_x, uint group_y, group_t *group) {
  const size_t *local = launch->local;
  group->count = (uint)(local[0] * local[1] * local[2]);
  group->n = launch->n;
  for (uint k = 0; k < group->count; k++) {
    const ulong x = k % local[0], y = k / local[0] % local[1], z = k / local[0] / local[1];
    group->items[k] = (item_t){.lx = x,
                               .ly = y,
                               .lz = z,
                               .gx = group_x * local[0] + x,
                               .gy = group_y * local[1] + y,
                               .sx = local[0],
                               .in = in,
                               .n = launch->n,
                               .end = launch->end};
  }
}

static void check(const launch_t *launch, condition_t *holds_for, form_t *form, const uint *actual) {
  for (uint number = 0; number < GROUPS_X * GROUPS_Y; number++) {
    group_t group = {.holds = holds_for};
    place_items(launch, number % GROUPS_X, number / GROUPS_X, &group);
    const uint first = number * group.count;
    memcpy(group.v, &in[first], group.count * sizeof(uint));
    form(&group);
    for (uint k = 0; k < group.count; k++) {
      if (actual[first + k] == group.v[k]) continue;
      fail_msg("%s where %s, n = %u, end = %lu, %zu x %zu x %zu work-items: number %u of group %u has %u, not %u",
               launch->form, launch->condition, launch->n, launch->end, launch->local[0], launch->local[1],
               launch->local[2], k, number, actual[first + k], group.v[k]);
    }
  }
}

static void run_launch(cl_kernel kernel, const launch_t *launch, uint *actual) {
  const size_t *local = launch->local, range[] = {GROUPS_X * local[0], GROUPS_Y * local[1], local[2]};
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(in), NULL)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, LARGEST * sizeof(uint), NULL));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof(launch->n), &launch->n));
  ASSERT_CL(clSetKernelArg(kernel, 4, sizeof(launch->end), &launch->end));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 3, NULL, range, local, 0, NULL, NULL));
  test_read(buffers[1], sizeof(in), actual);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
}

static void run_form(const case_t *one, size_t form, cl_program program) {
  static const size_t sizes[][3] = {{1, 1, 1}, {7, 1, 1}, {16, 1, 1}, {64, 1, 1}, {16, 4, 1}, {5, 3, 2}, {1, 4, 6}};
  static const uint limits[] = {0, 1, 1000};
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, forms[form].name, &error);
  ASSERT_CL(error);
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    for (uint k = 0; k < 3; k++) {
      launch_t launch = {.condition = one->condition, .form = forms[form].name, .n = limits[k], .end = k * sizes[i][0]};
      memcpy(launch.local, sizes[i], sizeof(launch.local));
      uint actual[ELEMENTS];
      /* Where one is not more than there are work-items, it is a limit that parts them. */
      if (launch.n == 1 && sizes[i][0] * sizes[i][1] * sizes[i][2] > 1) launch.n = 1001;
      run_launch(kernel, &launch, actual);
      check(&launch, one->holds, forms[form].run, actual);
    }
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

static void run_case(void **state) {
  const case_t *one = *state;
  char source[sizeof(frame) + 256];
  snprintf(source, sizeof(source), "#define C (%s)\n%s", one->condition, frame);
  for (uint i = 0; i < ELEMENTS; i++) in[i] = 2000 + (i * 2654435761u >> 20);
  cl_program program = test_program(source, "-cl-std=CL3.0");
  for (size_t form = 0; form < FORM_COUNT; form++) run_form(one, form, program);
  ASSERT_CL(clReleaseProgram(program));
}

#define CASE(NAME, EXPRESSION) {#NAME, run_case, NULL, NULL, (void *)&(case_t){#EXPRESSION, holds_##NAME}},

int main(void) {
  const struct CMUnitTest tests[] = {CONDITIONS(CASE)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
