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

static void constructors_that_must_run_are_refused(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  static const char *source = "struct a { size_t v; a() : v(get_global_id(0)) {} };\na g;\n"
                              "kernel void k(global int *p) { *p = (int)g.v; }\n";
  cl_int error;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, "-cl-std=CLC++2021", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  char *log = test_build_log(program);
  assert_non_null(strstr(log, "program-scope object has a constructor"));
  free(log);
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_language),
      cmocka_unit_test(constructors_of_program_scope_objects),
      cmocka_unit_test(constructors_that_must_run_are_refused),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
