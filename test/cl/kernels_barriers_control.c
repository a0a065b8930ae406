/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: barriers inside control flow, and unusual values that live across them. */
#include <stdio.h>

#include "kernel_case.h"

enum { ITEMS = 96, GROUP = 16 };

static int neighbour(int i, int distance) { return i / GROUP * GROUP + (i % GROUP + distance) % GROUP; }

/** The number of rounds comes from local memory, the same for all items of the group. */
static void a_while_loop_may_depend_on_local_memory(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i + 100 * (i / GROUP + 1);
  kernel_case_run(&(kernel_case_t){
      .name = "countdown",
      .source = "kernel void countdown(global int *out) {\n"
                "  local int left; int rounds = 0;\n"
                "  if (get_local_id(0) == 0) left = get_group_id(0) + 1;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  while (left > 0) {\n"
                "    rounds++;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    if (get_local_id(0) == get_local_size(0) - 1) left--;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  }\n"
                "  out[get_global_id(0)] = get_global_id(0) + 100 * rounds;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out)},
  });
}

static void a_loop_may_be_left_between_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int sum = 0, rounds = i / GROUP;
    for (int k = 0; k < 8; k++) {
      sum += neighbour(i, k);
      if (k == rounds) break;
      if (k % 2 == 0) continue;
      sum += 1000;
    }
    out[i] = sum;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "leave",
      .source = "kernel void leave(global int *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0), n = get_local_size(0), sum = 0;\n"
                "  for (int k = 0; k < 8; k++) {\n"
                "    l[i] = id;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    sum += l[(i + k) % n];\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    if (k == get_group_id(0)) break;\n"
                "    if (k % 2 == 0) continue;\n"
                "    sum += 1000;\n"
                "  }\n"
                "  out[id] = sum;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

static void a_group_may_return_out_of_a_loop_with_barriers(void **state) {
  (void)state;
  cl_int before[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int sum = 0;
    before[i] = -1;
    for (int k = 0; k < 5; k++) sum += neighbour(i, k);
    out[i] = i / GROUP == 3 ? -1 : sum;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "return_inside",
      .source = "kernel void return_inside(global int *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0), sum = 0;\n"
                "  for (int k = 0; k < 5; k++) {\n"
                "    l[i] = id;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    sum += l[(i + k) % get_local_size(0)];\n"
                "    if (k == 2 && get_group_id(0) == 3) return;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  }\n"
                "  out[id] = sum;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_INOUT(before, out), KERNEL_LOCAL(GROUP * 4)},
  });
}

static void a_uniform_switch_may_have_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int group = i / GROUP, result = 7;
    if (group % 4 == 0) result = neighbour(i, 1);
    if (group % 4 == 1) result = neighbour(i, 2) + neighbour(i, 3);
    if (group % 4 == 2) result = neighbour(i, 3);
    out[i] = result;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "cases",
      .source = "kernel void cases(global int *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0), n = get_local_size(0), result = 0;\n"
                "  l[i] = id;\n"
                "  switch (get_group_id(0) % 4) {\n"
                "    case 0: barrier(CLK_LOCAL_MEM_FENCE); result = l[(i + 1) % n]; break;\n"
                "    case 1: barrier(CLK_LOCAL_MEM_FENCE); result = l[(i + 2) % n]; /* fall through */\n"
                "    case 2: barrier(CLK_LOCAL_MEM_FENCE); result += l[(i + 3) % n]; break;\n"
                "    default: result = 7;\n"
                "  }\n"
                "  out[id] = result;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

static void divergent_loops_run_between_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int other = neighbour(i, 1), sum = 0, steps = 0;
    for (int k = 0; k < other % 5; k++) sum += k * other;
    for (int n = i + 1; n != 1 && steps < 30; steps++) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    out[i] = sum + steps * 10000;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "between",
      .source = "kernel void between(global int *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0), sum = 0, steps = 0;\n"
                "  for (int k = 0; k < id % 5; k++) sum += k * id;\n"
                "  l[i] = sum;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  sum = l[(i + 1) % get_local_size(0)];\n"
                "  for (int n = id + 1; n != 1 && steps < 30; steps++) n = n % 2 == 0 ? n / 2 : 3 * n + 1;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[id] = sum + steps * 10000;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

/** Vectors, structs, booleans, doubles and pointers, all set before a barrier and used after it. */
static void values_of_every_kind_survive(void **state) {
  (void)state;
  cl_float out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    float x = (float)i;
    out[i] = (x + 3 + 2 * x) + (i % 3 == 0 ? 100.0f : 0.0f) + (float)(i * 2 + 5) + (float)neighbour(i, 4) +
             (float)((i * 7) & 0xFF);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "kinds",
      .source = "typedef struct { int a; uchar b; } pair_t;\n"
                "kernel void kinds(global float *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0);\n"
                "  float3 v = (float3)(id, 3, 2 * id);\n"
                "  bool third = id % 3 == 0;\n"
                "  pair_t p = {id * 2 + 5, (uchar)(id * 7)};\n"
                "  local int *mine = l + i, *other = l + (i + 4) % get_local_size(0);\n"
                "  *mine = id;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[id] = v.x + v.y + v.z + (third ? 100.0f : 0.0f) + p.a + *other + p.b;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

static void work_items_of_three_dimensions_meet(void **state) {
  (void)state;
  enum { X = 8, Y = 6, Z = 4 };
  cl_int out[X * Y * Z];
  for (int i = 0; i < X * Y * Z; i++) {
    int x = i % X, y = i / X % Y, z = i / X / Y;
    int mx = x / 4 * 4 + 3 - x % 4, my = y / 3 * 3 + 2 - y % 3, mz = z / 2 * 2 + 1 - z % 2;
    out[i] = mx + 100 * my + 10000 * mz;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "mirror",
      .source = "kernel void mirror(global int *out) {\n"
                "  local int l[2][3][4];\n"
                "  size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);\n"
                "  l[z][y][x] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +\n"
                "             get_global_id(0);\n"
                "  out[i] = l[1 - z][2 - y][3 - x];\n"
                "}\n",
      .global = {X, Y, Z},
      .local = {4, 3, 2},
      .args = {KERNEL_OUT(out)},
  });
}

/** Sixty barriers one after the other: the build must not take long for them, and the sum must be right. */
static void many_barriers_in_a_row(void **state) {
  (void)state;
  static char source[16384];
  cl_int out[ITEMS];
  strcpy(source,
         "kernel void many(global int *out, local int *l) {\n"
         "  int id = get_global_id(0), i = get_local_id(0), n = get_local_size(0), sum = 0;\n");
  for (int k = 0; k < 30; k++) {
    char step[128];
    snprintf(step, sizeof(step),
             "  l[i] = id + %d; barrier(CLK_LOCAL_MEM_FENCE);\n"
             "  sum += l[(i + %d) %% n] * %d; barrier(CLK_LOCAL_MEM_FENCE);\n",
             k, k, k + 1);
    strcat(source, step);
  }
  strcat(source, "  out[id] = sum;\n}\n");
  for (int i = 0; i < ITEMS; i++) {
    out[i] = 0;
    for (int k = 0; k < 30; k++) out[i] += (neighbour(i, k) + k) * (k + 1);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "many",
      .source = source,
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

enum { BRANCHES = 12, ROUNDS = 3 };

/* What a group computes whose number is `common` in the first round. */
static void expect_branches(int first, uint32_t common, cl_int *out) {
  int value[GROUP];
  for (int i = 0; i < GROUP; i++) value[i] = first + i;
  for (int round = 0; round < ROUNDS; round++, common += 5) {
    for (int branch = 0; branch < BRANCHES; branch++) {
      int before[GROUP];
      memcpy(before, value, sizeof(before));
      for (int i = 0; i < GROUP; i++) {
        if (common >> branch % 4 & 1)
          value[i] = value[i] * 3 + before[(i + branch + 1) % GROUP];
        else if (branch % 3 == 0)
          value[i] ^= branch + round;
      }
    }
    if (common % 7 == 3) break;
  }
  memcpy(out, value, sizeof(value));
}

/** So many that the ways between two barriers would be more than are worth copying. */
static void many_uniform_branches_have_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  char source[8192] =
      "kernel void branches(global int *out, local int *l) {\n"
      "  uint i = get_local_id(0), n = get_local_size(0), common = get_group_id(0);\n"
      "  int value = get_global_id(0);\n"
      "  for (int round = 0; round < 3; round++, common += 5) {\n";
  for (int branch = 0; branch < BRANCHES; branch++) {
    char text[256];
    snprintf(text, sizeof(text),
             "    if (common >> %d & 1) { l[i] = value; barrier(CLK_LOCAL_MEM_FENCE);\n"
             "      value = value * 3 + l[(i + %d) %% n]; barrier(CLK_LOCAL_MEM_FENCE); }\n",
             branch % 4, branch + 1);
    strcat(source, text);
    if (branch % 3) continue;
    snprintf(text, sizeof(text), "    else value ^= %d + round;\n", branch);
    strcat(source, text);
  }
  strcat(source, "    if (common % 7 == 3) break;\n  }\n  out[get_global_id(0)] = value;\n}\n");
  for (int first = 0; first < ITEMS; first += GROUP) expect_branches(first, (uint32_t)(first / GROUP), out + first);
  kernel_case_run(&(kernel_case_t){
      .name = "branches",
      .source = source,
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(sizeof(cl_int[GROUP]))},
  });
}

static void a_function_with_loops_barriers_and_returns(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int value = i;
    for (int k = 0; k < 3; k++) {
      int first = i / GROUP * GROUP, sum = 0;
      for (int j = 0; j < GROUP; j++) sum += first + j + k;
      value += k == 1 ? -1 : sum;
    }
    out[i] = value;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "sums",
      .source = "int group_sum(local int *l, int value, int skip) {\n"
                "  size_t i = get_local_id(0);\n"
                "  if (skip) return -1;\n"
                "  l[i] = value;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  int sum = 0;\n"
                "  for (size_t j = 0; j < get_local_size(0); j++) sum += l[j];\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  return sum;\n"
                "}\n"
                "kernel void sums(global int *out, local int *l) {\n"
                "  int value = get_global_id(0);\n"
                "  for (int k = 0; k < 3; k++) value += group_sum(l, get_global_id(0) + k, k == 1);\n"
                "  out[get_global_id(0)] = value;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

/** Large private arrays with dynamic indices, in the largest group the device takes. */
static void much_private_memory_lives_across_a_barrier(void **state) {
  (void)state;
  enum { WIDE = 256 };
  static cl_int out[WIDE];
  for (int i = 0; i < WIDE; i++) {
    int sum = 0;
    for (int k = 0; k < 100; k++) sum += (i * k) ^ ((WIDE - 1 - i) + k);
    out[i] = sum;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "much",
      .source = "kernel void much(global int *out, local int *l) {\n"
                "  int mine[100], id = get_global_id(0), sum = 0;\n"
                "  for (int k = 0; k < 100; k++) mine[k] = id * k;\n"
                "  l[id] = id;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  for (int k = 0; k < 100; k++) sum += mine[k] ^ (l[get_local_size(0) - 1 - id] + k);\n"
                "  out[id] = sum;\n"
                "}\n",
      .global = {WIDE},
      .local = {WIDE},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(WIDE * 4)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_while_loop_may_depend_on_local_memory),
      cmocka_unit_test(a_loop_may_be_left_between_barriers),
      cmocka_unit_test(a_group_may_return_out_of_a_loop_with_barriers),
      cmocka_unit_test(a_uniform_switch_may_have_barriers),
      cmocka_unit_test(divergent_loops_run_between_barriers),
      cmocka_unit_test(values_of_every_kind_survive),
      cmocka_unit_test(work_items_of_three_dimensions_meet),
      cmocka_unit_test(many_barriers_in_a_row),
      cmocka_unit_test(many_uniform_branches_have_barriers),
      cmocka_unit_test(a_function_with_loops_barriers_and_returns),
      cmocka_unit_test(much_private_memory_lives_across_a_barrier),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
