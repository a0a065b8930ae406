/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sub-groups and control flow: loops that work-items leave at different turns, branches within branches, early returns,
 * called functions, barriers of both kinds, atomics; with each size, optimised and not. */
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

/** Every kernel gets values, a place for results, and local memory of an int for each work-item. */
static const char source[] =
    "#ifdef SIZE\n"
    "#define KERNEL __attribute__((intel_reqd_sub_group_size(SIZE))) kernel void\n"
    "#else\n"
    "#define KERNEL kernel void\n"
    "#endif\n"
    "#define ARGUMENTS global const int *in, global int *out, local int *shared\n"
    "#define SUM sub_group_non_uniform_reduce_add\n"
    "KERNEL turns(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id();\n"
    "  const int count = in[i] & 7;\n"
    "  int sum = 0;\n"
    "  for (int turn = 0; turn < count; turn++) {\n"
    "    if (turn == 5 && in[i] & 8) break;\n"
    "    sum += SUM(1) * (turn + 1);\n"
    "    if (turn & 1) continue;\n"
    "    sum += 1000 * sub_group_non_uniform_scan_exclusive_add(1);\n"
    "  }\n"
    "  out[i] = sum;\n"
    "}\n"
    "KERNEL branches(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id();\n"
    "  int value = in[i], result;\n"
    "  if (value & 1) {\n"
    "    if (value & 2) result = SUM(value) + 7;\n"
    "    else result = SUM(value) * 3;\n"
    "  } else {\n"
    "    switch (value & 6) {\n"
    "      case 0: result = SUM(1); break;\n"
    "      case 2: result = SUM(10);  /* falls through */\n"
    "      case 4: result = SUM(100); break;\n"
    "      default: result = -1;\n"
    "    }\n"
    "  }\n"
    "  out[i] = result + SUM(1) * 10000;\n"
    "}\n"
    "KERNEL returns(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id();\n"
    "  out[i] = -5;\n"
    "  if (in[i] % 5 == 0) return;\n"
    "  int sum = SUM(in[i]);\n"
    "  if (sum & 1 && in[i] & 1) { out[i] = sum; return; }\n"
    "  out[i] = sum + SUM(in[i]);\n"
    "}\n"
    "__attribute__((noinline)) int deep(int value, int depth) {\n"
    "  int sum = sub_group_scan_inclusive_add(value);\n"
    "  for (int i = 0; i < depth; i++) sum += sub_group_broadcast(value, i % get_sub_group_size());\n"
    "  return sum;\n"
    "}\n"
    "__attribute__((noinline)) int deeper(int value) { return deep(value, 3) + sub_group_reduce_max(value); }\n"
    "KERNEL calls(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id();\n"
    "  int sum = 0;\n"
    "  for (int turn = 0; turn < 3; turn++) sum += deeper(in[i] + turn);\n"
    "  out[i] = sum;\n"
    "}\n"
    "KERNEL exchanges(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id(), own = get_local_linear_id();\n"
    "  const uint lane = get_sub_group_local_id(), size = get_sub_group_size();\n"
    "  const size_t first = own - lane;\n"
    "  int value = in[i], kept[4] = {value, value * 2, value * 3, value * 4};\n"
    "  for (int turn = 0; turn < 4; turn++) {\n"
    "    shared[own] = value;\n"
    "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int next = shared[first + (lane + 1) % size];\n"
    "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    value = next + kept[(turn + lane) & 3];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_sub_group_id() == (uint)turn) value += 100 * sub_group_reduce_add(1);\n"
    "    if (own == 0) shared[0] = turn;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    value += sub_group_broadcast(shared[0], 0) + sub_group_scan_exclusive_add(kept[turn]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[i] = value;\n"
    "}\n"
    "KERNEL waits(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id();\n"
    "  int value = in[i], turns = 0;\n"
    "  while (sub_group_any(value > 0)) {\n"
    "    if (value > 0) value -= 1 + (int)SUM(1) / 4;\n"
    "    turns++;\n"
    "  }\n"
    "  out[i] = turns * 1000 + value;\n"
    "}\n"
    "KERNEL reserves(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id();\n"
    "  if (get_local_linear_id() == 0) shared[0] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = -1;\n"
    "  if (in[i] & 1) {\n"
    "    const int wanted = SUM(1), before = sub_group_non_uniform_scan_exclusive_add(1);\n"
    "    int place = 0;\n"
    "    if (sub_group_elect()) place = atomic_add(shared, wanted);\n"
    "    out[i] = sub_group_broadcast_first(place) + before;\n"
    "  }\n"
    "}\n"
    "KERNEL finds(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id();\n"
    "  const short lane = (short)get_sub_group_local_id();\n"
    "  uint sum = (uint)in[i];\n"
    "  for (int turn = 0; turn < 7; turn++) {\n"
    "    for (int step = 0; step < 30; step++) sum = 36969u * (sum & 65535u) + (sum >> 16);\n"
    "  }\n"
    "  const ulong first = (ulong)(lane / 16) >> 6;\n"
    "  out[i] = (int)(sum ^ (uint)(in[first * 3] - in[first * 3 + 2] * 5));\n"
    "}\n"
    "KERNEL butterflies(ARGUMENTS) {\n"
    "  const size_t i = get_global_linear_id();\n"
    "  int sum = in[i];\n"
    "  if (get_sub_group_size() == get_max_sub_group_size()) {\n"
    "    for (uint distance = get_max_sub_group_size() / 2; distance > 0; distance /= 2)\n"
    "      sum += sub_group_shuffle_xor(sum, distance);\n"
    "  } else {\n"
    "    sum = sub_group_reduce_add(sum);\n"
    "  }\n"
    "  out[i] = sum;\n"
    "}\n";

enum { group_items = 60, groups = 2, items = group_items * groups, width_limit = 64 };

/** The work-items of a sub-group, and what they compute. */
typedef struct sub_group_t {
  size_t count, full, id;
  const int *in;
  int *out;
} sub_group_t;

static int count_of(const sub_group_t *group, bool (*holds)(int value, int number), int number) {
  int count = 0;
  for (size_t lane = 0; lane < group->count; lane++) count += holds(group->in[lane], number);
  return count;
}

static bool takes_turn(int value, int turn) { return turn < (value & 7) && !(turn >= 5 && value & 8); }

static void expect_turns(const sub_group_t *group) {
  for (size_t lane = 0; lane < group->count; lane++) group->out[lane] = 0;
  for (int turn = 0; turn < 8; turn++) {
    const int count = count_of(group, takes_turn, turn);
    int before = 0;
    for (size_t lane = 0; lane < group->count; lane++) {
      if (!takes_turn(group->in[lane], turn)) continue;
      group->out[lane] += count * (turn + 1) + (turn & 1 ? 0 : 1000 * before);
      before++;
    }
  }
}

static int sum_where(const sub_group_t *group, int mask, int bits) {
  int sum = 0;
  for (size_t lane = 0; lane < group->count; lane++) {
    if ((group->in[lane] & mask) == bits) sum += group->in[lane];
  }
  return sum;
}

static int count_where(const sub_group_t *group, int mask, int bits) {
  int count = 0;
  for (size_t lane = 0; lane < group->count; lane++) count += (group->in[lane] & mask) == bits;
  return count;
}

static void expect_branches(const sub_group_t *group) {
  for (size_t lane = 0; lane < group->count; lane++) {
    const int value = group->in[lane];
    int result = -1;
    if (value & 1) {
      result = value & 2 ? sum_where(group, 3, 3) + 7 : sum_where(group, 3, 1) * 3;
    } else if ((value & 6) == 0) {
      result = count_where(group, 7, 0);
    } else if ((value & 6) != 6) {
      result = 100 * (count_where(group, 7, 2) + count_where(group, 7, 4));
    }
    group->out[lane] = result + (int)group->count * 10000;
  }
}

static void expect_returns(const sub_group_t *group) {
  int sum = 0, rest = 0;
  for (size_t lane = 0; lane < group->count; lane++) sum += group->in[lane] % 5 ? group->in[lane] : 0;
  for (size_t lane = 0; lane < group->count; lane++) {
    const int value = group->in[lane];
    if (value % 5 && !(sum & 1 && value & 1)) rest += value;
  }
  for (size_t lane = 0; lane < group->count; lane++) {
    const int value = group->in[lane];
    group->out[lane] = value % 5 == 0 ? -5 : sum & 1 && value & 1 ? sum : sum + rest;
  }
}

static void expect_calls(const sub_group_t *group) {
  for (size_t lane = 0; lane < group->count; lane++) {
    int sum = 0;
    for (int turn = 0; turn < 3; turn++) {
      int most = group->in[0];
      for (size_t other = 0; other < group->count; other++) {
        if (group->in[other] > most) most = group->in[other];
        if (other <= lane) sum += group->in[other] + turn;
      }
      for (size_t i = 0; i < 3; i++) sum += group->in[i % group->count] + turn;
      sum += most + turn;
    }
    group->out[lane] = sum;
  }
}

static void expect_exchanges(const sub_group_t *group) {
  int values[width_limit], next[width_limit];
  memcpy(values, group->in, group->count * sizeof(*values));
  for (int turn = 0; turn < 4; turn++) {
    int before = 0;
    memcpy(next, values, sizeof(next));
    for (size_t lane = 0; lane < group->count; lane++) {
      values[lane] = next[(lane + 1) % group->count] + group->in[lane] * (int)(((size_t)turn + lane) % 4 + 1);
      if (group->id == (size_t)turn) values[lane] += 100 * (int)group->count;
      values[lane] += turn + before;
      before += group->in[lane] * (turn + 1);
    }
  }
  memcpy(group->out, values, group->count * sizeof(*values));
}

static void expect_waits(const sub_group_t *group) {
  int turns = 0, left = 1;
  memcpy(group->out, group->in, group->count * sizeof(int));
  while (left) {
    left = 0;
    for (size_t lane = 0; lane < group->count; lane++) left += group->out[lane] > 0;
    if (!left) break;
    turns++;
    for (size_t lane = 0; lane < group->count; lane++) {
      if (group->out[lane] > 0) group->out[lane] -= 1 + left / 4;
    }
  }
  for (size_t lane = 0; lane < group->count; lane++) group->out[lane] += turns * 1000;
}

static void expect_butterflies(const sub_group_t *group) {
  int sum = 0;
  for (size_t lane = 0; lane < group->count; lane++) sum += group->in[lane];
  for (size_t lane = 0; lane < group->count; lane++) group->out[lane] = sum;
}

/** Launches a kernel over two work-groups of 60 work-items, in rows of `width`; returns the size of its sub-groups. */
static size_t launch(cl_program program, const char *name, size_t width, const int *in, int *out) {
  cl_int error;
  const size_t global[2] = {width, items / width}, local[2] = {width, group_items / width};
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  cl_mem values = test_buffer(items * sizeof(*in), in), results = test_buffer(items * sizeof(*out), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(values), &values));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(results), &results));
  ASSERT_CL(clSetKernelArg(kernel, 2, group_items * sizeof(cl_int), NULL));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
  test_read(results, items * sizeof(*out), out);
  size_t full = 0;
  ASSERT_CL(clGetKernelSubGroupInfo(kernel, dut.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(local), local,
                                    sizeof(full), &full, NULL));
  assert_in_range(full, 1, width_limit);
  ASSERT_CL(clReleaseMemObject(values));
  ASSERT_CL(clReleaseMemObject(results));
  ASSERT_CL(clReleaseKernel(kernel));
  return full;
}

static void fill(int *in, unsigned seed) {
  for (unsigned i = 0; i < items; i++) {
    seed = seed * 1103515245u + 12345u;
    in[i] = (int)(seed >> 16 & 31);
  }
}

static const size_t widths[] = {60, 15, 12, 4};

static void check(cl_program program, const char *name, void (*expect)(const sub_group_t *group)) {
  int in[items], out[items], expected[items];
  for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
    fill(in, (unsigned)w);
    const size_t full = launch(program, name, widths[w], in, out);
    for (size_t first = 0; first < items;) {
      const size_t in_group = first % group_items, left = group_items - in_group;
      sub_group_t group = {left < full ? left : full, full, in_group / full, in + first, expected + first};
      expect(&group);
      first += group.count;
    }
    for (size_t i = 0; i < items; i++) {
      if (out[i] == expected[i]) continue;
      fail_msg("%s, sub-groups of %zu, rows of %zu: work-item %zu has %d, not %d", name, full, widths[w], i, out[i],
               expected[i]);
    }
  }
}

/** Places in a row, whoever comes first. */
static void check_reserves(cl_program program) {
  int in[items], out[items];
  for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
    fill(in, (unsigned)w);
    launch(program, "reserves", widths[w], in, out);
    for (size_t group = 0; group < groups; group++) {
      bool taken[group_items] = {false};
      int count = 0;
      for (size_t i = group * group_items; i < (group + 1) * group_items; i++) count += in[i] & 1;
      for (size_t i = group * group_items; i < (group + 1) * group_items; i++) {
        if (in[i] & 1) assert_in_range(out[i], 0, count - 1);
        if (!(in[i] & 1)) assert_int_equal(out[i], -1);
        if (!(in[i] & 1)) continue;
        assert_false(taken[out[i]]);
        taken[out[i]] = true;
      }
    }
  }
}

/* A local id that makes the same index for all lanes stays in the loop over work-items all the same. */
static void check_finds(cl_program program) {
  int in[items], out[items];
  fill(in, 0);
  launch(program, "finds", 1, in, out);
  for (size_t i = 0; i < items; i++) {
    cl_uint sum = (cl_uint)in[i];
    for (int step = 0; step < 7 * 30; step++) sum = 36969 * (sum & 65535) + (sum >> 16);
    assert_int_equal(out[i], (int)(sum ^ (cl_uint)(in[0] - in[2] * 5)));
  }
}

static void check_all(const char *options) {
  cl_program program = test_program(source, options);
  check(program, "turns", expect_turns);
  check(program, "branches", expect_branches);
  check(program, "returns", expect_returns);
  check(program, "calls", expect_calls);
  check(program, "exchanges", expect_exchanges);
  check(program, "waits", expect_waits);
  check(program, "butterflies", expect_butterflies);
  check_reserves(program);
  check_finds(program);
  ASSERT_CL(clReleaseProgram(program));
}

static void works_in_control_flow(void **state) {
  (void)state;
  check_all("-cl-std=CL3.0");
}

static void works_with_each_size(void **state) {
  (void)state;
  for (int size = 1; size <= width_limit; size *= 2) {
    char options[64];
    snprintf(options, sizeof(options), "-cl-std=CL3.0 -DSIZE=%d", size);
    check_all(options);
  }
}

static void works_without_optimization(void **state) {
  (void)state;
  check_all("-cl-std=CL3.0 -cl-opt-disable");
  check_all("-cl-std=CL3.0 -cl-opt-disable -DSIZE=16");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(works_in_control_flow),
      cmocka_unit_test(works_with_each_size),
      cmocka_unit_test(works_without_optimization),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
