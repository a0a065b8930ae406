/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels are cached: identical parameters, the local size of a specialized kernel among them, give the same
 * mux_kernel_t. What counts is what muxCreateKernel and muxCommandNDRange are given. Run with QUERN_SPECIALIZE=2, under
 * which a specialized kernel is there at the first launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "nd_range_spy.h"
#include "program_fixture.h"

enum { ITEMS = 256, MANY = 4 };

static const char source[] =
    "kernel void plain(global uint *out) { out[get_global_id(0)] = get_global_id(0); }\n"
    "kernel void group(global uint *out) { out[get_group_id(0)] = get_num_groups(0); }\n"
    "kernel void sum(global uint *out, local uint *t) {\n"
    "  uint l = get_local_id(0), n = get_local_size(0);\n"
    "  t[l] = get_global_id(0) + 1000 * n;\n"
    "  for (uint s = n / 2; s; s >>= 1) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < s) t[l] += t[l + s];\n"
    "  }\n"
    "  if (l == 0) out[get_group_id(0)] = t[0];\n"
    "}\n";

static int created;
static mux_kernel_t launched;

mux_result_t __real_muxCreateKernel(mux_device_t device, mux_executable_t executable, const char *name,
                                    uint64_t name_length, mux_allocator_info_t allocator, mux_kernel_t *out_kernel);
mux_result_t __wrap_muxCreateKernel(mux_device_t device, mux_executable_t executable, const char *name,
                                    uint64_t name_length, mux_allocator_info_t allocator, mux_kernel_t *out_kernel);

mux_result_t __wrap_muxCreateKernel(mux_device_t on, mux_executable_t executable, const char *name,
                                    uint64_t name_length, mux_allocator_info_t allocator, mux_kernel_t *out_kernel) {
  created++;
  return __real_muxCreateKernel(on, executable, name, name_length, allocator, out_kernel);
}

static void note_nd_range(mux_kernel_t kernel, const mux_ndrange_options_t *options) {
  (void)options;
  launched = kernel;
}

static int begin(void **state) {
  (void)state;
  const int error = fixture_open(source, ITEMS);
  created = 0;
  return error;
}

static int end(void **state) {
  (void)state;
  return fixture_close();
}

static cl_kernel kernel_make(const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  assert_int_equal(error, CL_SUCCESS);
  return kernel;
}

/** The Mux kernel that a launch runs. */
static mux_kernel_t launch(cl_kernel kernel, size_t global, size_t local) {
  assert_int_equal(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
  assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), CL_SUCCESS);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  return launched;
}

static void every_kernel_of_a_name_is_the_cached_one(void **state) {
  (void)state;
  cl_kernel kernels[MANY + 1];
  cl_int error;
  for (int i = 0; i < MANY; i++) kernels[i] = kernel_make("plain");
  kernels[MANY] = clCloneKernel(kernels[0], &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_int_equal(created, 1);
  mux_kernel_t first = launch(kernels[0], ITEMS, 16);
  for (int i = 0; i <= MANY; i++) assert_ptr_equal(launch(kernels[i], ITEMS, 16), first);
  for (int i = 0; i <= MANY; i++) assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
  /* The program keeps it. */
  kernels[0] = kernel_make("plain");
  assert_ptr_equal(launch(kernels[0], ITEMS, 32), first);
  assert_int_equal(clReleaseKernel(kernels[0]), CL_SUCCESS);
  assert_int_equal(created, 1);
}

static void all_kernels_of_a_program_are_cached_ones(void **state) {
  (void)state;
  cl_kernel first[3], second[3];
  assert_int_equal(clCreateKernelsInProgram(program, 3, first, NULL), CL_SUCCESS);
  assert_int_equal(clCreateKernelsInProgram(program, 3, second, NULL), CL_SUCCESS);
  assert_int_equal(created, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(clReleaseKernel(first[i]), CL_SUCCESS);
    assert_int_equal(clReleaseKernel(second[i]), CL_SUCCESS);
  }
}

static void assert_sums(size_t global, size_t local) {
  cl_uint sums[ITEMS];
  assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL), CL_SUCCESS);
  for (size_t group = 0; group * local < global; group++) {
    size_t begin_at = group * local, n = global - begin_at < local ? global - begin_at : local;
    size_t sum = 0, halved = 1;
    /* What the halving loop leaves out where the size is no power of two is left out here too. */
    while (halved * 2 <= n) halved *= 2;
    if (halved != n) continue;
    for (size_t i = 0; i < n; i++) sum += begin_at + i + 1000 * n;
    assert_int_equal(sums[group], (cl_uint)sum);
  }
}

static void a_local_size_has_its_own_kernel_once(void **state) {
  (void)state;
  cl_kernel kernel = kernel_make("sum"), other = kernel_make("sum");
  assert_int_equal(clSetKernelArg(kernel, 1, 64 * sizeof(cl_uint), NULL), CL_SUCCESS);
  assert_int_equal(clSetKernelArg(other, 1, 64 * sizeof(cl_uint), NULL), CL_SUCCESS);
  assert_int_equal(created, 1);
  mux_kernel_t of_64 = launch(kernel, ITEMS, 64);
  assert_sums(ITEMS, 64);
  mux_kernel_t of_32 = launch(kernel, ITEMS, 32);
  assert_sums(ITEMS, 32);
  assert_ptr_not_equal(of_64, of_32);
  assert_int_equal(created, 3);
  assert_ptr_equal(launch(kernel, ITEMS / 2, 64), of_64);
  assert_ptr_equal(launch(other, ITEMS, 64), of_64);
  assert_ptr_equal(launch(other, ITEMS, 32), of_32);
  assert_int_equal(created, 3);
  assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
  assert_int_equal(clReleaseKernel(other), CL_SUCCESS);
}

/* The last group is smaller: the local size is no constant. */
static void groups_that_differ_have_the_general_kernel(void **state) {
  (void)state;
  cl_kernel kernel = kernel_make("sum");
  assert_int_equal(clSetKernelArg(kernel, 1, 64 * sizeof(cl_uint), NULL), CL_SUCCESS);
  mux_kernel_t of_all = launch(kernel, 96, 64);
  assert_sums(96, 64);
  assert_int_equal(created, 1);
  mux_kernel_t of_64 = launch(kernel, ITEMS, 64);
  assert_ptr_equal(launch(kernel, 96, 64), of_all);
  assert_sums(96, 64);
  assert_ptr_not_equal(of_64, of_all);
  assert_ptr_equal(launch(kernel, 80, 32), of_all);
  assert_sums(80, 32);
  assert_int_equal(created, 2);
  assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* Nothing to gain: no local memory, or the kernel never asks. */
static void other_kernels_stay_general(void **state) {
  (void)state;
  cl_kernel kernel = kernel_make("plain");
  mux_kernel_t of_64 = launch(kernel, ITEMS, 64);
  assert_ptr_equal(launch(kernel, ITEMS, 32), of_64);
  assert_int_equal(created, 1);
  assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* One lane of a vector that is active is slower than scalar code, and all groups in one vector are on one thread. */
static void single_items_are_vectors_where_these_are_full(void **state) {
  (void)state;
  cl_kernel kernel = kernel_make("group");
  mux_kernel_t of_all = launch(kernel, ITEMS, 16);
  mux_kernel_t of_one = launch(kernel, ITEMS, 1);
  assert_ptr_not_equal(of_one, of_all);
  assert_true(of_one->ignores_work_groups && !of_all->ignores_work_groups);
  assert_ptr_equal(launch(kernel, 2, 1), of_all);
  assert_ptr_equal(launch(kernel, ITEMS, 1), of_one);
  assert_ptr_equal(launch(kernel, 1, 1), of_all);
  assert_int_equal(created, 2);
  assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_kernel_of_a_name_is_the_cached_one, begin, end),
      cmocka_unit_test_setup_teardown(all_kernels_of_a_program_are_cached_ones, begin, end),
      cmocka_unit_test_setup_teardown(a_local_size_has_its_own_kernel_once, begin, end),
      cmocka_unit_test_setup_teardown(groups_that_differ_have_the_general_kernel, begin, end),
      cmocka_unit_test_setup_teardown(other_kernels_stay_general, begin, end),
      cmocka_unit_test_setup_teardown(single_items_are_vectors_where_these_are_full, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
