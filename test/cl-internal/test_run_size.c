/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The local size that runs: the application's, unless it is smaller than a vector and the kernel cannot tell. What
 * counts is what muxCommandNDRange is given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "device_fixture.h"
#include "nd_range_spy.h"

static cl_mem buffer;

/* The sizes that were recorded last. */
static size_t recorded[3];

static void note_nd_range(mux_kernel_t kernel, const mux_ndrange_options_t *options) {
  (void)kernel;
  memcpy(recorded, options->local_size, sizeof recorded);
}

static int set_up(void **state) {
  (void)state;
  cl_int error = device_fixture_open();
  if (!error) buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096 * sizeof(cl_uint), NULL, &error);
  return error;
}

static int tear_down(void **state) {
  (void)state;
  return clReleaseMemObject(buffer) || device_fixture_close();
}

/** Runs 64 x 64 work-items of the program's kernel `k` with this local size. */
static void run(const char *source, const char *options, const size_t *local) {
  static const size_t global[2] = {64, 64};
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_int_equal(clBuildProgram(program, 1, &device, options, NULL, NULL), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), CL_SUCCESS);
  memset(recorded, 0, sizeof recorded);
  assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), CL_SUCCESS);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

#define INDEX "get_global_id(1) * get_global_size(0) + get_global_id(0)"
#define KERNEL(body) "kernel void k(global uint *out) { const size_t i = " INDEX "; " body " }"

static const size_t one[2] = {1, 1};

static void assert_kept(const char *source) {
  run(source, "-cl-std=CL3.0", one);
  assert_int_equal(recorded[0], 1);
  assert_int_equal(recorded[1], 1);
}

static void runs_larger_groups_that_nobody_notices(void **state) {
  (void)state;
  run(KERNEL("out[i] = (uint)i * 3 + (uint)get_global_offset(0) + get_work_dim();"), "-cl-std=CL3.0", one);
  assert_true(recorded[0] >= 4);
  cl_uint out[4096];
  assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), CL_SUCCESS);
  for (cl_uint i = 0; i < 4096; i++) assert_int_equal(out[i], i * 3 + 2);
}

/* Under OpenCL C 1.2 all groups are of one size. */
static void runs_uniform_groups_where_they_must_be(void **state) {
  (void)state;
  run(KERNEL("out[i] = (uint)i;"), "-cl-std=CL1.2", one);
  assert_true(recorded[0] >= 4 && 64 % recorded[0] == 0 && 64 % recorded[1] == 0);
}

static void keeps_groups_as_wide_as_vectors(void **state) {
  (void)state;
  run(KERNEL("out[i] = (uint)i;"), "-cl-std=CL3.0", (const size_t[]){64, 2});
  assert_int_equal(recorded[0], 64);
  assert_int_equal(recorded[1], 2);
}

static void keeps_what_kernels_ask_for(void **state) {
  (void)state;
  assert_kept(KERNEL("out[i] = (uint)get_local_id(0);"));
  assert_kept(KERNEL("out[i] = (uint)get_group_id(1);"));
  assert_kept(KERNEL("out[i] = (uint)get_local_size(0);"));
  assert_kept(KERNEL("out[i] = (uint)get_enqueued_local_size(1);"));
  assert_kept(KERNEL("out[i] = (uint)get_num_groups(0);"));
  assert_kept(KERNEL("out[i] = (uint)get_local_linear_id();"));
}

static void keeps_groups_that_share_something(void **state) {
  (void)state;
  assert_kept(KERNEL("out[i] = 1; barrier(CLK_GLOBAL_MEM_FENCE); out[i] = 2;"));
  assert_kept(KERNEL("local uint sum; sum = (uint)i; out[i] = sum;"));
  assert_kept(KERNEL("out[i] = work_group_reduce_add((uint)i);"));
  assert_kept(KERNEL("out[i] = sub_group_reduce_add((uint)i);"));
}

/* One group may wait for another, which runs on another thread. */
static void keeps_groups_that_may_wait(void **state) {
  (void)state;
  assert_kept(KERNEL("for (uint j = 0; j < get_global_size(1); j++) out[i] += *(volatile global uint *)out;"));
  assert_kept(
      KERNEL("uint x = out[i];"
             "for (uint j = 0; j < get_global_size(1); j++) {"
             "  x = x * 5 + (x >> 3) * j + (x ^ 77) + (x << 2) + (x | j);"
             "  if ((j & 15) == 15) x += atomic_or(out + 4095, 0);"
             "} out[i] = x;"));
}

/* Nobody waits without a loop. */
static void merges_groups_that_read_once(void **state) {
  (void)state;
  run(KERNEL("for (uint j = 0; j < get_global_size(1); j++) out[i] = out[i] * 5 + (out[4000] ^ j);"
             "out[i] ^= *(volatile global uint *)(out + 4095) * 7;"),
      "-cl-std=CL3.0", one);
  assert_true(recorded[0] >= 4);
}

#define REQUIRED(x, body) \
  "kernel __attribute__((reqd_work_group_size(" #x ", 1, 1))) void k(global uint *out) {" body "}"

static void keeps_required_sizes(void **state) {
  (void)state;
  run(REQUIRED(2, "out[" INDEX "] = 1;"), "-cl-std=CL3.0", (const size_t[]){2, 1});
  assert_int_equal(recorded[0], 2);
  assert_int_equal(recorded[1], 1);
}

/* A required size of 1 is none that a kernel notices: local memory is private, and nobody waits at a barrier. */
static void merges_groups_of_one_work_item(void **state) {
  (void)state;
  run(REQUIRED(1,
               "local uint x[2]; x[0] = get_local_id(0) + get_group_id(0); barrier(CLK_LOCAL_MEM_FENCE);"
               "x[1] = get_group_id(1) * get_num_groups(0); out[x[0] + x[1]] = work_group_reduce_add(x[0] * 7);"),
      "-cl-std=CL3.0", one);
  assert_true(recorded[0] >= 4);
  cl_uint out[4096];
  assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), CL_SUCCESS);
  for (cl_uint i = 0; i < 4096; i++) assert_int_equal(out[i], i % 64 * 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_larger_groups_that_nobody_notices),
      cmocka_unit_test(runs_uniform_groups_where_they_must_be),
      cmocka_unit_test(keeps_groups_as_wide_as_vectors),
      cmocka_unit_test(keeps_what_kernels_ask_for),
      cmocka_unit_test(keeps_groups_that_share_something),
      cmocka_unit_test(keeps_groups_that_may_wait),
      cmocka_unit_test(merges_groups_that_read_once),
      cmocka_unit_test(keeps_required_sizes),
      cmocka_unit_test(merges_groups_of_one_work_item),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
