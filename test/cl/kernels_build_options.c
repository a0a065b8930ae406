/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Build options and what the language versions define: -D, -I, -cl-std, optimisation and math options, headers. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernel_case.h"
#include "test_il.h"

/** Builds `source` with `options`, runs its kernel `run` and returns the int it stored. */
static cl_int value_of(const char *source, const char *options) {
  cl_int result = -1;
  const size_t one = 1;
  cl_kernel kernel = test_kernel(source, options, "run");
  cl_mem buffer = test_buffer(sizeof(result), &result);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof(result), &result);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  return result;
}

#define RUN(expression) "kernel void run(global int *out) { *out = " expression "; }\n"

static void macros_are_defined(void **state) {
  (void)state;
  assert_int_equal(value_of(RUN("A + B"), "-D A=3 -DB=40"), 43);
  assert_int_equal(value_of(RUN("FLAG"), "-DFLAG"), 1);
  assert_int_equal(value_of(RUN("SUM"), "-D SUM=(1+2)"), 3);
}

/* Names that the specification leaves to programs, and that headers like to give parameters. */
static void macros_may_have_any_name(void **state) {
  (void)state;
  SKIP_WITH_IL("these are options of this compiler");
  static const char *const names[] = {"dst",   "src",   "flags", "event",  "scope",   "st",   "format", "num_lines",
                                      "value", "x",     "y",     "a",      "b",       "p",    "ptr",    "previous",
                                      "next",  "order", "image", "offset", "current", "size", "data",   "coord"};
  char options[64];
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
    for (int standard = 0; standard < 2; standard++) {
      snprintf(options, sizeof(options), "-D%s=@ -cl-std=CL%s", names[i], standard ? "3.0" : "1.2");
      assert_int_equal(value_of(RUN("7"), options), 7);
      snprintf(options, sizeof(options), "-D%s=@ -DK=work_group_reduce_mul -cl-std=CL3.0", names[i]);
      if (standard) assert_int_equal(value_of(RUN("K(7)"), options), 7);
    }
  }
}

/* Names of functions that few programs use, told by an option, and made of parts. */
static void macros_may_make_names_of_functions(void **state) {
  (void)state;
  SKIP_WITH_IL("Clang does not declare these functions");
  assert_int_equal(value_of(RUN("OPERATION(7)"), "-cl-std=CL3.0 -DOPERATION=work_group_reduce_mul"), 7);
  assert_int_equal(value_of("#define WHOLE(name) work_group_##name\n" RUN("WHOLE(reduce_mul)(7)"), "-cl-std=CL3.0"), 7);
}

static void a_macro_may_be_a_string(void **state) {
  (void)state;
  assert_int_equal(value_of("constant char text[] = TEXT;\n" RUN("text[1]"), "-DTEXT=\\\"abc\\\""), 'b');
}

static void predefined_macros_describe_the_device(void **state) {
  (void)state;
  assert_int_equal(value_of(RUN("__OPENCL_VERSION__"), NULL), 300);
  assert_int_equal(value_of(RUN("__ENDIAN_LITTLE__"), NULL), 1);
  assert_int_equal(value_of(RUN("__LINE__"), NULL), 1);
  assert_int_equal(value_of("#ifdef __IMAGE_SUPPORT__\n" RUN("1") "#else\n" RUN("0") "#endif\n", NULL),
                   (cl_int)test_device_number(CL_DEVICE_IMAGE_SUPPORT));
  assert_int_equal(
      value_of("#ifdef __FAST_RELAXED_MATH__\n" RUN("1") "#else\n" RUN("0") "#endif\n", "-cl-fast-relaxed-math"), 1);
  assert_int_equal(value_of(RUN("CL_VERSION_1_0 + CL_VERSION_1_1 + CL_VERSION_1_2"), NULL), 330);
}

/** Without the option it is the newest 1.x the device has, which is 1.2. */
static void the_standard_chooses_the_language(void **state) {
  (void)state;
  assert_int_equal(value_of(RUN("__OPENCL_C_VERSION__"), NULL), 120);
  assert_int_equal(value_of(RUN("__OPENCL_C_VERSION__"), "-cl-std=CL1.2"), 120);
  assert_int_equal(value_of(RUN("__OPENCL_C_VERSION__"), "-cl-std=CL1.1"), 110);
  assert_int_equal(value_of(RUN("__OPENCL_C_VERSION__"), "-cl-std=CL3.0"), 300);
}

static void feature_macros_are_those_of_the_device(void **state) {
  (void)state;
  static const char *const features[] = {
      "__opencl_c_fp64",
      "__opencl_c_int64",
      "__opencl_c_images",
      "__opencl_c_generic_address_space",
      "__opencl_c_pipes",
      "__opencl_c_subgroups",
      "__opencl_c_device_enqueue",
      "__opencl_c_program_scope_global_variables",
      "__opencl_c_atomic_order_acq_rel",
      "__opencl_c_atomic_order_seq_cst",
      "__opencl_c_atomic_scope_device",
      "__opencl_c_work_group_collective_functions",
  };
  char source[512];
  for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
    snprintf(source, sizeof(source), "#ifdef %s\n" RUN("1") "#else\n" RUN("0") "#endif\n", features[i]);
    cl_int defined = value_of(source, "-cl-std=CL3.0");
    if (defined != test_device_has_feature(features[i])) print_error("%s\n", features[i]);
    assert_int_equal(defined, test_device_has_feature(features[i]));
  }
}

/** A temporary folder with spaces in its name, holding one header. */
typedef struct folder_t {
  char path[64], file[80];
} folder_t;

static folder_t make_header(const char *text) {
  folder_t folder = {.path = "/tmp/cl headers XXXXXX"};
  assert_non_null(mkdtemp(folder.path));
  snprintf(folder.file, sizeof(folder.file), "%s/given.h", folder.path);
  FILE *file = fopen(folder.file, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
  return folder;
}

static void remove_header(const folder_t *folder) {
  assert_int_equal(unlink(folder->file), 0);
  assert_int_equal(rmdir(folder->path), 0);
}

static void headers_are_found_in_include_folders(void **state) {
  (void)state;
  char options[128];
  folder_t folder = make_header("#define GIVEN 77\n");
  for (int i = 0; i < 2; i++) {
    snprintf(options, sizeof(options), i == 0 ? "-I \"%s\"" : "-I\"%s\"", folder.path);
    assert_int_equal(value_of("#include \"given.h\"\n" RUN("GIVEN"), options), 77);
    assert_int_equal(value_of("#include <given.h>\n" RUN("GIVEN"), options), 77);
  }
  remove_header(&folder);
}

/** Those of the machine's C library are for its processor and its C, not for a device. */
static void headers_of_the_system_are_not_found(void **state) {
  (void)state;
  assert_int_equal(
      value_of("#if __has_include(<stdio.h>) || __has_include(\"string.h\")\n" RUN("1") "#else\n" RUN("0") "#endif\n",
               NULL),
      0);
}

/** A header is read anew for each build: what changed in between counts. */
static void a_changed_header_changes_the_program(void **state) {
  (void)state;
  char options[128];
  folder_t folder = make_header("#define GIVEN 1\n");
  snprintf(options, sizeof(options), "-I \"%s\"", folder.path);
  assert_int_equal(value_of("#include \"given.h\"\n" RUN("GIVEN"), options), 1);
  FILE *file = fopen(folder.file, "w");
  assert_non_null(file);
  assert_true(fputs("#define GIVEN 2\n", file) >= 0);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(value_of("#include \"given.h\"\n" RUN("GIVEN"), options), 2);
  remove_header(&folder);
}

static void every_option_of_the_specification_is_accepted(void **state) {
  (void)state;
  static const char *const options[] = {
      "-cl-single-precision-constant",
      "-cl-denorms-are-zero",
      "-cl-fp32-correctly-rounded-divide-sqrt",
      "-cl-opt-disable",
      "-cl-mad-enable",
      "-cl-no-signed-zeros",
      "-cl-unsafe-math-optimizations",
      "-cl-finite-math-only",
      "-cl-fast-relaxed-math",
      "-cl-kernel-arg-info",
      "-w",
      "-cl-std=CL3.0 -cl-uniform-work-group-size",
      "-cl-no-subgroup-ifp",
      "",
      "  -cl-mad-enable   -DX=1  ",
  };
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
    if (!test_is_quern() && strstr(options[i], "subgroup") != NULL) continue;
    if (value_of(RUN("5 * 3"), options[i]) != 15) print_error("with %s\n", options[i]);
    assert_int_equal(value_of(RUN("5 * 3"), options[i]), 15);
  }
}

static void results_are_the_same_without_optimisation(void **state) {
  (void)state;
  enum { ITEMS = 64, GROUP = 16 };
  cl_int out[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    int other = i / GROUP * GROUP + (i % GROUP + 3) % GROUP;
    out[i] = 0;
    for (int k = 0; k < other % 7; k++) out[i] += k * i;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "unoptimised",
      .source = "kernel void unoptimised(global int *out, local int *l) {\n"
                "  int i = get_global_id(0), sum = 0;\n"
                "  l[get_local_id(0)] = i;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  int other = l[(get_local_id(0) + 3) % get_local_size(0)];\n"
                "  for (int k = 0; k < other % 7; k++) sum += k * i;\n"
                "  out[i] = sum;\n"
                "}\n",
      .options = "-cl-opt-disable",
      .global = {ITEMS},
      .local = {GROUP},
      .args = {KERNEL_OUT(out), KERNEL_LOCAL(GROUP * 4)},
  });
}

/** Several strings are one source: a line may begin in one and end in the next. */
static void includes_and_macros_span_the_strings(void **state) {
  (void)state;
  cl_int error;
  const char *strings[] = {"#define VAL", "UE 9\n", "kernel void run(global int *out) { *out = VALUE", "; }"};
  cl_program program = clCreateProgramWithSource(dut.context, 4, strings, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(macros_are_defined),
      cmocka_unit_test(macros_may_have_any_name),
      cmocka_unit_test(macros_may_make_names_of_functions),
      cmocka_unit_test(a_macro_may_be_a_string),
      cmocka_unit_test(predefined_macros_describe_the_device),
      cmocka_unit_test(the_standard_chooses_the_language),
      cmocka_unit_test(feature_macros_are_those_of_the_device),
      cmocka_unit_test(headers_are_found_in_include_folders),
      cmocka_unit_test(headers_of_the_system_are_not_found),
      cmocka_unit_test(a_changed_header_changes_the_program),
      cmocka_unit_test(every_option_of_the_specification_is_accepted),
      cmocka_unit_test(results_are_the_same_without_optimisation),
      cmocka_unit_test(includes_and_macros_span_the_strings),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
