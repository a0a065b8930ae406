/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: control flow in which neighbouring work-items go different ways. */
#include "kernel_case.h"

enum { ITEMS = 120 };

static void nested_branches_diverge(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    if (i % 2 == 0) {
      out[i] = i % 3 == 0 ? i * 2 : i + 1000;
    } else {
      out[i] = i % 5 == 0 ? -i : (i % 7 < 3 ? i * i : 7);
    }
  }
  kernel_case_run(&(kernel_case_t){
      .name = "branches",
      .source = "kernel void branches(global int *out) {\n"
                "  int i = get_global_id(0), r;\n"
                "  if (i % 2 == 0) {\n"
                "    if (i % 3 == 0) r = i * 2; else r = i + 1000;\n"
                "  } else if (i % 5 == 0) {\n"
                "    r = -i;\n"
                "  } else {\n"
                "    r = i % 7 < 3 ? i * i : 7;\n"
                "  }\n"
                "  out[i] = r;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static void trip_counts_differ_between_items(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    unsigned n = (unsigned)i + 1;
    out[i] = 0;
    while (n != 1) {
      n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      out[i]++;
    }
  }
  kernel_case_run(&(kernel_case_t){
      .name = "collatz",
      .source = "kernel void collatz(global int *out) {\n"
                "  uint n = get_global_id(0) + 1; int steps = 0;\n"
                "  while (n != 1) { n = n % 2 == 0 ? n / 2 : 3 * n + 1; steps++; }\n"
                "  out[get_global_id(0)] = steps;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static cl_int loops_with_exits(int i) {
  int sum = 0;
  for (int a = 0; a < i % 9; a++) {
    if (a == 5) continue;
    for (int b = a; b < 20; b++) {
      if (b * a > 30 + i) break;
      if ((b + i) % 4 == 0) continue;
      sum += a * b + 1;
      if (sum > 200) return -sum;
    }
  }
  return sum;
}

static void loops_with_break_continue_and_return(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = loops_with_exits(i);
  kernel_case_run(&(kernel_case_t){
      .name = "exits",
      .source = "kernel void exits(global int *out) {\n"
                "  int i = get_global_id(0), sum = 0;\n"
                "  for (int a = 0; a < i % 9; a++) {\n"
                "    if (a == 5) continue;\n"
                "    for (int b = a; b < 20; b++) {\n"
                "      if (b * a > 30 + i) break;\n"
                "      if ((b + i) % 4 == 0) continue;\n"
                "      sum += a * b + 1;\n"
                "      if (sum > 200) { out[i] = -sum; return; }\n"
                "    }\n"
                "  }\n"
                "  out[i] = sum;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static cl_int switched(int i) {
  int r = 0;
  switch (i % 11) {
    case 0: r = 5; break;
    case 1: r = 7; /* fall through */
    case 2: r += 3; break;
    case 3:
    case 4: r = i; break;
    case 8: return -1;
    default: r = i % 11 * 100;
  }
  return r + 1;
}

static void switch_with_fall_through_default_and_return(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = switched(i);
  kernel_case_run(&(kernel_case_t){
      .name = "switches",
      .source = "kernel void switches(global int *out) {\n"
                "  int i = get_global_id(0), r = 0;\n"
                "  switch (i % 11) {\n"
                "    case 0: r = 5; break;\n"
                "    case 1: r = 7;\n"
                "    case 2: r += 3; break;\n"
                "    case 3: case 4: r = i; break;\n"
                "    case 8: out[i] = -1; return;\n"
                "    default: r = i % 11 * 100;\n"
                "  }\n"
                "  out[i] = r + 1;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static void items_beyond_the_data_return_early(void **state) {
  (void)state;
  cl_int before[ITEMS], after[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    before[i] = -5;
    after[i] = i < 77 ? i * 3 : -5;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "bounded",
      .source = "kernel void bounded(global int *out, int n) {\n"
                "  int i = get_global_id(0);\n"
                "  if (i >= n) return;\n"
                "  out[i] = i * 3;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(before, after), KERNEL_VALUE(cl_int, 77)},
  });
}

/** Items whose condition is false must not store, nor load from where they must not. */
static void only_active_items_touch_memory(void **state) {
  (void)state;
  const cl_int table[4] = {10, 20, 30, 40};
  cl_int before[ITEMS], after[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    before[i] = i;
    after[i] = i < 4 ? table[i] : i;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "guarded",
      .source = "kernel void guarded(global int *out, global const int *table, long far) {\n"
                "  int i = get_global_id(0);\n"
                "  if (i < 4) out[i] = table[i + (i >= 4 ? far : 0)];\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(before, after), KERNEL_IN(table), KERNEL_VALUE(cl_long, (cl_long)1 << 44)},
  });
}

/** A division that only items with a nonzero divisor execute. */
static void division_by_zero_is_not_executed_by_inactive_items(void **state) {
  (void)state;
  cl_int in[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    in[i] = i % 4;
    out[i] = in[i] != 0 ? 1000 / in[i] + 1000 % in[i] : -1;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "divide",
      .source = "kernel void divide(global const int *in, global int *out) {\n"
                "  int i = get_global_id(0), r = -1;\n"
                "  if (in[i] != 0) r = 1000 / in[i] + 1000 % in[i];\n"
                "  out[i] = r;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

static void short_circuits_guard_loads(void **state) {
  (void)state;
  cl_int in[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) in[i] = (i * 17) % 50;
  for (int i = 0; i < ITEMS; i++) {
    int j = i;
    while (j < ITEMS && in[j] < 30) j++;
    out[i] = j;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "scan",
      .source = "kernel void scan(global const int *in, global int *out, int n) {\n"
                "  int j = get_global_id(0);\n"
                "  while (j < n && in[j] < 30) j++;\n"
                "  out[get_global_id(0)] = j;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(in), KERNEL_OUT(out), KERNEL_VALUE(cl_int, ITEMS)},
  });
}

static cl_int call_tree(int i) {
  int sum = 0;
  for (int k = 0; k < i % 6; k++) sum += (k % 2 == 0 ? i + k : (i > 50 ? i * 2 : 3)) + i;
  return sum;
}

static void functions_with_branches_and_work_item_calls(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = call_tree(i);
  kernel_case_run(&(kernel_case_t){
      .name = "call_tree",
      .source = "int id(void) { return (int)get_global_id(0); }\n"
                "int odd(int i) { if (id() > 50) return i * 2; return 3; }\n"
                "int even(int i, int k) { return i + k; }\n"
                "int pick(int i, int k) { return k % 2 == 0 ? even(i, k) : odd(i); }\n"
                "void add(private int *sum, int value) { *sum += value + id(); }\n"
                "kernel void call_tree(global int *out) {\n"
                "  int i = id(), sum = 0;\n"
                "  for (int k = 0; k < i % 6; k++) add(&sum, pick(i, k));\n"
                "  out[i] = sum;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static void a_kernel_may_call_a_kernel(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i * 2 + 1;
  kernel_case_run(&(kernel_case_t){
      .name = "outer",
      .source = "kernel void inner(global int *out) { out[get_global_id(0)] = get_global_id(0) * 2; }\n"
                "kernel void outer(global int *out) { inner(out); out[get_global_id(0)] += 1; }\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static void goto_and_do_while(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int k = i % 8, n = 0;
    do n += k;
    while (k-- > 3);
    out[i] = i % 10 == 0 ? 99 : n;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "jumps",
      .source = "kernel void jumps(global int *out) {\n"
                "  int i = get_global_id(0), k = i % 8, n = 0;\n"
                "  if (i % 10 == 0) { n = 99; goto done; }\n"
                "  do n += k; while (k-- > 3);\n"
                "done:\n"
                "  out[i] = n;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

/** A loop whose exit differs per item, with the value of the last iteration used after it. */
static void values_of_the_last_iteration_are_each_items_own(void **state) {
  (void)state;
  cl_float out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    float x = (float)i * 0.25f + 1.0f;
    int k = 0;
    while (x < 100.0f && k < 12) {
      x = x * 1.5f;
      k++;
    }
    out[i] = x + (float)k;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "last",
      .source = "kernel void last(global float *out) {\n"
                "  float x = get_global_id(0) * 0.25f + 1.0f; int k = 0;\n"
                "  while (x < 100.0f && k < 12) { x = x * 1.5f; k++; }\n"
                "  out[get_global_id(0)] = x + k;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nested_branches_diverge),
      cmocka_unit_test(trip_counts_differ_between_items),
      cmocka_unit_test(loops_with_break_continue_and_return),
      cmocka_unit_test(switch_with_fall_through_default_and_return),
      cmocka_unit_test(items_beyond_the_data_return_early),
      cmocka_unit_test(only_active_items_touch_memory),
      cmocka_unit_test(division_by_zero_is_not_executed_by_inactive_items),
      cmocka_unit_test(short_circuits_guard_loads),
      cmocka_unit_test(functions_with_branches_and_work_item_calls),
      cmocka_unit_test(a_kernel_may_call_a_kernel),
      cmocka_unit_test(goto_and_do_while),
      cmocka_unit_test(values_of_the_last_iteration_are_each_items_own),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
