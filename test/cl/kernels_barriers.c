/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: barriers, and what stays alive across them. */
#include "kernel_case.h"

enum { ITEMS = 96, GROUP = 16 };

/** Each work-item reads what its neighbour wrote: without the barrier some would read nothing. */
static void local_memory_is_shared_after_a_barrier(void **state) {
  (void)state;
  cl_int in[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) in[i] = 3 * i + 1;
  for (int i = 0; i < ITEMS; i++) out[i] = in[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
  kernel_case_run(&(kernel_case_t){
      .name = "reverse",
      .source = "kernel void reverse(global const int *in, global int *out, local int *l) {\n"
                "  size_t i = get_local_id(0), n = get_local_size(0);\n"
                "  l[i] = in[get_global_id(0)];\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[get_global_id(0)] = l[n - 1 - i];\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_IN(in), KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

static void private_values_survive_several_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int g = i / GROUP * GROUP, l = i % GROUP;
    out[i] = i * 2 + (g + (l + 1) % GROUP) * 3 + (g + (l + 2) % GROUP) * 5 + (g + (l + 3) % GROUP) * 7;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "rotate_thrice",
      .source = "kernel void rotate_thrice(global int *out, local int *l) {\n"
                "  int i = get_local_id(0), n = get_local_size(0), id = get_global_id(0);\n"
                "  int a = id * 2;\n"
                "  l[i] = id;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  int b = l[(i + 1) % n] * 3;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  int c = l[(i + 2) % n] * 5;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[id] = a + b + c + l[(i + 3) % n] * 7;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

static void private_arrays_survive_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int next = i / GROUP * GROUP + (i % GROUP + 1) % GROUP;
    out[i] = 0;
    for (int k = 0; k < 8; k++) out[i] += (i * (k + 1)) * (next + k);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "private_array",
      .source = "kernel void private_array(global int *out, local int *l) {\n"
                "  int mine[8], id = get_global_id(0), i = get_local_id(0), n = get_local_size(0), sum = 0;\n"
                "  for (int k = 0; k < 8; k++) mine[k] = id * (k + 1);\n"
                "  l[i] = id;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  for (int k = 0; k < 8; k++) sum += mine[k] * (l[(i + 1) % n] + k);\n"
                "  out[id] = sum;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

static void pointers_to_private_memory_survive_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i + 100 + i % 3;
  kernel_case_run(&(kernel_case_t){
      .name = "private_pointer",
      .source = "kernel void private_pointer(global int *out) {\n"
                "  int a[3] = {100, 101, 102}, id = get_global_id(0);\n"
                "  private int *p = &a[id % 3];\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  *p += id;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[id] = a[id % 3];\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static const char *const reduce_source =
    "kernel void reduce(global const float *in, global float *out, local float *l) {\n"
    "  uint i = get_local_id(0);\n"
    "  l[i] = in[get_global_id(0)];\n"
    "  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < step) l[i] += l[i + step];\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (i == 0) out[get_group_id(0)] = l[0];\n"
    "}\n";

static void a_barrier_in_a_loop_makes_a_tree_reduction(void **state) {
  (void)state;
  cl_float in[256], out[256];
  for (int i = 0; i < 256; i++) in[i] = (cl_float)((i * 37) % 101);
  for (size_t group = 1; group <= 256; group *= 2) {
    for (size_t g = 0; g < 256 / group; g++) {
      out[g] = 0;
      for (size_t i = 0; i < group; i++) out[g] += in[g * group + i];
    }
    kernel_case_run(&(kernel_case_t){
        .name = "reduce",
        .source = reduce_source,
        .global = {256},
        .local = {group},
        .args = {KERNEL_IN(in),
                 {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_F32, .size = 256 / group * 4, .expected = out},
                 KERNEL_LOCAL(group * 4)},
    });
  }
}

static void values_carried_around_a_loop_survive_its_barrier(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int a = i, b = 1;
    for (int k = 0; k < 10; k++) {
      int neighbour = i / GROUP * GROUP + (i % GROUP + k) % GROUP;
      int next = a + b + neighbour;
      a = b;
      b = next;
    }
    out[i] = b;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "fibonacci",
      .source = "kernel void fibonacci(global int *out, local int *l, int n) {\n"
                "  int id = get_global_id(0), i = get_local_id(0), a = id, b = 1;\n"
                "  for (int k = 0; k < n; k++) {\n"
                "    l[i] = id;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    int next = a + b + l[(i + k) % get_local_size(0)];\n"
                "    a = b;\n"
                "    b = next;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  }\n"
                "  out[id] = b;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int)), KERNEL_VALUE(cl_int, 10)},
  });
}

static void nested_loops_may_both_have_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int g = i / GROUP * GROUP, l = i % GROUP;
    out[i] = 0;
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b <= a; b++) out[i] += (g + (l + b) % GROUP) * (a + 1);
      out[i] += g + (l + a) % GROUP + 1;
    }
  }
  kernel_case_run(&(kernel_case_t){
      .name = "nested",
      .source = "kernel void nested(global int *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0), n = get_local_size(0), sum = 0;\n"
                "  for (int a = 0; a < 3; a++) {\n"
                "    for (int b = 0; b <= a; b++) {\n"
                "      l[i] = id * (a + 1);\n"
                "      barrier(CLK_LOCAL_MEM_FENCE);\n"
                "      sum += l[(i + b) % n];\n"
                "      barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    }\n"
                "    l[i] = id + 1;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    sum += l[(i + a) % n];\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  }\n"
                "  out[id] = sum;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

static void a_uniform_condition_may_guard_a_barrier(void **state) {
  (void)state;
  for (cl_int flag = 0; flag < 3; flag++) {
    cl_int out[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
      int group = i / GROUP, next = group * GROUP + (i % GROUP + 1) % GROUP;
      bool through = flag == 1 || (flag == 2 && group % 2 == 0);
      out[i] = through ? next : -i;
    }
    kernel_case_run(&(kernel_case_t){
        .name = "uniform_branch",
        .source = "kernel void uniform_branch(global int *out, local int *l, int flag) {\n"
                  "  int id = get_global_id(0), i = get_local_id(0), result = -id;\n"
                  "  if (flag == 1 || (flag == 2 && get_group_id(0) % 2 == 0)) {\n"
                  "    l[i] = id;\n"
                  "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                  "    result = l[(i + 1) % get_local_size(0)];\n"
                  "  }\n"
                  "  out[id] = result;\n"
                  "}\n",
        .global = {ITEMS},
        .local = {GROUP},
        .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int)), KERNEL_VALUE(cl_int, flag)},
    });
  }
}

static void both_sides_of_a_uniform_branch_may_have_barriers(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int group = i / GROUP, l = i % GROUP;
    out[i] = group % 2 == 0 ? group * GROUP + (l + 1) % GROUP : 1000 + group * GROUP + (GROUP - 1 - l);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "two_sides",
      .source = "kernel void two_sides(global int *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0), n = get_local_size(0), result;\n"
                "  if (get_group_id(0) % 2 == 0) {\n"
                "    l[i] = id;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    result = l[(i + 1) % n];\n"
                "  } else {\n"
                "    l[n - 1 - i] = id + 1000;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    result = l[i];\n"
                "  }\n"
                "  out[id] = result;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

/** A whole work-group may leave before a barrier. */
static void a_group_may_return_before_the_barrier(void **state) {
  (void)state;
  cl_int before[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    before[i] = -1;
    out[i] = i / GROUP == 2 ? -1 : i / GROUP * GROUP + (i % GROUP + 1) % GROUP;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "group_return",
      .source = "kernel void group_return(global int *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0);\n"
                "  if (get_group_id(0) == 2) return;\n"
                "  l[i] = id;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[id] = l[(i + 1) % get_local_size(0)];\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_INOUT(before, out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

static void items_may_return_after_the_last_barrier(void **state) {
  (void)state;
  cl_int before[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int next = i / GROUP * GROUP + (i % GROUP + 1) % GROUP;
    before[i] = -1;
    out[i] = i % 3 == 0 ? -1 : i % 5 == 0 ? next + 500 : next;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "late_return",
      .source = "kernel void late_return(global int *out, local int *l) {\n"
                "  int id = get_global_id(0), i = get_local_id(0);\n"
                "  l[i] = id;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  if (id % 3 == 0) return;\n"
                "  int next = l[(i + 1) % get_local_size(0)];\n"
                "  if (id % 5 == 0) { out[id] = next + 500; return; }\n"
                "  out[id] = next;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_INOUT(before, out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

static void a_barrier_may_be_inside_a_called_function(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int g = i / GROUP * GROUP, l = i % GROUP;
    out[i] = g + (l + 1) % GROUP + (g + (l + 5) % GROUP) * 2;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "exchange",
      .source = "int swap(local int *l, int value, int distance) {\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  l[get_local_id(0)] = value;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  return l[(get_local_id(0) + distance) % get_local_size(0)];\n"
                "}\n"
                "kernel void exchange(global int *out, local int *l) {\n"
                "  int id = get_global_id(0);\n"
                "  out[id] = swap(l, id, 1) + swap(l, id * 2, 5);\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

/** Work-items of one group see each other's global writes after a global fence. */
static void global_memory_is_shared_within_the_group_after_a_barrier(void **state) {
  (void)state;
  cl_int scratch[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    scratch[i] = i * i;
    int next = i / GROUP * GROUP + (i % GROUP + 7) % GROUP;
    out[i] = next * next;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "global_fence",
      .source = "kernel void global_fence(global int *scratch, global int *out) {\n"
                "  int id = get_global_id(0), i = get_local_id(0), n = get_local_size(0);\n"
                "  scratch[id] = id * id;\n"
                "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                "  out[id] = scratch[id - i + (i + 7) % n];\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(scratch), KERNEL_OUT(out)},
  });
}

static void work_group_barrier_is_the_newer_name(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i / GROUP * GROUP + (i % GROUP + 1) % GROUP;
  kernel_case_run(&(kernel_case_t){
      .name = "newer",
      .source = "kernel void newer(global int *out, local int *l) {\n"
                "  l[get_local_id(0)] = get_global_id(0);\n"
                "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[get_global_id(0)] = l[(get_local_id(0) + 1) % get_local_size(0)];\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_memory_is_shared_after_a_barrier),
      cmocka_unit_test(private_values_survive_several_barriers),
      cmocka_unit_test(private_arrays_survive_barriers),
      cmocka_unit_test(pointers_to_private_memory_survive_barriers),
      cmocka_unit_test(a_barrier_in_a_loop_makes_a_tree_reduction),
      cmocka_unit_test(values_carried_around_a_loop_survive_its_barrier),
      cmocka_unit_test(nested_loops_may_both_have_barriers),
      cmocka_unit_test(a_uniform_condition_may_guard_a_barrier),
      cmocka_unit_test(both_sides_of_a_uniform_branch_may_have_barriers),
      cmocka_unit_test(a_group_may_return_before_the_barrier),
      cmocka_unit_test(items_may_return_after_the_last_barrier),
      cmocka_unit_test(a_barrier_may_be_inside_a_called_function),
      cmocka_unit_test(global_memory_is_shared_within_the_group_after_a_barrier),
      cmocka_unit_test(work_group_barrier_is_the_newer_name),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
