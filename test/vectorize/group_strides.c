/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-groups that stride through memory. Each kernel is text that is both C and OpenCL C: what a work-item makes does
 * not hang on others. */
#include <stdbool.h>

#include "test_device.h"

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

enum { GROUPS = 3, LARGEST = 256, ELEMENTS = 8192, RESULTS = 4096 };

/* Where the work-item is that runs in C. */
static struct {
  size_t lane, lanes, group, enqueued, offset, range;
} place;

#define get_local_id(d) (place.lane)
#define get_local_size(d) (place.lanes)
#define get_group_id(d) (place.group)
#define get_global_size(d) (place.range)
#define get_global_id(d) (place.group * place.enqueued + place.offset + place.lane)
#define barrier(flags) (void)0

__extension__ typedef unsigned __int128 product_t;

static ulong mul_hi(ulong a, ulong b) { return (ulong)((product_t)a * b >> 64); }

/** A function of C, and the source of a kernel. `at` is the work-item's own place in `out`, behind RESULTS elements
 * that loops may store to. */
#define STRIDE(NAME, ...)                                                                     \
  static void NAME##_item(const uint *in, uint *out, uint n, uint first, size_t at)           \
      __VA_ARGS__ static const char NAME##_source[] =                                         \
          "kernel void " #NAME                                                                \
          "(global const uint *restrict in, global uint *restrict out, uint n, uint first) {" \
          "  const size_t at = 4096 + get_group_id(0) * 256 + get_local_id(0);\n" #__VA_ARGS__ "}\n";

/* clang-format off */
STRIDE(sum, {
  uint sum = 1;
  for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) sum = sum * 3 + in[i];
  out[at] = sum;
})

STRIDE(blocks, {
  uint sum = 0;
  for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) sum += in[get_group_id(0) * n + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = sum;
})

STRIDE(wide, {
  const uint lane = get_local_id(0);
  float sum = 0;
  uint most = first & 3;
  for (size_t i = lane; i < n; i += get_local_size(0)) {
    sum += (float)(in[i] & 1023);
    most = most < in[i] ? in[i] : most;
  }
  out[at] = (uint)sum ^ most;
})

STRIDE(stores, {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] * 3 + in[first & 7];
})

STRIDE(int_stores, {
  for (int i = get_global_id(0); i < (int)n; i += get_global_size(0)) out[i] = in[i] * 5 + in[3];
})

/* A counter of 64 bits for functions that take an index of 32. */
STRIDE(int_index, {
  uint sum = 0;
  for (long i = (int)get_local_id(0); i < (long)n; i += (int)get_local_size(0)) {
    const int index = (int)i;
    if (in[index] & 1) sum += in[index + 1];
    out[index] = in[index] + 5;
  }
  out[at] = sum;
})

STRIDE(uint_sums, {
  uint even = 0;
  ulong odd = 3;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    if (in[i] & 4) odd += in[i]; else even ^= in[i];
  }
  out[at] = even + (uint)(odd >> 3);
})

/* With a first number that is near the end of what there is, or below 0. */
STRIDE(far, {
  uint sum = n;
  for (uint i = first + (uint)get_local_id(0); i < first + n; i += (uint)get_local_size(0)) {
    sum = sum * 5 + in[i - first];
  }
  out[at] = sum;
})

STRIDE(below, {
  uint sum = 0;
  const int from = (int)get_global_id(0) - 300;
  for (int i = from; i < (int)n - (int)(first & 511); i += (int)get_local_size(0)) sum = sum * 7 + in[i + 300];
  out[at] = sum;
})

STRIDE(extended, {
  uint sum = 0;
  const uint from = get_global_id(0) + first;
  for (ulong i = from; i < (ulong)first + n; i += get_local_size(0)) sum = sum * 7 + in[i - first];
  out[at] = sum;
})

STRIDE(behind, {
  uint sum = 0;
  uint i = get_local_id(0);
  for (; i < n; i += get_local_size(0)) sum += in[i];
  out[at] = sum + i * 3;
})

STRIDE(behind_long, {
  uint last = 9;
  size_t i = get_global_id(0);
  for (; i < n; i += get_local_size(0)) last = in[i] + (uint)i;
  out[at] = last ^ (uint)i;
})

STRIDE(several, {
  uint sum = 0;
  uint other = first & 1;
  for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) sum += in[i];
  const uint scale = sum / 3 | 1;
  for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) other += in[i] / scale;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] + 7;
  out[at] = sum + other;
})

/* Behind one guard there are two loops. */
STRIDE(one_guard, {
  uint sum = 5;
  const size_t lane = get_local_id(0);
  if (lane < n) {
    for (size_t i = lane; i < n; i += get_local_size(0)) sum += in[i];
    sum = sum * 9 ^ in[sum % 8];
    uint more = 0;
    for (size_t i = lane; i < n; i += get_local_size(0)) more ^= in[i] + sum;
    sum += more;
  }
  out[at] = sum;
})

STRIDE(in_if, {
  uint sum = 5;
  if (n & 4) {
    for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) sum = sum * 3 + in[i];
  } else {
    sum = in[at - 4096];
  }
  out[at] = sum;
})

STRIDE(in_loop, {
  uint sum = 0;
  for (uint row = 0; row < 3; row++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint part = row;
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) part = part * 3 + in[row * n + i];
    sum ^= part * (row + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) sum += in[i] / (part | 1);
  }
  out[at] = sum;
})

STRIDE(in_free_loop, {
  uint sum = 0;
  for (uint row = get_group_id(0); row < 5; row += 2) {
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) sum = sum * 3 + in[row * 8 + i];
  }
  out[at] = sum;
})

STRIDE(early, {
  uint sum = 0;
  if (get_local_id(0) % 3 == first % 3) return;
  for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) sum = sum * 3 + in[i];
  out[at] = sum;
})

STRIDE(carried, {
  uint older = get_local_id(0) * first;
  ushort newer = 1;
  uchar count = 0;
  for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) {
    const uint oldest = older;
    older = newer;
    newer = (ushort)(oldest + in[i]);
    count++;
  }
  out[at] = older * 3 + newer * 5u + count;
})

STRIDE(constant_step, {
  uint sum = 0;
  for (uint i = get_local_id(0); i < n; i += 256) sum = sum * 3 + in[i];
  out[at] = sum;
})

STRIDE(own_values, {
  const uint a = in[at - 4096];
  const uint b = in[at - 4000] / (a | 1);
  uint sum = 0;
  for (size_t i = get_local_id(0) + (first & 15); i < n; i += get_local_size(0)) sum += in[i] * a ^ b;
  out[at] = sum + b;
})

/* The index becomes wider than numbers are. */
STRIDE(products, {
  ulong sum = 0;
  for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) sum += mul_hi(i << 40, (ulong)first << 30) + in[i];
  out[at] = (uint)(sum ^ sum >> 32);
})

/* What is undefined in work-items without turns, and nobody asks for there. */
STRIDE(found, {
  bool is_found = false;
  uint last = 0;
  for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) {
    if ((in[i] & 63) == (first & 63)) {
      is_found = true;
      last = (uint)i;
    }
  }
  if (is_found) out[at] = last + 1;
})

/* The bound is what only those know that have turns. */
STRIDE(inner_bound, {
  uint sum = 0;
  if (get_local_id(0) < n) {
    const size_t step = get_local_size(0) * (1 + n / 1500);
    for (size_t i = get_local_id(0); i < n; i += step) sum = sum * 3 + in[i];
    sum ^= 5;
  }
  out[at] = sum;
})

/* Neighbours are two elements apart. */
STRIDE(pairs, {
  uint sum = 0;
  for (size_t i = get_local_id(0); i < n / 2; i += get_local_size(0)) sum = sum * 3 + (in[2 * i] ^ in[2 * i + 1] << 3);
  out[at] = sum;
})
/* clang-format on */

typedef void item_function_t(const uint *in, uint *out, uint n, uint first, size_t at);

typedef struct case_t {
  const char *source, *name;
  item_function_t *item;
} case_t;

typedef struct range_t {
  size_t size, lanes, offset, rows;
} range_t;

static uint in[ELEMENTS];

static void run_items(const case_t *one, const range_t *range, uint n, uint first, uint *out) {
  place.range = range->size;
  place.enqueued = range->lanes;
  place.offset = range->offset;
  for (place.group = 0; place.group * range->lanes < range->size; place.group++) {
    const size_t left = range->size - place.group * range->lanes;
    place.lanes = left < range->lanes ? left : range->lanes;
    for (place.lane = 0; place.lane < place.lanes; place.lane++) {
      one->item(in, out, n, first, RESULTS + place.group * LARGEST + place.lane);
    }
  }
}

static void run_once(const case_t *one, cl_kernel kernel, const range_t *range, uint n, uint first) {
  static uint expected[ELEMENTS], actual[ELEMENTS];
  const size_t offset[] = {range->offset, 0}, size[] = {range->size, range->rows},
               lanes[] = {range->lanes, range->rows};
  memset(expected, 0, sizeof(expected));
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(expected), expected)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(n), &n));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof(first), &first));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, offset, size, lanes, 0, NULL, NULL));
  test_read(buffers[1], sizeof(actual), actual);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  run_items(one, range, n, first, expected);
  for (uint i = 0; i < ELEMENTS; i++) {
    if (actual[i] == expected[i]) continue;
    fail_msg("%s, n = %u from %#x, groups of %zu by %zu, %zu in all from %zu: element %u is %#x, should be %#x",
             one->name, n, first, range->lanes, range->rows, range->size, range->offset, i, actual[i], expected[i]);
  }
}

static void run_case(void **state) {
  const case_t *one = *state;
  static const size_t sizes[] = {1, 7, 16, 31, 64, 128, 200, LARGEST};
  static const uint bounds[] = {0, 1, 5, 150, 700, 1028, 2000},
                    firsts[] = {0, 21, 0x3ffffe00u, 0x7ffffe00u, 0xfffff000u};
  for (uint i = 0; i < ELEMENTS; i++) in[i] = i * 2654435761u >> 9;
  cl_kernel kernel = test_kernel(one->source, "-cl-std=CL3.0", one->name);
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    const size_t lanes = sizes[i];
    const range_t ranges[] = {
        {GROUPS * lanes, lanes, 0, 1}, {GROUPS * lanes, lanes, 37, 2}, {GROUPS * lanes - lanes / 3, lanes, 0, 1}};
    for (size_t k = 0; k < sizeof(bounds) / sizeof(bounds[0]) * sizeof(firsts) / sizeof(firsts[0]); k++) {
      const uint n = bounds[k % (sizeof(bounds) / sizeof(bounds[0]))];
      run_once(one, kernel, &ranges[k % 3], n, firsts[k / (sizeof(bounds) / sizeof(bounds[0]))]);
    }
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

#define CASE(NAME)                                                                       \
  {                                                                                      \
    #NAME, run_case, NULL, NULL, (void *)&(case_t) { NAME##_source, #NAME, NAME##_item } \
  }

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(sum),        CASE(blocks),       CASE(wide),     CASE(stores),    CASE(int_stores),
      CASE(int_index),  CASE(uint_sums),    CASE(far),      CASE(below),     CASE(extended),
      CASE(behind),     CASE(behind_long),  CASE(several),  CASE(one_guard), CASE(in_if),
      CASE(in_loop),    CASE(in_free_loop), CASE(early),    CASE(carried),   CASE(constant_step),
      CASE(own_values), CASE(pairs),        CASE(products), CASE(found),     CASE(inner_bound),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
