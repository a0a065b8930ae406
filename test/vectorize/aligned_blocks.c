/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Quotients and remainders of local ids by powers of two: blocks shorter than a vector, as long, and longer than
 * several interleaved ones. */
#include <stdio.h>

#include "test_device.h"

enum { GROUP = 256, ITEMS = 4 * GROUP, LONGEST = 24 };

/* The `start` at which `wraps` wraps for work-items 63 and others, and the last one of 128 is as far from the first as
 * if none did. */
static const cl_uint start = 0u - 3237;

/* `STEPS` of a random number generator are a critical path, for which bodies without barriers are interleaved. */
static const char source[] =
    "kernel void chain(global const uint *in, global uint *out, uint start) {\n"
    "  uint l = get_local_id(0), z = in[l / BLOCK];\n"
    "  for (int i = 0; i < STEPS; i++) z = 36969 * (z & 65535) + (z >> 16);\n"
    "  out[get_global_id(0)] = z + l;\n"
    "}\n"
    "kernel void rings(global const uint *in, global uint *out, uint start) {\n"
    "  uint l = get_local_id(0), g = get_global_id(0);\n"
    "  out[g] = in[l % BLOCK];\n"
    "}\n"
    "kernel void wraps(global const uint *in, global uint *out, uint start) {\n"
    "  uint l = get_local_id(0), i = start + (l & 31) + (l & 32) * 101 - (l & 64) * 49;\n"
    "  out[get_global_id(0)] = (uint)((ulong)i * 3 >> 2);\n"
    "}\n"
    "kernel void tiles(global const uint *in, global uint *out, uint start) {\n"
    "  uint l = get_local_id(0), z = in[l / BLOCK], r = in[l % BLOCK * 4 + 1] ^ in[l / BLOCK * 8 + 2];\n"
    "  local uint tile[256];\n"
    "  tile[l] = z + l;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  z += tile[l / BLOCK * BLOCK] * 3 + tile[l & (BLOCK - 1)];\n"
    "  if (l & 1) r += in[l / BLOCK + 3];\n"
    "  for (int i = 0; i < STEPS; i++) z = 36969 * (z & 65535) + (z >> 16);\n"
    "  out[get_global_id(0)] = z + l + r * 7;\n"
    "}\n";

static cl_uint chained(cl_uint z, int steps) {
  for (int i = 0; i < steps; i++) z = 36969 * (z & 65535) + (z >> 16);
  return z;
}

static cl_uint expected_of_chain(const cl_uint *in, cl_uint l, cl_uint block, int steps) {
  return chained(in[l / block], steps) + l;
}

static cl_uint expected_of_rings(const cl_uint *in, cl_uint l, cl_uint block, int steps) {
  (void)steps;
  return in[l % block];
}

static cl_uint expected_of_wraps(const cl_uint *in, cl_uint l, cl_uint block, int steps) {
  (void)in, (void)block, (void)steps;
  const cl_uint i = start + (l & 31) + (l & 32) * 101 - (l & 64) * 49;
  return (cl_uint)((cl_ulong)i * 3 >> 2);
}

static cl_uint expected_of_tiles(const cl_uint *in, cl_uint l, cl_uint block, int steps) {
  cl_uint z = in[l / block], r = in[l % block * 4 + 1] ^ in[l / block * 8 + 2];
  const cl_uint first = l / block * block, low = l & (block - 1);
  z += (in[first / block] + first) * 3 + in[low / block] + low;
  if (l & 1) r += in[l / block + 3];
  return chained(z, steps) + l + r * 7;
}

typedef cl_uint (*expected_t)(const cl_uint *in, cl_uint l, cl_uint block, int steps);

static void check(const char *name, expected_t expected_of, cl_uint block, int steps, size_t local) {
  char options[64];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DBLOCK=%u -DSTEPS=%d", block, steps);
  cl_uint in[8 * GROUP], out[ITEMS];
  for (cl_uint i = 0; i < 8 * GROUP; i++) in[i] = i * 2654435761u;
  cl_kernel kernel = test_kernel(source, options, name);
  cl_mem from = test_buffer(sizeof in, in), to = test_buffer(sizeof out, NULL);
  const size_t items = ITEMS / local * local;
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof start, &start));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
  test_read(to, items * sizeof *out, out);
  for (size_t i = 0; i < items; i++) {
    const cl_uint expected = expected_of(in, (cl_uint)(i % local), block, steps);
    if (out[i] == expected) continue;
    fail_msg("%s, blocks of %u, %d steps, groups of %zu: work-item %zu has %u, not %u", name, block, steps, local, i,
             out[i], expected);
  }
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void items_of_a_block_share_its_value(void **state) {
  (void)state;
  static const size_t locals[] = {GROUP, 64, 40};
  for (cl_uint block = 2; block <= GROUP; block *= 2) {
    for (int steps = 0; steps <= LONGEST; steps += 8) {
      for (size_t i = 0; i < sizeof locals / sizeof *locals; i++) {
        check("chain", expected_of_chain, block, steps, locals[i]);
        check("rings", expected_of_rings, block, steps, locals[i]);
        check("tiles", expected_of_tiles, block, steps, locals[i]);
      }
    }
  }
}

static void sums_of_blocks_wrap(void **state) {
  (void)state;
  static const size_t locals[] = {128, 64, GROUP};
  for (size_t i = 0; i < sizeof locals / sizeof *locals; i++) check("wraps", expected_of_wraps, 16, 0, locals[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_of_a_block_share_its_value),
      cmocka_unit_test(sums_of_blocks_wrap),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
