/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: atomic functions on global and local memory, and asynchronous copies. */
#include "kernel_case.h"

enum { ITEMS = 960, GROUP = 32 };

static void global_counters_lose_nothing(void **state) {
  (void)state;
  const cl_uint before[4] = {0, 0, 1000000, 0};
  const cl_uint after[4] = {ITEMS, ITEMS * (ITEMS - 1) / 2, 1000000 - ITEMS, ITEMS * 2};
  kernel_case_run(&(kernel_case_t){
      .name = "counters",
      .source = "kernel void counters(volatile global uint *c) {\n"
                "  atomic_inc(&c[0]);\n"
                "  atomic_add(&c[1], (uint)get_global_id(0));\n"
                "  atomic_dec(&c[2]);\n"
                "  atom_add(&c[3], 2u);\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(before, after)},
  });
}

static void minimum_maximum_and_bits(void **state) {
  (void)state;
  const cl_int before[5] = {99999, -99999, 0, -1, 0};
  const cl_int after[5] = {-(ITEMS - 1), ITEMS - 1, 1023, ~1023, 0};
  kernel_case_run(&(kernel_case_t){
      .name = "extremes",
      .source = "kernel void extremes(volatile global int *c) {\n"
                "  int i = get_global_id(0);\n"
                "  atomic_min(&c[0], -i);\n"
                "  atomic_max(&c[1], i);\n"
                "  atomic_or(&c[2], i);\n"
                "  atomic_and(&c[3], ~i);\n"
                "  atomic_xor(&c[4], 5);\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(before, after)},
  });
}

/** Each item takes a ticket: all values are taken exactly once. */
static void the_old_value_is_returned_once_to_each(void **state) {
  (void)state;
  const cl_uint zero[1] = {0}, all[1] = {ITEMS};
  static cl_uint nobody[ITEMS], everybody[ITEMS];
  for (int i = 0; i < ITEMS; i++) everybody[i] = 1;
  kernel_case_run(&(kernel_case_t){
      .name = "tickets",
      .source = "kernel void tickets(volatile global uint *next, global uint *taken) {\n"
                "  taken[atomic_inc(next)] += 1;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(zero, all), KERNEL_INOUT(nobody, everybody)},
  });
}

static void compare_and_exchange_builds_a_float_sum(void **state) {
  (void)state;
  const cl_float before[1] = {0}, after[1] = {ITEMS * 0.5f};
  kernel_case_run(&(kernel_case_t){
      .name = "float_sum",
      .source = "kernel void float_sum(volatile global float *sum) {\n"
                "  volatile global uint *bits = (volatile global uint *)sum;\n"
                "  uint old = *bits, seen;\n"
                "  while ((seen = atomic_cmpxchg(bits, old, as_uint(as_float(old) + 0.5f))) != old) old = seen;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(before, after)},
  });
}

static void local_histograms_merge_into_a_global_one(void **state) {
  (void)state;
  static cl_uchar in[ITEMS];
  static cl_uint zeros[16], out[16];
  memset(out, 0, sizeof(out));
  for (int i = 0; i < ITEMS; i++) {
    in[i] = (cl_uchar)((i * i + 3 * i) % 16);
    out[in[i]]++;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "histogram",
      .source = "kernel void histogram(global const uchar *in, volatile global uint *out, volatile local uint *l) {\n"
                "  size_t i = get_local_id(0);\n"
                "  if (i < 16) l[i] = 0;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  atomic_inc(&l[in[get_global_id(0)]]);\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  if (i < 16) atomic_add(&out[i], l[i]);\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_IN(in), KERNEL_INOUT(zeros, out), KERNEL_LOCAL(64)},
  });
}

static void exchange_on_floats_and_integers(void **state) {
  (void)state;
  cl_int before[ITEMS], after[ITEMS], old[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    before[i] = i + 5;
    after[i] = -i;
    old[i] = i + 5;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "exchange",
      .source = "kernel void exchange(volatile global int *p, global int *old) {\n"
                "  int i = get_global_id(0);\n"
                "  old[i] = atomic_xchg(&p[i], -i);\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(before, after), KERNEL_OUT(old)},
  });
}

static void sixty_four_bit_atomics(void **state) {
  (void)state;
  char extensions[8192] = "";
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL));
  if (strstr(extensions, "cl_khr_int64_base_atomics") == NULL) skip();
  const cl_ulong before[1] = {0}, after[1] = {(cl_ulong)ITEMS << 33};
  kernel_case_run(&(kernel_case_t){
      .name = "wide",
      .source = "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                "kernel void wide(volatile global ulong *c) { atom_add(c, 1ul << 33); }\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(before, after)},
  });
}

static void c11_atomics_with_orders_and_scopes(void **state) {
  (void)state;
  const cl_int before[3] = {0, 0, 7}, after[3] = {ITEMS, ITEMS - 1, 7};
  kernel_case_run(&(kernel_case_t){
      .name = "c11",
      .source = "kernel void c11(volatile global atomic_int *c) {\n"
                "  int i = get_global_id(0);\n"
                "  atomic_fetch_add_explicit(&c[0], 1, memory_order_relaxed, memory_scope_device);\n"
                "  atomic_fetch_max_explicit(&c[1], i, memory_order_relaxed, memory_scope_device);\n"
                "  int expected = 3;\n"
                "  if (atomic_compare_exchange_strong_explicit(&c[2], &expected, 9, memory_order_relaxed,\n"
                "        memory_order_relaxed, memory_scope_device) || expected != 7)\n"
                "    atomic_store_explicit(&c[2], -1, memory_order_relaxed, memory_scope_device);\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_INOUT(before, after)},
  });
}

static void c11_atomics_on_local_memory(void **state) {
  (void)state;
  cl_int out[ITEMS / GROUP];
  for (int i = 0; i < ITEMS / GROUP; i++) out[i] = GROUP * (GROUP + 1) / 2;
  kernel_case_run(&(kernel_case_t){
      .name = "c11_local",
      .source =
          "kernel void c11_local(global int *out) {\n"
          "  local atomic_int sum;\n"
          "  if (get_local_id(0) == 0)\n"
          "    atomic_store_explicit(&sum, 0, memory_order_relaxed, memory_scope_work_group);\n"
          "  barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  atomic_fetch_add_explicit(&sum, (int)get_local_id(0) + 1, memory_order_relaxed,\n"
          "                            memory_scope_work_group);\n"
          "  barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  if (get_local_id(0) == 0)\n"
          "    out[get_group_id(0)] = atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group);\n"
          "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out)},
  });
}

static void async_copies_bring_data_in_and_out(void **state) {
  (void)state;
  static cl_float in[ITEMS], out[ITEMS];
  for (int i = 0; i < ITEMS; i++) in[i] = (cl_float)(i * 7 % 93);
  for (int i = 0; i < ITEMS; i++) out[i] = in[i / GROUP * GROUP + (GROUP - 1 - i % GROUP)] * 2;
  kernel_case_run(&(kernel_case_t){
      .name = "stage",
      .source = "kernel void stage(global const float *in, global float *out, local float *a, local float *b) {\n"
                "  size_t n = get_local_size(0), first = get_group_id(0) * n, i = get_local_id(0);\n"
                "  event_t arrived = async_work_group_copy(a, in + first, n, 0);\n"
                "  wait_group_events(1, &arrived);\n"
                "  b[i] = a[n - 1 - i] * 2;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  event_t left = async_work_group_copy(out + first, b, n, 0);\n"
                "  wait_group_events(1, &left);\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_IN(in), KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4), KERNEL_LOCAL(GROUP * 4)},
  });
}

static void strided_async_copies_gather_and_scatter(void **state) {
  (void)state;
  static cl_int in[ITEMS * 3], before[ITEMS * 2], out[ITEMS * 2];
  for (int i = 0; i < ITEMS * 3; i++) in[i] = i * 11;
  for (int i = 0; i < ITEMS * 2; i++) {
    before[i] = -1;
    out[i] = i % 2 == 0 ? in[i / 2 * 3] : -1;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "strided",
      .source = "kernel void strided(global const int *in, global int *out, local int *l) {\n"
                "  size_t n = get_local_size(0), first = get_group_id(0) * n;\n"
                "  event_t e = async_work_group_strided_copy(l, in + first * 3, n, 3, 0);\n"
                "  wait_group_events(1, &e);\n"
                "  e = async_work_group_strided_copy(out + first * 2, l, n, 2, 0);\n"
                "  wait_group_events(1, &e);\n"
                "}\n",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_IN(in), KERNEL_INOUT(before, out), KERNEL_LOCAL(GROUP * 4)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(global_counters_lose_nothing),
      cmocka_unit_test(minimum_maximum_and_bits),
      cmocka_unit_test(the_old_value_is_returned_once_to_each),
      cmocka_unit_test(compare_and_exchange_builds_a_float_sum),
      cmocka_unit_test(local_histograms_merge_into_a_global_one),
      cmocka_unit_test(exchange_on_floats_and_integers),
      cmocka_unit_test(sixty_four_bit_atomics),
      cmocka_unit_test(c11_atomics_with_orders_and_scopes),
      cmocka_unit_test(c11_atomics_on_local_memory),
      cmocka_unit_test(async_copies_bring_data_in_and_out),
      cmocka_unit_test(strided_async_copies_gather_and_scatter),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
