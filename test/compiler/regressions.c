/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs that the compiler once got wrong, or found hard. */
#include <stdio.h>
#include <stdlib.h>

#include "kernel_case.h"

enum { ITEMS = 32, GROUP = 8 };

static const char *const option_sets[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"};

/** Runs the case with and without optimisation. */
static void run_both(kernel_case_t test) {
  for (int i = 0; i < 2; i++) {
    test.options = option_sets[i];
    kernel_case_run(&test);
  }
}

/** The search for places where regions meet went on for ever. */
static void a_loop_that_is_not_rotated_may_have_a_barrier_in_some_turns(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = GROUP - 1 - i % GROUP;
  run_both((kernel_case_t){
      .name = "some_turns",
      .source = "kernel void some_turns(global int *out, local int *l, int n) {\n"
                "  int i = get_local_id(0), s = 0, t = 0;\n"
                "  while (t < n) {\n"
                "    if (t == 3) {\n"
                "      l[i] = i; barrier(CLK_LOCAL_MEM_FENCE); s += l[get_local_size(0) - 1 - i];\n"
                "    }\n"
                "    t++;\n"
                "  }\n"
                "  out[get_global_id(0)] = s;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4), KERNEL_VALUE(cl_int, 6)},
  });
}

/** Rows became the inner loop of a version without masks, in which the array of each lane was not known. */
static void a_private_array_may_be_indexed_by_memory_in_two_dimensions(void **state) {
  (void)state;
  enum { width = 61, height = 4 };
  static const cl_int in[] = {1, 3, 3, 1};
  static cl_int out[width * height];
  for (int i = 0; i < width * height; i++) out[i] = i % width + 10 * 4 + i / width;
  run_both((kernel_case_t){
      .name = "two_dimensions",
      .source = "kernel void two_dimensions(global int *out, global const int *in) {\n"
                "  int stack[5], x = get_global_id(0), y = get_global_id(1);\n"
                "  stack[in[0]] = 4;\n"
                "  stack[in[1]] = x;\n"
                "  out[y * 61 + x] = stack[in[2]] + 10 * stack[in[3]] + y;\n"
                "}\n",
      .global = {width, height},
      .local = {width, height},
      .args = {KERNEL_OUT(out), KERNEL_IN(in)},
  });
}

/** A stop in such a loop must not be where some work-items pass more often than others. */
static void turns_without_a_barrier_may_differ_between_work_items(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int s = 0;
    for (int t = 0; t < 20; t++) {
      if (t == 3) s += GROUP - 1 - i % GROUP;
      s = s * 3 + t;
      if (t > 5 && s % 7 <= i % GROUP) break;
    }
    out[i] = s;
  }
  run_both((kernel_case_t){
      .name = "differ",
      .source = "kernel void differ(global int *out, local int *l, int n) {\n"
                "  int i = get_local_id(0), s = 0;\n"
                "  for (int t = 0; t < n; t++) {\n"
                "    if (t == 3) {\n"
                "      l[i] = i; barrier(CLK_LOCAL_MEM_FENCE); s += l[get_local_size(0) - 1 - i];\n"
                "    }\n"
                "    s = s * 3 + t;\n"
                "    if (t > 5 && s % 7 <= i) break;\n"
                "  }\n"
                "  out[get_global_id(0)] = s;\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4), KERNEL_VALUE(cl_int, 20)},
  });
}

/** A function of the program took the place of the C library's that a builtin calls. */
static void functions_and_kernels_may_be_called_like_c_functions(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 1 + 1000 + (i + 2) * 8;
  run_both((kernel_case_t){
      .name = "cosf",
      .source = "float sinf(float x) { return x * 1000.0f; }\n"
                "int memcpy(int x) { return x + 2; }\n"
                "typedef struct { int a[40]; } big_t;\n"
                "kernel void memset(global big_t *to, big_t from) { to[get_global_id(0)] = from; }\n"
                "kernel void cosf(global int *out) {\n"
                "  int id = get_global_id(0);\n"
                "  float zero = (float)(id - id);\n"
                "  out[id] = (int)(sin(zero) + cos(zero)) + (int)sinf(1.0f) + memcpy(id) * 8;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

/** `restrict` of a function that holds a barrier speaks of one work-item. */
static void restrict_parameters_may_meet_beyond_a_barrier(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 100 * (i / GROUP + 1) + i / GROUP * GROUP + GROUP - 1;
  run_both((kernel_case_t){
      .name = "meet",
      .source = "int swap(local int *restrict to, local const int *restrict from, int value) {\n"
                "  int before = *from;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  *to = value;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  return *from + before;\n"
                "}\n"
                "kernel void meet(global int *out, local int *l) {\n"
                "  int i = get_local_id(0), n = get_local_size(0);\n"
                "  l[i] = 100 * (get_group_id(0) + 1);\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[get_global_id(0)] = swap(l + i, l + n - 1, get_global_id(0));\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

/** Loops over work-items were said to be free of dependences although they share the private arrays. */
static void a_pointer_may_be_to_either_of_two_private_arrays(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i % 4 == 2 ? i : 7;
  run_both((kernel_case_t){
      .name = "either",
      .source = "kernel void either(global int *out, int n) {\n"
                "  int a[4], b[4], i = get_global_id(0);\n"
                "  int *p = (i & 1) ? a : b;\n"
                "  p[n & 3] = 7; p[i & 3] = i;\n"
                "  out[i] = p[n & 3];\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out), KERNEL_VALUE(cl_int, 2)},
  });
}

/** Calls with a pointer to barrier context were said not to read what it points to, and left their loop. */
static void a_function_may_read_a_private_array_that_changes_in_a_loop(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int a[2] = {i, 3}, last = 0;
    for (int k = 0; k < 5; k++) {
      last = a[0] * 5 + a[1];
      a[i & 1] = last & 15;
    }
    out[i] = last + (i ^ 1);
  }
  run_both((kernel_case_t){
      .name = "change",
      .source = "__attribute__((noinline)) int sum(const int *a, int count) {\n"
                "  int s = 0;\n"
                "  for (int i = 0; i < count; i++) s = s * 5 + a[i];\n"
                "  return s;\n"
                "}\n"
                "kernel void change(global int *out, local int *l, int n) {\n"
                "  int i = get_local_id(0), id = get_global_id(0), a[2] = {id, 3}, last = 0;\n"
                "  for (int k = 0; k < n; k++) { last = sum(a, 2); a[i & 1] = last & 15; }\n"
                "  l[i] = id;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[id] = last + l[i ^ 1];\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4), KERNEL_VALUE(cl_int, 5)},
  });
}

/** The address of a private variable that is part of a larger value was lost sight of. */
static void a_pointer_in_a_struct_may_live_across_a_barrier(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 10 * i + i % GROUP / 2 * 2 + 1 - i % GROUP % 2;
  run_both((kernel_case_t){
      .name = "pair",
      .source = "typedef struct { int *at; int length; } span_t;\n"
                "span_t make(int *at, int length) { span_t s = {at, length}; return s; }\n"
                "kernel void pair(global int *out, local int *l) {\n"
                "  int a[3], b[3], i = get_local_id(0), id = get_global_id(0);\n"
                "  span_t s = i & 2 ? make(a, 2) : make(b, 3);\n"
                "  s.at[i % s.length] = 10 * id;\n"
                "  l[i] = i;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[id] = s.at[i % s.length] + l[i ^ 1];\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

/** Programs that do not ask for strict aliasing read memory as other types than they wrote it as. */
static void memory_may_be_read_as_another_type(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 0x3F800000 + i;
  run_both((kernel_case_t){
      .name = "pun",
      .source = "kernel void pun(global int *out, global float *same) {\n"
                "  int i = get_global_id(0);\n"
                "  float one = 1.0f;\n"
                "  global int *bits = (global int *)same;\n"
                "  bits[i] = 5;\n"
                "  same[i] = one;\n"
                "  out[i] = bits[i] + i;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out), KERNEL_IN(out)},
  });
}

static void kernels_may_never_end_or_hold_nothing_but_barriers(void **state) {
  (void)state;
  const char *source =
      "kernel void never(local int *l) { for (;;) { l[0] = 1; barrier(1); if (l[1]) l[2]++; barrier(1); } }\n"
      "kernel void only() { barrier(1); }\n"
      "kernel void many() { barrier(1); barrier(1); barrier(1); }\n"
      "kernel void trap(global int *out) { barrier(1); if (out[0]) __builtin_unreachable(); barrier(1); }\n";
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseProgram(test_program(source, option_sets[i])));
}

/** For its own tests Clang has a directive that ends the process. */
static void directives_for_tests_of_clang_do_nothing(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  ASSERT_CL(
      clReleaseProgram(test_program("#pragma clang __debug crash\n"
                                    "#pragma clang __debug llvm_fatal_error\n"
                                    "#pragma clang __debug overflow_stack\n"
                                    "kernel void k(global int *out) { out[0] = 1; }\n",
                                    NULL)));
}

/** A function with a barrier that no kernel calls was left over; so was the way to a function by another name. */
static void functions_may_be_kept_or_have_two_names(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 2 * i + 3;
  run_both((kernel_case_t){
      .name = "names",
      .source = "__attribute__((used)) void unused(local int *p) { p[get_local_id(0)] = 0; barrier(1); }\n"
                "int f(int x) { return x + 1; }\n"
                "int g(int x) __attribute__((alias(\"f\")));\n"
                "void h(global int *out) __attribute__((alias(\"store\")));\n"
                "void store(global int *out) { int i = get_global_id(0); out[i] = g(i) + f(i + 1); }\n"
                "__attribute__((used)) kernel void names(global int *out) { h(out); }\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

/** An attribute of the call kept it from being inlined, and the barrier with it. */
static void calls_that_must_be_inlined_are(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = GROUP - 1 - i % GROUP;
  run_both((kernel_case_t){
      .name = "inlined",
      .source = "void helper(local int *l, global int *out) {\n"
                "  int i = get_local_id(0);\n"
                "  l[i] = i; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = l[get_local_size(0) - 1 - i];\n"
                "}\n"
                "kernel void inlined(global int *out, local int *l) { [[clang::noinline]] helper(l, out); }\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

/** Clang 22 crashed over the parentheses, and over each calling convention. */
static void a_kernels_type_may_be_written_in_other_ways(void **state) {
  (void)state;
  static const char *const sources[] = {
      "kernel void (written)(global int *out) { out[get_global_id(0)] = 7; }",
      "__attribute__((vectorcall)) kernel void written(global int *out) { out[get_global_id(0)] = 7; }",
      "kernel void __attribute__((ms_abi)) written(global int *out); "
      "kernel void written(global int *out) { out[get_global_id(0)] = 7; }",
      "__attribute__((regcall)) kernel void called(global int *out) { out[get_global_id(0)] = 7; } "
      "kernel void written(global int *out) { called(out); }",
  };
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 7;
  for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
    run_both((kernel_case_t){.name = "written", .source = sources[i], .global = {ITEMS}, .args = {KERNEL_OUT(out)}});
  }
}

/** Blocks of more than 2,048 instructions have code generation of their own, as its time was the square of theirs. */
static void a_block_may_be_very_long(void **state) {
  (void)state;
  enum { statements = 1500, line = 64 };
  char *source = malloc(statements * line + 512);
  char *end = source + sprintf(source, "kernel void longer(global uint *out) { uint a = get_global_id(0), b = 7;\n");
  cl_uint out[ITEMS];
  for (cl_uint i = 0; i < ITEMS; i++) {
    cl_uint a = i, b = 7;
    for (cl_uint k = 0; k < statements; k++) a = a * (2 * k + 3) + b, b ^= a >> 3;
    out[i] = a ^ b;
  }
  for (int k = 0; k < statements; k++) end += sprintf(end, "a = a * %d + b; b ^= a >> 3;\n", 2 * k + 3);
  sprintf(end, "out[get_global_id(0)] = a ^ b; }");
  run_both((kernel_case_t){.name = "longer", .source = source, .global = {ITEMS}, .args = {KERNEL_OUT(out)}});
  free(source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_that_is_not_rotated_may_have_a_barrier_in_some_turns),
      cmocka_unit_test(a_private_array_may_be_indexed_by_memory_in_two_dimensions),
      cmocka_unit_test(turns_without_a_barrier_may_differ_between_work_items),
      cmocka_unit_test(functions_and_kernels_may_be_called_like_c_functions),
      cmocka_unit_test(restrict_parameters_may_meet_beyond_a_barrier),
      cmocka_unit_test(a_pointer_may_be_to_either_of_two_private_arrays),
      cmocka_unit_test(a_function_may_read_a_private_array_that_changes_in_a_loop),
      cmocka_unit_test(a_pointer_in_a_struct_may_live_across_a_barrier),
      cmocka_unit_test(memory_may_be_read_as_another_type),
      cmocka_unit_test(kernels_may_never_end_or_hold_nothing_but_barriers),
      cmocka_unit_test(directives_for_tests_of_clang_do_nothing),
      cmocka_unit_test(functions_may_be_kept_or_have_two_names),
      cmocka_unit_test(calls_that_must_be_inlined_are),
      cmocka_unit_test(a_kernels_type_may_be_written_in_other_ways),
      cmocka_unit_test(a_block_may_be_very_long),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
