/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_intel_split_work_group_barrier: what was written before work-items arrive is there when they have waited. */
#include "kernel_case.h"
#include "test_extension.h"

enum { ITEMS = 512, GROUP = 64 };

static int open_device(void **state) {
  return test_device_open(state) || !test_has_extension("cl_intel_split_work_group_barrier");
}

static const char source[] =
    "#ifndef cl_intel_split_work_group_barrier\n"
    "#error not defined\n"
    "#endif\n"
    "kernel void halves(global int *out, global int *shared, local int *group) {\n"
    "  const int i = get_local_id(0), n = get_local_size(0);\n"
    "  global int *mine = shared + get_group_id(0) * n;\n"
    "  int sum = 0;\n"
    "  for (int turn = 0; turn < 4; turn++) {\n"
    "    group[i] = i + turn;\n"
    "    mine[i] = i * turn;\n"
    "    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    int other = (i * 7 + turn) % n;\n"
    "    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    sum += group[other] + mine[n - 1 - i];\n"
    "    ARRIVE_AGAIN;\n"
    "    sum *= 3;\n"
    "    WAIT_AGAIN;\n"
    "  }\n"
    "  out[get_global_id(0)] = sum;\n"
    "}\n";

static void check(const char *options) {
  static cl_int out[ITEMS], shared[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    const int item = i % GROUP;
    out[i] = 0;
    for (int turn = 0; turn < 4; turn++) {
      out[i] += (item * 7 + turn) % GROUP + turn + (GROUP - 1 - item) * turn;
      out[i] *= 3;
    }
    shared[i] = item * 3;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "halves",
      .source = source,
      .options = options,
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_OUT(shared), KERNEL_LOCAL(GROUP * sizeof(cl_int))},
  });
}

static void of_opencl_c_1_2(void **state) {
  (void)state;
  check(
      "-cl-std=CL1.2 -DARRIVE_AGAIN=intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE|CLK_GLOBAL_MEM_FENCE)"
      " -DWAIT_AGAIN=intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE|CLK_GLOBAL_MEM_FENCE)");
}

/** With a scope. */
static void of_opencl_c_3_0(void **state) {
  (void)state;
  check(
      "-cl-std=CL3.0 -DARRIVE_AGAIN="
      "intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE|CLK_GLOBAL_MEM_FENCE,memory_scope_device)"
      " -DWAIT_AGAIN="
      "intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE|CLK_GLOBAL_MEM_FENCE,memory_scope_work_group)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_opencl_c_1_2),
      cmocka_unit_test(of_opencl_c_3_0),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
