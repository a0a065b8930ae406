/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: address spaces, program-scope constants, local variables and alignment. */
#include "kernel_case.h"

enum { ITEMS = 60 };

static void program_scope_tables_are_constant(void **state) {
  (void)state;
  cl_int out[ITEMS];
  static const int primes[5] = {2, 3, 5, 7, 11};
  for (int i = 0; i < ITEMS; i++) out[i] = primes[i % 5] * 10 + i % 2 + 1;
  kernel_case_run(&(kernel_case_t){
      .name = "tables",
      .source = "constant int primes[] = {2, 3, 5, 7, 11};\n"
                "typedef struct { int a; int b; } pair_t;\n"
                "constant pair_t pairs[2] = {{1, 0}, {1, 1}};\n"
                "constant int *constant table_of_tables[1] = {primes};\n"
                "kernel void tables(global int *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  out[i] = table_of_tables[0][i % 5] * 10 + pairs[i % 2].a + pairs[i % 2].b;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static void constant_arguments_are_read(void **state) {
  (void)state;
  const cl_float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
  cl_float out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = weights[i % 4] * (cl_float)i;
  kernel_case_run(&(kernel_case_t){
      .name = "weigh",
      .source = "kernel void weigh(constant float *weights, global float *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  out[i] = weights[i % 4] * i;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(weights), KERNEL_OUT(out)},
  });
}

static void local_variables_belong_to_the_group(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i / 10 * 10 + (9 - i % 10) + i / 10;
  kernel_case_run(&(kernel_case_t){
      .name = "local_variables",
      .source = "kernel void local_variables(global int *out) {\n"
                "  local int ids[10];\n"
                "  local int group;\n"
                "  if (get_local_id(0) == 0) group = get_group_id(0);\n"
                "  ids[get_local_id(0)] = get_global_id(0);\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[get_global_id(0)] = ids[9 - get_local_id(0)] + group;\n"
                "}\n",
      .global = {ITEMS},
      .local = {10},
      .args = {KERNEL_OUT(out)},
  });
}

static void local_arguments_do_not_overlap(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i + 1000 * ((i + 1) % 10) + 7 * (i % 10);
  kernel_case_run(&(kernel_case_t){
      .name = "three_locals",
      .source = "kernel void three_locals(global int *out, local int *a, local uchar *b, local long *c) {\n"
                "  local int d[10];\n"
                "  size_t i = get_local_id(0), n = get_local_size(0);\n"
                "  a[i] = get_global_id(0); b[i] = i; c[i] = i * 1000; d[i] = i * 7;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[get_global_id(0)] = a[b[i]] + (int)c[(i + 1) % n] + d[b[i]];\n"
                "}\n",
      .global = {ITEMS},
      .local = {10},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(40), KERNEL_LOCAL(10), KERNEL_LOCAL(80)},
  });
}

/** Local and private variables are aligned to the size of their type. */
static void variables_of_vector_types_are_aligned(void **state) {
  (void)state;
  cl_uint out[ITEMS] = {0};
  kernel_case_run(&(kernel_case_t){
      .name = "alignment",
      .source = "kernel void alignment(global uint *out, local char *pad, local double4 *l) {\n"
                "  local char odd; local float8 vector;\n"
                "  private char small; private long8 wide;\n"
                "  odd = 1; small = 2; vector = (float8)(odd); wide = (long8)(small); pad[0] = odd; l[0] = 1.0;\n"
                "  out[get_global_id(0)] = (uint)((size_t)l % 32 + (size_t)&vector % 32 + (size_t)&wide % 64);\n"
                "}\n",
      .global = {ITEMS},
      .local = {10},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(3), KERNEL_LOCAL(32)},
  });
}

static void private_arrays_are_per_item(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int a[16] = {0};
    for (int k = 0; k < 40; k++) a[(i + k * 7) % 16] += k;
    out[i] = 0;
    for (int k = 0; k < 16; k++) out[i] += a[k] * (k + 1);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "histogram",
      .source = "kernel void histogram(global int *out) {\n"
                "  int a[16] = {0}, id = get_global_id(0), sum = 0;\n"
                "  for (int k = 0; k < 40; k++) a[(id + k * 7) % 16] += k;\n"
                "  for (int k = 0; k < 16; k++) sum += a[k] * (k + 1);\n"
                "  out[id] = sum;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static void generic_pointers_reach_every_space_but_constant(void **state) {
  (void)state;
  if (!test_device_has_feature("__opencl_c_generic_address_space")) skip();
  cl_int in[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    in[i] = i * 2;
    out[i] = i % 3 == 0 ? in[i] + 1 : i % 3 == 1 ? 501 : i + 301;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "generic_pointer",
      .source = "int next(int *p) { return *p + 1; }\n"
                "kernel void generic_pointer(global int *in, global int *out) {\n"
                "  local int l; int id = get_global_id(0), mine = id + 300;\n"
                "  if (get_local_id(0) == 0) l = 500;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  int *p = &in[id];\n"
                "  if (id % 3 == 1) p = &l;\n"
                "  if (id % 3 == 2) p = &mine;\n"
                "  out[id] = next(p);\n"
                "}\n",
      .global = {ITEMS},
      .local = {10},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

static void generic_pointers_turn_back_into_what_they_were(void **state) {
  (void)state;
  if (!test_device_has_feature("__opencl_c_generic_address_space")) skip();
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 7;
  kernel_case_run(&(kernel_case_t){
      .name = "to_space",
      .source = "kernel void to_space(global int *out) {\n"
                "  local int l; int mine = 1; int id = get_global_id(0);\n"
                "  int *g = &out[id], *p = &mine, *s = &l;\n"
                "  out[id] = (to_global(g) == &out[id]) | (to_private(p) == &mine) << 1 | (to_local(s) == &l) << 2;\n"
                "}\n",
      .global = {ITEMS},
      .local = {10},
      .args = {KERNEL_OUT(out)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(program_scope_tables_are_constant),
      cmocka_unit_test(constant_arguments_are_read),
      cmocka_unit_test(local_variables_belong_to_the_group),
      cmocka_unit_test(local_arguments_do_not_overlap),
      cmocka_unit_test(variables_of_vector_types_are_aligned),
      cmocka_unit_test(private_arrays_are_per_item),
      cmocka_unit_test(generic_pointers_reach_every_space_but_constant),
      cmocka_unit_test(generic_pointers_turn_back_into_what_they_were),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
