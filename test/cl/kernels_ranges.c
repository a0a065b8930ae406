/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: work-item functions over ranges of one to three dimensions, offsets and uneven groups. */
#include "kernel_case.h"

enum { WIDTH = 12, HEIGHT = 6, DEPTH = 4, ITEMS = WIDTH * HEIGHT * DEPTH };

static void three_dimensions_cover_every_point(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i % WIDTH + 100 * (i / WIDTH % HEIGHT) + 10000 * (i / WIDTH / HEIGHT);
  kernel_case_run(&(kernel_case_t){
      .name = "points",
      .source = "kernel void points(global int *out) {\n"
                "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                "  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = x + 100 * y + 10000 * z;\n"
                "}\n",
      .global = {WIDTH, HEIGHT, DEPTH},
      .args = {KERNEL_OUT(out)},
  });
}

static void two_dimensions_transpose(void **state) {
  (void)state;
  cl_float in[WIDTH * HEIGHT], out[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++) in[i] = (cl_float)i;
  for (int i = 0; i < WIDTH * HEIGHT; i++) out[i % WIDTH * HEIGHT + i / WIDTH] = in[i];
  kernel_case_run(&(kernel_case_t){
      .name = "transpose",
      .source = "kernel void transpose(global const float *in, global float *out) {\n"
                "  size_t x = get_global_id(0), y = get_global_id(1);\n"
                "  out[x * get_global_size(1) + y] = in[y * get_global_size(0) + x];\n"
                "}\n",
      .global = {WIDTH, HEIGHT},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

static void offsets_shift_global_ids_only(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++)
    out[i] = (i % WIDTH + 5) + 100 * (i / WIDTH % HEIGHT + 7) + 10000 * (i / WIDTH / HEIGHT + 3);
  kernel_case_run(&(kernel_case_t){
      .name = "offsets",
      .source = "kernel void offsets(global int *out) {\n"
                "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                "  int i = ((z - get_global_offset(2)) * get_global_size(1) + y - get_global_offset(1)) *\n"
                "          get_global_size(0) + x - get_global_offset(0);\n"
                "  out[i] = x + 100 * y + 10000 * z;\n"
                "}\n",
      .global = {WIDTH, HEIGHT, DEPTH},
      .offset = {5, 7, 3},
      .args = {KERNEL_OUT(out)},
  });
}

/** Ids as int go from the highest to the lowest inside the range, whatever the compiler knows of neighbouring
 * work-items; and so do addresses computed from them. */
static void narrowed_ids_wrap(void **state) {
  (void)state;
  enum { COUNT = 96 };
  static const cl_long first = INT32_MAX - 40;
  cl_long expected[2 * COUNT];
  for (int i = 0; i < COUNT; i++) {
    expected[2 * i] = (cl_int)(cl_uint)(first + i);
    expected[2 * i + 1] = expected[2 * i] * 16 + 3;
  }
  const kernel_case_t narrowed = {
      .name = "narrowed",
      .source =
          "kernel void narrowed(global long *out, ulong base) {\n"
          "  int i = get_global_id(0);\n"
          "  global uchar *at = (global uchar *)base + (long)i * 16;\n"
          "  size_t place = get_global_id(0) - get_global_offset(0);\n"
          "  out[2 * place] = i;\n"
          "  out[2 * place + 1] = (long)at;\n"
          "}\n",
      .global = {COUNT},
      .offset = {(size_t)first},
      .args = {KERNEL_OUT(expected), KERNEL_VALUE(cl_ulong, 3)},
  };
  kernel_case_run(&narrowed);
}

/** In every group, global id = group id x enqueued local size + local id + offset, and sizes are consistent. */
static void ids_are_consistent_with_each_other(void **state) {
  (void)state;
  cl_int out[ITEMS] = {0};
  kernel_case_run(&(kernel_case_t){
      .name = "consistency",
      .source =
          "kernel void consistency(global int *out) {\n"
          "  int bad = get_work_dim() != 3;\n"
          "  for (uint d = 0; d < 3; d++) {\n"
          "    size_t full = get_enqueued_local_size(d);\n"
          "    bad |= get_global_id(d) != get_group_id(d) * full + get_local_id(d) + get_global_offset(d);\n"
          "    bad |= get_local_id(d) >= get_local_size(d) || get_local_size(d) > full;\n"
          "    bad |= get_num_groups(d) != (get_global_size(d) + full - 1) / full;\n"
          "    bad |= get_group_id(d) + 1 < get_num_groups(d) && get_local_size(d) != full;\n"
          "    bad |= get_group_id(d) + 1 == get_num_groups(d) &&\n"
          "           get_local_size(d) != get_global_size(d) - get_group_id(d) * full;\n"
          "  }\n"
          "  bad |= get_local_linear_id() != (get_local_id(2) * get_local_size(1) + get_local_id(1)) *\n"
          "         get_local_size(0) + get_local_id(0);\n"
          "  size_t linear = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) -\n"
          "                   get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);\n"
          "  bad |= get_global_linear_id() != linear;\n"
          "  out[linear] = bad;\n"
          "}\n",
      .global = {WIDTH, HEIGHT, DEPTH},
      .offset = {2, 0, 9},
      .args = {KERNEL_OUT(out)},
  });
}

static void dimensions_that_do_not_exist_have_size_one(void **state) {
  (void)state;
  cl_int out[WIDTH] = {0};
  kernel_case_run(&(kernel_case_t){
      .name = "beyond",
      .source = "kernel void beyond(global int *out, uint d) {\n"
                "  int bad = get_work_dim() != 1;\n"
                "  for (uint i = 1; i < d; i++) {\n"
                "    bad |= get_global_size(i) != 1 || get_local_size(i) != 1 || get_num_groups(i) != 1;\n"
                "    bad |= get_global_id(i) != 0 || get_local_id(i) != 0 || get_group_id(i) != 0;\n"
                "    bad |= get_global_offset(i) != 0;\n"
                "  }\n"
                "  out[get_global_id(0)] = bad;\n"
                "}\n",
      .global = {WIDTH},
      .args = {KERNEL_OUT(out), KERNEL_VALUE(cl_uint, 6)},
  });
}

/** 100 items in groups of 32: the last group has 4, whether its items talk through local memory or not. */
static void the_last_group_may_be_smaller(void **state) {
  (void)state;
  if (test_device_number(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) == CL_FALSE) skip();
  cl_int out[100];
  for (int i = 0; i < 100; i++) {
    int first = i / 32 * 32, size = first == 96 ? 4 : 32;
    out[i] = first + (size - 1 - i % 32) + 1000 * size;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "uneven",
      .source = "kernel void uneven(global int *out, local int *l) {\n"
                "  size_t i = get_local_id(0), n = get_local_size(0);\n"
                "  l[i] = get_global_id(0);\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[get_global_id(0)] = l[n - 1 - i] + 1000 * (int)n;\n"
                "}\n",
      .global = {100},
      .local = {32},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(128)},
  });
}

static void uneven_groups_at_every_edge_of_three_dimensions(void **state) {
  (void)state;
  if (test_device_number(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) == CL_FALSE) skip();
  cl_int out[7 * 5 * 3];
  for (int i = 0; i < 7 * 5 * 3; i++) {
    int x = i % 7, y = i / 7 % 5, z = i / 35;
    out[i] = (x < 4 ? 4 : 3) * (y < 4 ? 2 : 1) * (z < 2 ? 2 : 1);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "corners",
      .source = "kernel void corners(global int *out) {\n"
                "  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                "  out[(z * 5 + y) * 7 + x] = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
                "}\n",
      .global = {7, 5, 3},
      .local = {4, 2, 2},
      .args = {KERNEL_OUT(out)},
  });
}

static void one_item_is_a_range_too(void **state) {
  (void)state;
  const cl_int out[1] = {1};
  kernel_case_run(&(kernel_case_t){
      .name = "single",
      .source = "kernel void single(global int *out) { out[get_global_id(0)] = get_global_size(0); }\n",
      .global = {1, 1, 1},
      .args = {KERNEL_OUT(out)},
  });
}

static void prime_sizes_run_in_any_group(void **state) {
  (void)state;
  static cl_int out[10007];
  for (int i = 0; i < 10007; i++) out[i] = i ^ 0x55;
  kernel_case_run(&(kernel_case_t){
      .name = "prime",
      .source = "kernel void prime(global int *out) { int i = get_global_id(0); out[i] = i ^ 0x55; }\n",
      .global = {10007},
      .args = {KERNEL_OUT(out)},
  });
}

static void a_required_size_is_what_the_kernel_sees(void **state) {
  (void)state;
  cl_int out[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++) out[i] = 403;
  kernel_case_run(&(kernel_case_t){
      .name = "required",
      .source = "kernel __attribute__((reqd_work_group_size(4, 3, 1))) void required(global int *out) {\n"
                "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =\n"
                "      get_local_size(0) * 100 + get_local_size(1) * get_local_size(2);\n"
                "}\n",
      .global = {WIDTH, HEIGHT},
      .local = {4, 3, 1},
      .args = {KERNEL_OUT(out)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_dimensions_cover_every_point),
      cmocka_unit_test(two_dimensions_transpose),
      cmocka_unit_test(offsets_shift_global_ids_only),
      cmocka_unit_test(narrowed_ids_wrap),
      cmocka_unit_test(ids_are_consistent_with_each_other),
      cmocka_unit_test(dimensions_that_do_not_exist_have_size_one),
      cmocka_unit_test(the_last_group_may_be_smaller),
      cmocka_unit_test(uneven_groups_at_every_edge_of_three_dimensions),
      cmocka_unit_test(one_item_is_a_range_too),
      cmocka_unit_test(prime_sizes_run_in_any_group),
      cmocka_unit_test(a_required_size_is_what_the_kernel_sees),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
