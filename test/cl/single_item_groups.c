/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels that have local memory, or ask for their work-group, launched in work-groups of one work-item, which many
 * programs choose on CPUs: what they compute stays when local memory has become private and the groups run side by
 * side. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

enum { ITEMS = 1 << 14, OFFSET = 5, COLUMNS = 1 << 8, MANY = 20, SPACE = 64 };

#define TABLE "  for (uint i = get_local_id(0); i < 16; i += get_local_size(0)) t[i] = n * 3u + i;\n"

/* A variable, an argument, a copy by the group, collectives, an array indexed at run time, a return by some. */
static const char source[] =
    "kernel REQUIRED void variable(global uint *out, uint n, local uint *t) {\n"
    "  local uint own[4];\n"
    "  size_t group = get_group_id(0) + get_group_id(1) * get_num_groups(0);\n" TABLE
    "  own[get_local_id(0)] = group;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[group] = t[own[0] & 15] + own[0] + get_local_size(1) + get_enqueued_local_size(0);\n"
    "}\n"
    "kernel REQUIRED void copy(global uint *out, uint n, local uint *t) {\n"
    "  size_t group = get_group_id(0);\n"
    "  out[group] = n + group;\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  event_t event = async_work_group_copy(t, (const global uint *)out + group, 1, 0);\n"
    "  wait_group_events(1, &event);\n"
    "  t[0] += get_global_offset(0);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  event = async_work_group_copy(out + group, (const local uint *)t, 1, 0);\n"
    "  wait_group_events(1, &event);\n"
    "}\n"
    "kernel REQUIRED void some(global uint *out, uint n, local uint *t) {\n"
    "  size_t group = get_group_id(0);\n" TABLE
    "  if (group % 3 == 1) return;\n"
    "  for (uint s = 8; s; s >>= 1) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = 0; i < s; i++) t[i] = t[i] * 5u + t[i + s];\n"
    "  }\n"
    "  uint left = work_group_reduce_add(t[group & 15]), any = work_group_any(group % 5 == 0);\n"
    "  out[group] = left + any * 7u + work_group_broadcast(n, 0) + work_group_scan_exclusive_max(n);\n"
    "}\n"
    "typedef struct { uint counts[4]; volatile uint total; } bins_t;\n"
    "kernel REQUIRED void atomics(global uint *out, uint n, local uint *t) {\n"
    "  local bins_t bins[4];\n"
    "  size_t group = get_group_id(0);\n"
    "  for (uint i = 0; i < 16; i++) { bins[i / 4].counts[i % 4] = t[i] = 0; bins[i / 4].total = n; }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint i = 0; i < n + group % 8; i++) {\n"
    "    uint at = (i * 5 + group) & 15;\n"
    "    atomic_inc(&bins[at / 4].counts[at % 4]);\n"
    "    atomic_max(t + at, i);\n"
    "    bins[at / 4].total += 3;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[group] = bins[n / 4 & 3].counts[n & 3] * 1000u + t[n & 15] * 7u + bins[n & 3].total;\n"
    "}\n"
    "kernel REQUIRED void waits(global uint *out, uint n, local uint *t) {\n"
    "  size_t group = get_group_id(0);\n" TABLE
    "  out[group] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  while (atomic_add(out + group, t[group & 15] | 1) < n * 40);\n"
    "}\n";

static uint32_t table(uint32_t n, uint32_t i) { return n * 3 + i; }

static uint32_t of_variable(uint32_t group, uint32_t n) { return table(n, group & 15) + group + 1 + 1; }

static uint32_t of_copy(uint32_t group, uint32_t n) { return n + group + OFFSET; }

static uint32_t of_some(uint32_t group, uint32_t n) {
  uint32_t t[16];
  if (group % 3 == 1) return 0;
  for (uint32_t i = 0; i < 16; i++) t[i] = table(n, i);
  for (uint32_t s = 8; s; s >>= 1) {
    for (uint32_t i = 0; i < s; i++) t[i] = t[i] * 5 + t[i + s];
  }
  return t[group & 15] + (group % 5 == 0) * 7 + n;
}

static uint32_t of_atomics(uint32_t group, uint32_t n) {
  uint32_t counts[16] = {0}, last[16] = {0}, totals[4] = {n, n, n, n};
  for (uint32_t i = 0; i < n + group % 8; i++) {
    uint32_t at = (i * 5 + group) & 15;
    counts[at]++;
    last[at] = i;
    totals[at / 4] += 3;
  }
  return counts[n & 15] * 1000 + last[n & 15] * 7 + totals[n & 3];
}

/* The loop might wait for another group, so that the groups stay by themselves. */
static uint32_t of_waits(uint32_t group, uint32_t n) {
  uint32_t sum = 0, before = 0;
  do {
    before = sum;
    sum += table(n, group & 15) | 1;
  } while (before < n * 40);
  return sum;
}

typedef struct kernel_case_t {
  const char *name;
  cl_uint dimensions;
  uint32_t (*expected)(uint32_t group, uint32_t n);
} kernel_case_t;

static const kernel_case_t cases[] = {
    {"variable", 2, of_variable}, {"copy", 1, of_copy},   {"some", 1, of_some},
    {"atomics", 1, of_atomics},   {"waits", 1, of_waits},
};
enum { CASES = sizeof cases / sizeof *cases };

static void launch(cl_kernel kernel, const kernel_case_t *it, uint32_t n) {
  const size_t local[2] = {1, 1}, offset[2] = {OFFSET, 0};
  const size_t global[2] = {it->dimensions == 2 ? COLUMNS : ITEMS, ITEMS / COLUMNS};
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof n, &n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, it->dimensions, offset, global, local, 0, NULL, NULL));
}

static void check(const kernel_case_t *it, cl_mem out, uint32_t n) {
  static uint32_t results[ITEMS];
  test_read(out, sizeof results, results);
  for (uint32_t group = 0; group < ITEMS; group++) assert_int_equal(results[group], it->expected(group, n));
}

static bool is_special(const test_capture_t *capture, const char *name) {
  char line[128];
  snprintf(line, sizeof line, "kernel '%s' specialized for 2:%d bytes local size 1x1x1 ", name, SPACE);
  return strstr(test_capture_text(capture), line) != NULL;
}

static void run(const kernel_case_t *it, const char *required, test_capture_t *capture) {
  static const uint32_t zeros[ITEMS];
  char options[128];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DREQUIRED=%s", required);
  cl_kernel kernel = test_kernel(source, options, it->name);
  cl_mem out = test_buffer(sizeof zeros, zeros);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
  ASSERT_CL(clSetKernelArg(kernel, 2, SPACE, NULL));
  bool wanted = test_is_quern();
  const double end = test_seconds() + 100;
  for (uint32_t n = 0; n < MANY || (wanted && !is_special(capture, it->name) && test_seconds() < end); n++) {
    launch(kernel, it, n);
    check(it, out, n);
  }
  if (wanted) assert_true(is_special(capture, it->name));
  launch(kernel, it, 1000);
  check(it, out, 1000);
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void run_all(const char *required) {
  char log[16];
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  for (int i = 0; i < CASES; i++) run(&cases[i], required, &capture);
  test_capture_end(&capture, log, sizeof log);
}

static void chosen_at_launch(void **state) {
  (void)state;
  run_all("");
}

static void required_by_kernel(void **state) {
  (void)state;
  run_all("__attribute__((reqd_work_group_size(1,1,1)))");
}

/* Groups that share no memory, and tell each other by their number alone: each of a few work-items has a loop. */
static void without_local_memory(void **state) {
  (void)state;
  static const char parts[] =
      "kernel void parts(global uint *out, uint n) {\n"
      "  uint sum = 0;\n"
      "  for (uint i = get_group_id(0); i < n; i += get_num_groups(0)) sum = sum * 5u + (i ^ sum >> 3);\n"
      "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
      "  out[get_group_id(0)] = sum + get_local_id(0) * 9u + get_local_size(0);\n"
      "}\n";
  enum { PARTS = 24 };
  const size_t global = PARTS, local = 1, offset = OFFSET;
  char log[16];
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  cl_kernel kernel = test_kernel(parts, "-cl-std=CL3.0", "parts");
  cl_mem out = test_buffer(PARTS * sizeof(uint32_t), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
  bool is_special = !test_is_quern();
  const double end = test_seconds() + 100;
  for (uint32_t n = 0; n < MANY || (!is_special && test_seconds() < end); n++) {
    is_special |= strstr(test_capture_text(&capture), "kernel 'parts' specialized for local size 1x1x1 ") != NULL;
    uint32_t results[PARTS];
    ASSERT_CL(clSetKernelArg(kernel, 1, sizeof n, &n));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, &offset, &global, &local, 0, NULL, NULL));
    test_read(out, sizeof results, results);
    for (uint32_t group = 0; group < PARTS; group++) {
      uint32_t sum = 0;
      for (uint32_t i = group; i < n; i += PARTS) sum = sum * 5 + (i ^ sum >> 3);
      assert_int_equal(results[group], sum + 1);
    }
  }
  test_capture_end(&capture, log, sizeof log);
  assert_true(is_special);
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* Another size of local memory is another variant, or none: what is behind the first is not read. */
static void other_memory(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0 -DREQUIRED=", "variable");
  cl_mem out = test_buffer(ITEMS * sizeof(uint32_t), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
  for (uint32_t n = 0; n < MANY; n++) {
    ASSERT_CL(clSetKernelArg(kernel, 2, n % 2 ? SPACE : SPACE << 8, NULL));
    launch(kernel, &cases[0], n);
    check(&cases[0], out, n);
    usleep(10000);
  }
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* A variant for the image alone may have other sub-groups, which nobody compares in groups of one work-item. */
static void sub_groups_stay(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  static const char lanes[] =
      "kernel void lanes(global uint *out, read_only image2d_t image, local uint *t) {\n"
      "  t[0] = get_max_sub_group_size();\n"
      "  out[get_group_id(0)] = t[0] + read_imageui(image, (int2)(0, 0)).x;\n"
      "}\n";
  char log[1 << 12];
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
  const size_t global = ITEMS, local = 1;
  cl_int error;
  test_capture_t capture;
  test_capture_begin(&capture, STDERR_FILENO);
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_ONLY, &format, &desc, NULL, &error);
  cl_kernel kernel = test_kernel(lanes, "-cl-std=CL3.0", "lanes");
  cl_mem out = test_buffer(ITEMS * sizeof(uint32_t), NULL);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &image));
  ASSERT_CL(clSetKernelArg(kernel, 2, SPACE, NULL));
  for (int n = 0; n < MANY; n++) {
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    ASSERT_CL(clFinish(dut.queue));
    usleep(50000);
  }
  test_capture_end(&capture, log, sizeof log);
  assert_non_null(strstr(log, "kernel 'lanes' not specialized for"));
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chosen_at_launch), cmocka_unit_test(required_by_kernel), cmocka_unit_test(without_local_memory),
      cmocka_unit_test(other_memory),     cmocka_unit_test(sub_groups_stay),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
