/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * C++ for OpenCL, 1.0 and 2021: templates, classes, references, lambdas, program-scope objects with constructors. */
#include <stdlib.h>

#include "kernel_case.h"

enum { ITEMS = 64 };

static const char *const standards[] = {"-cl-std=CLC++1.0", "-cl-std=CLC++2021", "-cl-std=CLC++", "-cl-std=clc++2021"};

static void run_all(kernel_case_t test) {
  for (size_t i = 0; i < sizeof(standards) / sizeof(standards[0]); i++) {
    test.options = standards[i];
    kernel_case_run(&test);
  }
}

static void the_language(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 2 * (i + 3) + i % 7 + 100;
  run_all((kernel_case_t){
      .name = "language",
      .source = "template <class T> struct pair {\n"
                "  T first, second;\n"
                "  pair(T a, T b) : first(a), second(b) {}\n"
                "  T sum() const { return first + second; }\n"
                "  pair operator*(T by) const { return pair(first * by, second * by); }\n"
                "};\n"
                "struct shape { int base; };\n"
                "struct square : shape { int area() const { return base * base; } };\n"
                "void add(int &to, const int &what) { to += what; }\n"
                "constexpr int hundred() { return 10 * 10; }\n"
                "kernel void language(global int *out) {\n"
                "  int i = get_global_id(0);\n"
                "  auto p = pair<int>(i, 3) * 2;\n"
                "  int result = p.sum();\n"
                "  add(result, i % 7);\n"
                "  auto last = [&](int more) { return result + more; };\n"
                "  square s;\n"
                "  s.base = 10;\n"
                "  static_assert(hundred() == 100, \"\");\n"
                "  out[i] = s.area() == hundred() ? last(100) : -1;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

static void constructors_of_program_scope_objects(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = i + 7 + 15;
  run_all((kernel_case_t){
      .name = "constructed",
      .source = "struct counter {\n"
                "  int value;\n"
                "  constexpr counter(int from) : value(from * (from + 1) / 2) {}\n"
                "};\n"
                "struct seven { int value; constexpr seven() : value(7) {} };\n"
                "counter fifteen(5);\n"
                "seven lucky;\n"
                "kernel void constructed(global int *out) {\n"
                "  out[get_global_id(0)] = (int)get_global_id(0) + lucky.value + fifteen.value;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

/** Methods are chosen by the object's address space, casts between spaces have an operator of their own. */
static void address_spaces(void **state) {
  (void)state;
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) out[i] = 1 + 20 + 300 + 4000 + i % 4 * 10000;
  run_all((kernel_case_t){
      .name = "spaces",
      .source = "struct where {\n"
                "  int value;\n"
                "  int get() __private { return 1; }\n"
                "  int get() __local { return 20; }\n"
                "  int get() __global { return 300; }\n"
                "  template <class T> void set(T &&to) { value = to; }\n"
                "};\n"
                "global where far;\n"
                "template <class T> int twice(T *p) { return *p * 2; }\n"
                "kernel void spaces(global int *out) {\n"
                "  local where group;\n"
                "  where own;\n"
                "  own.set((int)get_global_id(0) % 4);\n"
                "  int four = 2000;\n"
                "  int *any = addrspace_cast<int *>(&four);\n"
                "  auto add = [=](int a) { return a + own.value * 10000; };\n"
                "  out[get_global_id(0)] = add(own.get() + group.get() + far.get() + twice(any));\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_language),
      cmocka_unit_test(constructors_of_program_scope_objects),
      cmocka_unit_test(address_spaces),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
