/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C section 6.4.1: integers divided by zero, and quotients beyond the type, are unspecified values and no
 * exceptions; all others are right, beside those too. */
#include <stdio.h>

#include "kernel_case.h"
#include "test_il.h"

typedef struct integer_type_t {
  const char *name;
  unsigned bytes;
  bool is_signed;
} integer_type_t;

static const integer_type_t types[] = {{"char", 1, true}, {"uchar", 1, false}, {"short", 2, true}, {"ushort", 2, false},
                                       {"int", 4, true},  {"uint", 4, false},  {"long", 8, true},  {"ulong", 8, false}};

enum { OPERANDS = 8, PAIRS = OPERANDS * OPERANDS };

/** The operands of a type, as bit patterns. */
static void choose_operands(const integer_type_t *type, cl_ulong operands[OPERANDS]) {
  const cl_ulong mask = ~(cl_ulong)0 >> (64 - 8 * type->bytes), top = mask ^ (mask >> 1);
  const cl_ulong chosen[OPERANDS] = {0, mask, top, mask >> 1, 1, 7, mask - 6, 100};
  for (int i = 0; i < OPERANDS; i++) operands[i] = chosen[i];
}

static cl_long extended(const integer_type_t *type, cl_ulong bits) {
  const unsigned unused = 64 - 8 * type->bytes;
  return (cl_long)(bits << unused) >> unused;
}

/** What the kernel leaves for a pair: quotient and remainder, zeros where they are unspecified. */
static void divide(const integer_type_t *type, cl_ulong a, cl_ulong b, cl_ulong *quotient, cl_ulong *remainder) {
  const cl_ulong mask = ~(cl_ulong)0 >> (64 - 8 * type->bytes), least = mask ^ (mask >> 1);
  *quotient = *remainder = 0;
  if (b == 0 || (type->is_signed && a == least && b == mask)) return;
  if (type->is_signed) {
    *quotient = (cl_ulong)(extended(type, a) / extended(type, b)) & mask;
    *remainder = (cl_ulong)(extended(type, a) % extended(type, b)) & mask;
  } else {
    *quotient = a / b;
    *remainder = a % b;
  }
}

static void store(const integer_type_t *type, unsigned char *array, int index, cl_ulong bits) {
  memcpy(array + (size_t)index * type->bytes, &bits, type->bytes);
}

/** The kernel divides first, and looks at the operands afterwards: what has divided may be no reason to know them. */
static const char source[] =
    "kernel void divide(global const T *as, global const T *bs, global T *quotients, global T *remainders) {\n"
    "  size_t i = get_global_id(0);\n"
    "  T a = as[i], b = bs[i], q = a / b, r = a % b;\n"
    "  quotients[i] = b == (T)0 || OVERFLOWS ? (T)0 : q;\n"
    "  remainders[i] = b == (T)0 || OVERFLOWS ? (T)0 : r;\n"
    "}\n"
    "kernel void divide4(global const T4 *as, global const T4 *bs, global T4 *quotients, global T4 *remainders) {\n"
    "  size_t i = get_global_id(0);\n"
    "  T4 a = as[i], b = bs[i], q = a / b, r = a % b;\n"
    "  quotients[i] = b == (T)0 || OVERFLOWS ? (T4)0 : q;\n"
    "  remainders[i] = b == (T)0 || OVERFLOWS ? (T4)0 : r;\n"
    "}\n";

static void run(const integer_type_t *type, const char *kernel, size_t items) {
  static unsigned char a[8 * PAIRS], b[8 * PAIRS], quotients[8 * PAIRS], remainders[8 * PAIRS];
  cl_ulong operands[OPERANDS];
  char options[256];
  choose_operands(type, operands);
  for (int i = 0; i < PAIRS; i++) {
    const cl_ulong x = operands[i / OPERANDS], y = operands[i % OPERANDS];
    cl_ulong quotient, remainder;
    divide(type, x, y, &quotient, &remainder);
    store(type, a, i, x);
    store(type, b, i, y);
    store(type, quotients, i, quotient);
    store(type, remainders, i, remainder);
  }
  snprintf(options, sizeof(options), "-cl-std=CL3.0 -DT=%s -DT4=%s4 -DOVERFLOWS=%s", type->name, type->name,
           !type->is_signed ? "(b!=b)" : "(b==(T)-1&&a==(T)((T)1<<(8*sizeof(T)-1)))");
  const size_t bytes = (size_t)type->bytes * PAIRS;
  kernel_case_run(&(kernel_case_t){
      .name = type->name,
      .kernel = kernel,
      .source = source,
      .options = options,
      .global = {items},
      .args = {{.kind = KERNEL_ARG_BUFFER, .size = bytes, .initial = a},
               {.kind = KERNEL_ARG_BUFFER, .size = bytes, .initial = b},
               {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_U8, .size = bytes, .expected = quotients},
               {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_U8, .size = bytes, .expected = remainders}},
  });
}

static void divisions_without_a_result_raise_nothing(void **state) {
  (void)state;
  SKIP_WITH_IL("Clang's optimiser takes a division for a proof that it has a result");
  for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) run(&types[t], "divide", PAIRS);
}

static void nor_do_those_of_vectors(void **state) {
  (void)state;
  SKIP_WITH_IL("Clang's optimiser takes a division for a proof that it has a result");
  for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) run(&types[t], "divide4", PAIRS / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(divisions_without_a_result_raise_nothing),
      cmocka_unit_test(nor_do_those_of_vectors),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
