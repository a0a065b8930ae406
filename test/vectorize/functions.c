/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Functions that stay calls, for several lanes at once. */
#include <stdio.h>

#include "item.h"

ITEM_CALLING(varying_and_uniform_parameters, (__attribute__((noinline)) static uint mix(uint x, uint y, ulong z) {
               return (x * 31 ^ y >> 3) + (uint)(z * x >> 5);
             }),
             { out[g] = mix(in[g], n, g) + mix(n, in[g], 3) * mix(g, g * 2, in[n]) - mix(n, n, n); })

ITEM_CALLING(divergent_calls, (__attribute__((noinline)) static uint steps(uint x, uint limit) {
               uint count = 0;
               while (x > 1 && count < limit) {
                 x = x & 1 ? x * 3 + 1 : x / 2;
                 if (x == 40) return count + 1000;
                 count++;
               }
               return count;
             }),
             {
               uint x = in[g] & 1023;
               out[g] = 7;
               if (x % 3 == 0) {
                 out[g] = steps(x, 50);
               } else if (x % 3 == 1) {
                 for (uint i = 0; i < x % 5; i++) out[g] += steps(x + i, n + 3);
               }
             })

ITEM_CALLING(side_effects_of_lanes_that_are_on,
             (__attribute__((noinline)) static void put(global uint *to, uint index, uint value) {
               if (value % 3) to[index] += value;
               to[index + 1024] = value;
             }),
             {
               for (uint i = 0; i < (in[g] & 3); i++) put(out, g, in[g] * i + n);
               if (g > 37) put(out, g + 512, g - 37);
               if (in[g] & 8) put(out + g, 2048, in[n] / (in[g] & 8));
             })

ITEM_CALLING(private_pointers,
             (
                 __attribute__((noinline)) static void split(uint x, private uint *low, private uint *high) {
                   *low = x & 0xffff;
                   if (x & 1) *high = x >> 16;
                 } __attribute__((noinline)) static uint sum(private uint *a, uint count) {
                   uint s = 0;
                   for (uint i = 0; i < count; i++) {
                     s = s * 5 + a[i];
                     a[i] ^= s;
                   }
                   return s;
                 }),
             {
               uint low = 1;
               uint high = 2;
               split(in[g], &low, &high);
               uint a[8];
               for (uint i = 0; i < 8; i++) a[i] = in[g + i] + n * i;
               if (g % 3) split(in[g + 1], &a[g & 7], &a[(g + 1) & 7]);
               uint s = sum(a, 8);
               if (g & 1) s += sum(a + (g & 3), in[n] & 3);
               for (uint i = 0; i < 8; i++) s = s * 3 + a[i];
               out[g] = s + low * 7 + high;
             })

ITEM_CALLING(structures_by_value,
             (
                 struct pair {
                   uint a;
                   float b;
                   ulong c;
                 };
                 __attribute__((noinline)) static struct pair next(struct pair p, uint n) {
                   struct pair q = {p.a + n, p.b * 0.5f, p.c ^ p.a};
                   if (p.a & 1) q.c += 3;
                   p.a = 0;
                   return q;
                 }),
             {
               struct pair p = {in[g], (float)(g + n), g};
               for (uint i = 0; i < (g & 3) + 1; i++) p = next(p, n);
               struct pair q = next(p, in[g]);
               next(p, 5);
               out[g] = p.a + (uint)p.b + (uint)p.c * 3 + q.a + (uint)q.c;
             })

ITEM_CALLING(private_arrays_of_functions, (__attribute__((noinline)) static uint sorted(uint x, uint which) {
               uint a[8];
               for (uint i = 0; i < 8; i++) a[i] = (x >> (4 * i)) & 15;
               for (uint i = 1; i < 8; i++) {
                 uint v = a[i];
                 uint j = i;
                 for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1];
                 a[j] = v;
               }
               return a[which & 7] + a[0] * 100;
             }),
             { out[g] = sorted(in[g], g) + (g & 1 ? sorted(g * 2654435761u, n) : 5); })

ITEM_CALLING(functions_that_call,
             (
                 __attribute__((noinline)) static uint inner(uint x, uint y) { return y ? x % y + 1 : x / 3; }
                 __attribute__((noinline)) static uint outer(uint x, uint n) {
                   if (x & 1) return inner(x, n) * 5;
                   uint s = x;
                   for (uint i = 0; i < (x & 7); i++) s += inner(s, x & 12);
                   return s;
                 }),
             {
               out[g] = outer(in[g], n);
               if (g % 7 > 2) out[g] -= inner(out[g], g) + outer(n, g);
             })

/* More shapes of parameters than there are forms for. */
ITEM_CALLING(many_shapes, (__attribute__((noinline)) static uint pick(global const uint *from, uint i, uint j, uint k) {
               return from[i & 255] + from[j & 127] * 3 + (k ^ from[k & 63]);
             }),
             {
               uint v = in[g] & 63;
               uint s = pick(in, g, n, n) + pick(in, n, g, n) * 3 + pick(in, n, n, g) * 5 + pick(in, g, g, n) * 7;
               s += pick(in, n, g, g) + pick(in + g, n, g, v) + pick(in + n, v, v, v) + pick(in + v, g * 2, v, n);
               out[g] = s;
             })

/* Indices that wrap from one lane to the next. */
ITEM_CALLING(parameters_that_wrap,
             (__attribute__((noinline)) static uint at(global const uint *from, uint i, ushort j) {
               return from[(i + 5) & 1023] + from[(ulong)(i + 0xffffffbeu) & 511] + from[j & 2047];
             }),
             { out[g] = at(in, g, (ushort)(g + 65500)) + at(in, g - n * 7, (ushort)g); })

ITEM_CALLING(unused_results_and_early_returns,
             (__attribute__((noinline)) static uint note(global uint * to, uint g, uint x) {
               if (!(x & 4)) return 0;
               to[g] += x;
               if (x & 16) return x;
               to[g] ^= 0xff;
               return to[g];
             }),
             {
               note(out, g, in[g]);
               if (in[g] & 2) note(out, g + 1000, in[g] >> 1);
               out[g + 2000] = note(out, g, g);
             })

/* Of a scalar call for a lane the machine's code would tell nothing; the remark is what the compiler did. */
static void remarks_tell(void **state) {
  (void)state;
  static const char source[] =
      "__attribute__((noinline)) static uint steps(uint x) {\n"
      "  uint count = 0;\n"
      "  for (; x > 1; count++) x = x & 1 ? x * 3 + 1 : x / 2;\n"
      "  return count;\n"
      "}\n"
      "kernel void collatz(global uint *numbers) {\n"
      "  size_t i = get_global_id(0);\n"
      "  if (numbers[i] > 3) numbers[i] = steps(numbers[i]);\n"
      "}\n"
      "kernel void tell(global float *numbers) {\n"
      "  size_t i = get_global_id(0);\n"
      "  for (int j = 0; j < 9; j++) numbers[i] = sin(numbers[i]);\n"
      "  if (numbers[i] > 2) printf(\"%f\\n\", numbers[i]);\n"
      "}\n";
  if (!test_is_quern()) skip();
  SKIP_WITH_IL("names of functions are not those of the source");
  const char *mode = getenv("QUERN_VECTORIZE");
  bool is_vector = !mode || strcmp(mode, "0") != 0;
  cl_program program = test_program(source, "-DREMARKS");
  char *log = test_build_log(program);
  assert_true(!strstr(log, "function 'steps' vectorized") != is_vector);
  assert_true(!strstr(log, "scalarized: the callee is not defined in the program") != is_vector);
  free(log);
  ASSERT_CL(clReleaseProgram(program));
}

static int open_with_remarks(void **state) {
  setenv("QUERN_VECTORIZE_REMARKS", "1", 1);
  return test_device_open(state);
}

/* Each calls the next one twice, which takes no longer to think about than calling it once. */
#define CALLS_TWICE(NAME, NEXT)                        \
  __attribute__((noinline)) static uint NAME(uint x) { \
    if (x & 1) x += NEXT(x >> 1);                      \
    return x % 77 == 5 ? NEXT(x / 7) : x;              \
  }
#define CALL_FOUR(A, B, C, D, E) CALLS_TWICE(D, E) CALLS_TWICE(C, D) CALLS_TWICE(B, C) CALLS_TWICE(A, B)
ITEM_CALLING(chains_of_calls,
             (__attribute__((noinline)) static uint t0(uint x) { return x ^ x >> 5; } CALL_FOUR(t4, t3, t2, t1, t0)
                  CALL_FOUR(t8, t7, t6, t5, t4) CALL_FOUR(t12, t11, t10, t9, t8) CALL_FOUR(t16, t15, t14, t13, t12)
                      CALL_FOUR(t20, t19, t18, t17, t16) CALL_FOUR(t24, t23, t22, t21, t20)
                          CALL_FOUR(t28, t27, t26, t25, t24)),
             { out[g] = t28(in[g]); })

/* Inlined into the kernel for their position, these would be 2 to the 28 functions. */
static uint position_chain(unsigned level, uint x, uint id, uint size) {
  if (!level) return x ^ size;
  if (x & 1) x += position_chain(level - 1, x >> 1, id, size) + id;
  return x % 77 == 5 ? position_chain(level - 1, x / 7, id, size) : x;
}

static void chains_that_ask_for_their_position(void **state) {
  (void)state;
  enum { levels = 28, count = 1000, local = 8 };
  static const char begin[] =
      "#define CALLS_TWICE(NAME, NEXT)\\\n"
      "  static uint NAME(uint x) {\\\n"
      "    if (x & 1) x += NEXT(x >> 1) + (uint)get_global_id(0);\\\n"
      "    return x % 77 == 5 ? NEXT(x / 7) : x;\\\n"
      "  }\n"
      "static uint t0(uint x) { return x ^ (uint)get_local_size(0); }\n";
  static const char end[] =
      "kernel void chain(global uint *numbers) {\n"
      "  size_t i = get_global_id(0);\n"
      "  numbers[i] = t28(numbers[i]);\n"
      "}\n";
  static char source[1 << 12];
  size_t length = (size_t)snprintf(source, sizeof source, "%s", begin);
  for (int i = 1; i <= levels; i++) {
    length += (size_t)snprintf(source + length, sizeof source - length, "CALLS_TWICE(t%d, t%d)\n", i, i - 1);
  }
  length += (size_t)snprintf(source + length, sizeof source - length, "%s", end);
  assert_true(length < sizeof source);
  static uint numbers[count], results[count];
  for (uint i = 0; i < count; i++) numbers[i] = i * 2654435761u;
  cl_program program = test_program(source, "");
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "chain", &error);
  ASSERT_CL(error);
  cl_mem buffer = test_buffer(sizeof numbers, numbers);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
  const size_t global_size = count, local_size = local;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global_size, &local_size, 0, NULL, NULL));
  test_read(buffer, sizeof results, results);
  for (uint i = 0; i < count; i++) assert_int_equal(results[i], position_chain(levels, numbers[i], i, local));
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
}

DEFINE_RUN_ITEM

int main(void) {
  const struct CMUnitTest tests[] = {
      ITEM_TEST(varying_and_uniform_parameters),
      ITEM_TEST(divergent_calls),
      ITEM_TEST(side_effects_of_lanes_that_are_on),
      ITEM_TEST(private_pointers),
      ITEM_TEST(structures_by_value),
      ITEM_TEST(private_arrays_of_functions),
      ITEM_TEST(functions_that_call),
      ITEM_TEST(many_shapes),
      ITEM_TEST(parameters_that_wrap),
      ITEM_TEST(unused_results_and_early_returns),
      ITEM_TEST(chains_of_calls),
      cmocka_unit_test(chains_that_ask_for_their_position),
      cmocka_unit_test(remarks_tell),
  };
  return cmocka_run_group_tests(tests, open_with_remarks, test_device_close);
}
