/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Variables and arguments that an attribute aligns to more than any type is. Not through SPIR-V, into which Clang 22
 * writes alignments as bytes with a sign. */
#include "kernel_case.h"

enum { ITEMS = 64, GROUP = 16 };

static const char *const option_sets[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"};

/** The kernel writes what is wrong with addresses and values: zeros. With other launches in between, which leave the
 * device with blocks of memory that are aligned as they happen to be. */
static void run_all(const char *name, const char *source) {
  static const cl_ulong zeros[ITEMS];
  for (int i = 0; i < 2; i++) {
    for (size_t local = 1; local <= GROUP; local *= 4) {
      kernel_case_run(&(kernel_case_t){
          .name = name,
          .source = source,
          .options = option_sets[i],
          .global = {ITEMS},
          .local = {local},
          .args = {KERNEL_OUT(zeros), KERNEL_LOCAL(local * 40)},
      });
    }
  }
}

static void local_memory_is_aligned(void **state) {
  (void)state;
  run_all(
      "local_memory",
      "kernel void local_memory(global ulong *out, local int *l) {\n"
      "  local int pad; local int a[64] __attribute__((aligned(1024))); local int b[3] __attribute__((aligned(256)));\n"
      "  size_t i = get_local_id(0), last = get_local_size(0) - 1;\n"
      "  a[i] = i; l[i] = 7; if (i == 0) pad = b[2] = 5;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  volatile ulong address = (ulong)a, second = (ulong)b;\n"
      "  out[get_global_id(0)] = address % 1024 + second % 256 + (a[last - i] ^ (last - i)) + (l[i] ^ 7)\n"
      "                        + (pad ^ 5) + (b[2] ^ 5);\n"
      "}\n");
}

static void private_memory_is_aligned(void **state) {
  (void)state;
  run_all("private_memory",
          "kernel void private_memory(global ulong *out, local int *l) {\n"
          "  int a[16] __attribute__((aligned(1024))); char c[3]; size_t i = get_local_id(0);\n"
          "  for (int n = 0; n < 16; n++) a[n] = i + n;\n"
          "  for (int n = 0; n < 3; n++) c[n] = i - n;\n"
          "  l[i] = i;\n"
          "  barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  volatile ulong address = (ulong)a;\n"
          "  int at = l[i] & 15;\n"
          "  out[get_global_id(0)] = address % 1024 + (a[at] ^ (int)(i + at)) + (c[at % 3] ^ (char)(i - at % 3));\n"
          "}\n");
  run_all("without_barrier",
          "kernel void without_barrier(global ulong *out, local int *l) {\n"
          "  int a[16] __attribute__((aligned(512))); size_t i = get_local_id(0);\n"
          "  for (int n = 0; n < 16; n++) a[n] = i + n;\n"
          "  volatile ulong address = (ulong)a;\n"
          "  out[get_global_id(0)] = address % 512 + (a[i & 15] ^ (int)(i + (i & 15)));\n"
          "}\n");
}

typedef struct wide_t {
  cl_int a, b[63];
} wide_t;

static void arguments_may_be_of_aligned_types(void **state) {
  (void)state;
  wide_t value = {.a = 3};
  cl_ulong out[ITEMS];
  for (int i = 0; i < 63; i++) value.b[i] = 10 * i;
  for (int i = 0; i < ITEMS; i++) out[i] = 3 + 10 * (cl_ulong)(i % GROUP) + 1000;
  for (int i = 0; i < 2; i++) {
    kernel_case_run(&(kernel_case_t){
        .name = "argument",
        .source = "typedef struct { int a; int b[63]; } __attribute__((aligned(256))) wide_t;\n"
                  "ulong low_bits(const wide_t *w) { volatile ulong address = (ulong)w; return address % 256; }\n"
                  "kernel void argument(global ulong *out, wide_t w, char c) {\n"
                  "  size_t i = get_local_id(0);\n"
                  "  out[get_global_id(0)] = w.a + w.b[i] + c * 1000 / 7 + low_bits(&w);\n"
                  "}\n",
        .options = option_sets[i],
        .global = {ITEMS},
        .local = {GROUP},
        .args = {KERNEL_OUT(out),
                 {.kind = KERNEL_ARG_VALUE, .size = sizeof value, .initial = &value},
                 KERNEL_VALUE(cl_char, 7)},
    });
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_memory_is_aligned),
      cmocka_unit_test(private_memory_is_aligned),
      cmocka_unit_test(arguments_may_be_of_aligned_types),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
