/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs that cannot be built: the log says why. */
#include <stdlib.h>

#include "test_device.h"

static void assert_not_built(const char *source, const char *message) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clBuildProgram(program, 1, &dut.device, "-cl-std=CL3.0", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  char *log = test_build_log(program);
  assert_non_null(strstr(log, message));
  free(log);
  ASSERT_CL(clReleaseProgram(program));
}

/** Assembly that the code generator cannot take ended the process. */
static void assembly_is_refused(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  assert_not_built("kernel void k(global int *out) { __asm__(\"bogus %0\" : \"=r\"(out[0])); }", "assembly");
}

/** A place in the barrier context is of one size for all work-items, and of one turn of a loop. */
static void memory_of_alloca_ends_at_a_barrier(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  assert_not_built(
      "kernel void k(global int *out) {"
      " int n = out[0]; int *p = __builtin_alloca(n * 4); p[0] = 1; barrier(1); out[1] = p[n / 2]; }",
      "kernel 'k' uses a dynamic alloca");
  assert_not_built(
      "kernel void turns(global int *out) { for (int i = 0; i < out[0]; i++) {"
      " int *p = __builtin_alloca(16); p[0] = out[i]; barrier(1); out[i] = p[i & 3]; } }",
      "kernel 'turns' uses a dynamic alloca");
}

/** Local variables and private ones may be aligned to more. */
static void variables_are_aligned_to_a_page_at_most(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  assert_not_built(
      "global int much __attribute__((aligned(8192)));"
      "kernel void k(global int *out) { out[0] = much++; }",
      "alignment of 8192 bytes");
  ASSERT_CL(
      clReleaseProgram(test_program("global int page __attribute__((aligned(4096)));"
                                    "kernel void k(global int *out) { out[0] = page++; }",
                                    "-cl-std=CL3.0")));
}

/** Clang 22 crashes over it. */
static void a_void_expression_becomes_no_vector(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  assert_not_built("kernel void k(global float4 *out) { (void)(float4)((void)0); }",
                   "error: a void expression cannot be converted");
  assert_not_built(
      "float4 f(void) { return (float4)(mem_fence(0)); } kernel void k(global float4 *out) { out[0] = f(); }",
      "error: a void expression cannot be converted");
}

/** As over that. */
static void a_pointer_becomes_no_floating_point_vector(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  assert_not_built("kernel void k(global float4 *out, global uint *in) { out[0] = (float4)(in); }",
                   "error: a pointer cannot be converted to a floating-point type");
  assert_not_built("kernel void k(global double2 *out, global uint *in) { out[0] = (double2)((1, in)); }",
                   "error: a pointer cannot be converted to a floating-point type");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(assembly_is_refused),
      cmocka_unit_test(memory_of_alloca_ends_at_a_barrier),
      cmocka_unit_test(variables_are_aligned_to_a_page_at_most),
      cmocka_unit_test(a_void_expression_becomes_no_vector),
      cmocka_unit_test(a_pointer_becomes_no_floating_point_vector),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
