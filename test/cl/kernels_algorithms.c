/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Whole algorithms as programs have them: sorting, scans, products, simulations, searches. */
#include <math.h>
#include <stdlib.h>

#include "kernel_case.h"

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static int compare_uints(const void *left, const void *right) {
  cl_uint a = *(const cl_uint *)left, b = *(const cl_uint *)right;
  return (a > b) - (a < b);
}

static void bitonic_sort_in_local_memory(void **state) {
  (void)state;
  enum { COUNT = 256 };
  cl_uint in[COUNT], out[COUNT];
  uint32_t seed = 7;
  for (int i = 0; i < COUNT; i++) in[i] = next_random(&seed) >> 20;
  memcpy(out, in, sizeof(in));
  qsort(out, COUNT, sizeof(*out), compare_uints);
  kernel_case_run(&(kernel_case_t){
      .name = "bitonic",
      .source = "kernel void bitonic(global const uint *in, global uint *out, local uint *l) {\n"
                "  uint i = get_local_id(0), n = get_local_size(0);\n"
                "  l[i] = in[i];\n"
                "  for (uint block = 2; block <= n; block *= 2) {\n"
                "    for (uint step = block / 2; step > 0; step /= 2) {\n"
                "      barrier(CLK_LOCAL_MEM_FENCE);\n"
                "      uint other = i ^ step;\n"
                "      uint a = l[i], b = l[other];\n"
                "      bool keep_smaller = (i < other) == ((i & block) == 0);\n"
                "      uint mine = keep_smaller ? min(a, b) : max(a, b);\n"
                "      barrier(CLK_LOCAL_MEM_FENCE);\n"
                "      l[i] = mine;\n"
                "    }\n"
                "  }\n"
                "  out[i] = l[i];\n"
                "}\n",
      .global = {COUNT},
      .local = {COUNT},
      .args = {KERNEL_IN(in), KERNEL_OUT(out), KERNEL_LOCAL(COUNT * 4)},
  });
}

static void prefix_sums_swap_two_local_buffers(void **state) {
  (void)state;
  enum { COUNT = 512, GROUP = 64 };
  cl_uint in[COUNT], out[COUNT];
  uint32_t seed = 3;
  for (int i = 0; i < COUNT; i++) {
    in[i] = next_random(&seed) >> 24;
    out[i] = in[i] + (i % GROUP != 0 ? out[i - 1] : 0);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "scan",
      .source = "kernel void scan(global const uint *in, global uint *out, local uint *a, local uint *b) {\n"
                "  size_t i = get_local_id(0);\n"
                "  a[i] = in[get_global_id(0)];\n"
                "  for (size_t step = 1; step < get_local_size(0); step *= 2) {\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    b[i] = i >= step ? a[i] + a[i - step] : a[i];\n"
                "    local uint *swap = a; a = b; b = swap;\n"
                "  }\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[get_global_id(0)] = a[i];\n"
                "}\n",
      .global = {COUNT},
      .local = {GROUP},
      .args = {KERNEL_IN(in), KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4), KERNEL_LOCAL(GROUP * 4)},
  });
}

static void matrix_product_in_tiles(void **state) {
  (void)state;
  enum { M = 24, N = 40, K = 32, TILE = 8 };
  cl_float a[M * K], b[K * N], c[M * N];
  for (int i = 0; i < M * K; i++) a[i] = (cl_float)(i * 7 % 11 - 5);
  for (int i = 0; i < K * N; i++) b[i] = (cl_float)(i * 5 % 13 - 6);
  for (int i = 0; i < M * N; i++) {
    c[i] = 0;
    for (int k = 0; k < K; k++) c[i] += a[i / N * K + k] * b[k * N + i % N];
  }
  kernel_case_run(&(kernel_case_t){
      .name = "product",
      .source = "kernel void product(global const float *a, global const float *b, global float *c, int k_size) {\n"
                "  local float at[8][8], bt[8][8];\n"
                "  int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);\n"
                "  int lx = get_local_id(0), ly = get_local_id(1);\n"
                "  float sum = 0;\n"
                "  for (int t = 0; t < k_size; t += 8) {\n"
                "    at[ly][lx] = a[y * k_size + t + lx]; bt[ly][lx] = b[(t + ly) * n + x];\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    for (int k = 0; k < 8; k++) sum += at[ly][k] * bt[k][lx];\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  }\n"
                "  c[y * n + x] = sum;\n"
                "}\n",
      .global = {N, M},
      .local = {TILE, TILE},
      .args = {KERNEL_IN(a), KERNEL_IN(b), KERNEL_OUT(c), KERNEL_VALUE(cl_int, K)},
  });
}

static void game_of_life(void **state) {
  (void)state;
  enum { W = 40, H = 24 };
  cl_uchar in[W * H], out[W * H];
  uint32_t seed = 11;
  for (int i = 0; i < W * H; i++) in[i] = next_random(&seed) >> 31;
  for (int i = 0; i < W * H; i++) {
    int count = -in[i];
    for (int d = 0; d < 9; d++) count += in[(i / W + d / 3 - 1 + H) % H * W + (i % W + d % 3 - 1 + W) % W];
    out[i] = count == 3 || (count == 2 && in[i] != 0);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "life",
      .source = "kernel void life(global const uchar *in, global uchar *out) {\n"
                "  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);\n"
                "  int count = 0;\n"
                "  for (int dy = -1; dy <= 1; dy++)\n"
                "    for (int dx = -1; dx <= 1; dx++) {\n"
                "      if (dx == 0 && dy == 0) continue;\n"
                "      count += in[(y + dy + h) % h * w + (x + dx + w) % w];\n"
                "    }\n"
                "  out[y * w + x] = count == 3 || (count == 2 && in[y * w + x]);\n"
                "}\n",
      .global = {W, H},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

/** With contraction off, every operation rounds as in C: the counts are equal, not merely close. */
static void escape_times_are_exactly_those_of_c(void **state) {
  (void)state;
  enum { W = 64, H = 48, LIMIT = 200 };
  static cl_int out[W * H];
  for (int i = 0; i < W * H; i++) {
    volatile float cx = (float)(i % W) * 0.046875f - 2.25f, cy = (float)(i / W) * 0.05f - 1.2f;
    volatile float zx = 0, zy = 0, xx = 0, yy = 0, norm = 0; /* volatile: no compiler may contract either */
    int n = 0;
    while (n < LIMIT && norm < 4.0f) {
      volatile float product = zx * zy, difference = xx - yy, twice = 2.0f * product;
      zy = twice + cy;
      zx = difference + cx;
      xx = zx * zx;
      yy = zy * zy;
      norm = xx + yy;
      n++;
    }
    out[i] = n;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "escape",
      .source = "#pragma OPENCL FP_CONTRACT OFF\n"
                "kernel void escape(global int *out, int limit) {\n"
                "  volatile private float sx = (float)get_global_id(0) * 0.046875f;\n"
                "  volatile private float sy = (float)get_global_id(1) * 0.05f;\n"
                "  float cx = sx - 2.25f, cy = sy - 1.2f, zx = 0, zy = 0, xx = 0, yy = 0;\n"
                "  int n = 0;\n"
                "  while (n < limit && xx + yy < 4.0f) {\n"
                "    zy = 2.0f * (zx * zy) + cy; zx = xx - yy + cx;\n"
                "    xx = zx * zx; yy = zy * zy; n++;\n"
                "  }\n"
                "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n;\n"
                "}\n",
      .global = {W, H},
      .args = {KERNEL_OUT(out), KERNEL_VALUE(cl_int, LIMIT)},
  });
}

static void substring_search_counts_and_lists_matches(void **state) {
  (void)state;
  static const char text[] =
      "the quern grinds the grain, the miller turns the quern, and the grain is ground on the quern";
  enum { LENGTH = sizeof(text) - 1 };
  cl_char characters[LENGTH], pattern[5];
  cl_int out[LENGTH];
  const cl_uint zero[1] = {0}, three[1] = {3};
  memcpy(characters, text, LENGTH);
  memcpy(pattern, "quern", 5);
  for (int i = 0; i < LENGTH; i++) out[i] = strncmp(text + i, "quern", 5) == 0;
  kernel_case_run(&(kernel_case_t){
      .name = "search",
      .source = "kernel void search(global const char *text, int length, constant char *pattern, int m,\n"
                "                   global int *out, volatile global uint *found) {\n"
                "  int i = get_global_id(0), k = 0;\n"
                "  while (k < m && i + k < length && text[i + k] == pattern[k]) k++;\n"
                "  out[i] = k == m;\n"
                "  if (k == m) atomic_inc(found);\n"
                "}\n",
      .global = {LENGTH},
      .args = {KERNEL_IN(characters), KERNEL_VALUE(cl_int, LENGTH), KERNEL_IN(pattern), KERNEL_VALUE(cl_int, 5),
               KERNEL_OUT(out), KERNEL_INOUT(zero, three)},
  });
}

static void n_body_forces_through_local_memory(void **state) {
  (void)state;
  enum { BODIES = 64, GROUP = 16 };
  cl_float bodies[BODIES * 4];
  double forces[BODIES * 4];
  uint32_t seed = 5;
  for (int i = 0; i < BODIES * 4; i++) bodies[i] = (cl_float)(next_random(&seed) >> 16) / 65536.0f + (i % 4 == 3);
  for (int i = 0; i < BODIES; i++) {
    double sum[3] = {0};
    for (int j = 0; j < BODIES; j++) {
      double d[3], square = 0.01;
      for (int k = 0; k < 3; k++) d[k] = (double)bodies[4 * j + k] - (double)bodies[4 * i + k] + 1.5;
      for (int k = 0; k < 3; k++) square += d[k] * d[k];
      for (int k = 0; k < 3; k++) sum[k] += d[k] * (double)bodies[4 * j + 3] / (square * sqrt(square));
    }
    for (int k = 0; k < 3; k++) forces[4 * i + k] = sum[k];
    forces[4 * i + 3] = 1;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "n_body",
      .source = "kernel void n_body(global const float4 *bodies, global float4 *forces, local float4 *cache) {\n"
                "  float3 me = bodies[get_global_id(0)].xyz, sum = (float3)(0.0f);\n"
                "  for (uint base = 0; base < get_global_size(0); base += get_local_size(0)) {\n"
                "    cache[get_local_id(0)] = bodies[base + get_local_id(0)];\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    for (uint j = 0; j < get_local_size(0); j++) {\n"
                "      float3 d = cache[j].xyz - me + 1.5f;\n"
                "      float r = rsqrt(dot(d, d) + 0.01f);\n"
                "      sum += d * (cache[j].w * r * r * r);\n"
                "    }\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  }\n"
                "  forces[get_global_id(0)] = (float4)(sum, 1.0f);\n"
                "}\n",
      .global = {BODIES},
      .local = {GROUP},
      .args = {KERNEL_IN(bodies), KERNEL_OUT_FLOATS(forces), KERNEL_LOCAL(GROUP * 16)},
      .ulp = 64,
  });
}

/** A linked structure over indices: pointer chasing with a different number of steps per item. */
static void lists_are_followed_through_indices(void **state) {
  (void)state;
  enum { COUNT = 128 };
  cl_int next[COUNT], lengths[COUNT];
  for (int i = 0; i < COUNT; i++) next[i] = i % 9 == 0 ? -1 : (i * 5 + 3) % COUNT;
  for (int i = 0; i < COUNT; i++) {
    int length = 0;
    for (int at = i; at >= 0 && length < 50; at = next[at]) length++;
    lengths[i] = length;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "chase",
      .source = "kernel void chase(global const int *next, global int *lengths) {\n"
                "  int length = 0;\n"
                "  for (int at = get_global_id(0); at >= 0 && length < 50; at = next[at]) length++;\n"
                "  lengths[get_global_id(0)] = length;\n"
                "}\n",
      .global = {COUNT},
      .args = {KERNEL_IN(next), KERNEL_OUT(lengths)},
  });
}

static void halves_load_and_store_as_floats(void **state) {
  (void)state;
  const cl_ushort halves[8] = {0x0000, 0x3C00, 0xC000, 0x3555, 0x7BFF, 0x0400, 0x7C00, 0x3800};
  const cl_float floats[8] = {0.0f, 1.0f, -2.0f, 0x1.554p-2f, 65504.0f, 0x1p-14f, INFINITY, 0.5f};
  kernel_case_run(&(kernel_case_t){
      .name = "half_floats",
      .source = "kernel void half_floats(global const half *in, global float *out, global half *back) {\n"
                "  size_t i = get_global_id(0);\n"
                "  float f = vload_half(i, in);\n"
                "  out[i] = f; vstore_half(f, i, back);\n"
                "}\n",
      .global = {8},
      .args = {KERNEL_IN(halves), KERNEL_OUT(floats), KERNEL_OUT(halves)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bitonic_sort_in_local_memory),
      cmocka_unit_test(prefix_sums_swap_two_local_buffers),
      cmocka_unit_test(matrix_product_in_tiles),
      cmocka_unit_test(game_of_life),
      cmocka_unit_test(escape_times_are_exactly_those_of_c),
      cmocka_unit_test(substring_search_counts_and_lists_matches),
      cmocka_unit_test(n_body_forces_through_local_memory),
      cmocka_unit_test(lists_are_followed_through_indices),
      cmocka_unit_test(halves_load_and_store_as_floats),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
