/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The cache of compiled programs, from process to process: what is the same comes from it, with its build log and
 * without the compiler; what differs in anything that counts is compiled. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_device.h"
#include "test_il.h"
#include "test_process.h"

enum { processes = 8, text_size = 4096 };

/** Writes the constant with SpecId 7, which is 5. */
static const char specialized[] =
    "OpCapability Addresses\nOpCapability Kernel\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"k\"\n"
    "OpDecorate %constant SpecId 7\n"
    "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n"
    "%pointer = OpTypePointer CrossWorkgroup %uint\n"
    "%type = OpTypeFunction %void %pointer\n"
    "%constant = OpSpecConstant %uint 5\n"
    "%k = OpFunction %void None %type\n%p = OpFunctionParameter %pointer\n"
    "%entry = OpLabel\nOpStore %p %constant\nOpReturn\nOpFunctionEnd\n";

static char folder[] = "/tmp/quern-program-cache-XXXXXX";

/* ------------------------------------------------------------ in the new processes */

/** What the parent says in the environment; `fallback` when it says nothing. */
static const char *told(const char *name, const char *fallback) {
  const char *value = getenv(name);
  return value != NULL ? value : fallback;
}

static cl_program source_program(const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  return error == CL_SUCCESS ? program : NULL;
}

/** What the kernel `k` of a built program writes, or -1. */
static int run(cl_program program) {
  cl_int error, value = -1;
  const size_t one = 1;
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  if (error != CL_SUCCESS) return -1;
  cl_mem buffer = clCreateBuffer(dut.context, 0, sizeof(value), NULL, &error);
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
  clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  return value;
}

/** Prints: what the kernel wrote, whether a compiler was mapped, whether the build log has a warning. Releases the
 * program. */
static int report(cl_program program) {
  char log[text_size] = "";
  clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
  printf("%d %s %s", run(program), test_is_mapped("libquern-compiler") ? "compiled" : "found",
         strstr(log, "warning") != NULL ? "warned" : "silent");
  return clReleaseProgram(program) != CL_SUCCESS;
}

static int build(void) {
  cl_program program = source_program(told("SOURCE", "kernel void k(global int *p) { *p = 42; }"));
  if (clBuildProgram(program, 0, NULL, told("OPTIONS", ""), NULL, NULL) != CL_SUCCESS) return 1;
  return report(program);
}

/** Compiles with an embedded header, and links. */
static int compile_and_link(void) {
  static const char *name = "value.h";
  cl_int error;
  cl_program header = source_program(told("HEADER", "#define VALUE 7\n"));
  cl_program program = source_program("#include \"value.h\"\nkernel void k(global int *p) { *p = VALUE; }");
  if (clCompileProgram(program, 0, NULL, told("OPTIONS", ""), 1, &header, &name, NULL, NULL) != CL_SUCCESS) return 1;
  cl_program linked = clLinkProgram(dut.context, 0, NULL, told("LINK_OPTIONS", ""), 1, &program, NULL, NULL, &error);
  if (clReleaseProgram(header) != CL_SUCCESS || clReleaseProgram(program) != CL_SUCCESS) return 1;
  return error == CL_SUCCESS ? report(linked) : 1;
}

/** From SPIR-V, whose constant of SpecId 7 the parent says. */
static int build_il(void) {
  size_t size;
  const cl_int value = atoi(told("CONSTANT", "5"));
  void *il = test_assemble_il(specialized, &size);
  cl_program program = test_create_with_il(il, size);
  free(il);
  if (getenv("CONSTANT") != NULL) clSetProgramSpecializationConstant(program, 7, sizeof(value), &value);
  if (clBuildProgram(program, 0, NULL, told("OPTIONS", ""), NULL, NULL) != CL_SUCCESS) return 1;
  return report(program);
}

static int in_child(int (*body)(void)) {
  void *state = NULL;
  if (test_device_open(&state) != 0) return 1;
  return body();
}

/* ------------------------------------------------------------ in the parent */

static void assert_child(const char *role, const char *expected) {
  char output[text_size];
  assert_int_equal(test_run_self(role, output, sizeof(output)), 0);
  assert_string_equal(output, expected);
}

/** The same child twice: the second time the cache has it. */
static void assert_kept(const char *role, int value, const char *log) {
  char expected[64];
  snprintf(expected, sizeof(expected), "%d compiled %s", value, log);
  assert_child(role, expected);
  snprintf(expected, sizeof(expected), "%d found %s", value, log);
  assert_child(role, expected);
}

static void shell(const char *command) { assert_int_equal(system(command), 0); }

/** An empty cache, and nothing told to the children. */
static int begin(void **state) {
  (void)state;
  static const char *const names[] = {"SOURCE",    "CONSTANT",        "OPTIONS",
                                      "HEADER",    "LINK_OPTIONS",    "QUERN_EXTRA_BUILD_OPTIONS",
                                      "QUERN_CPU", "QUERN_VECTORIZE", "QUERN_COMPILER_PATH"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) unsetenv(names[i]);
  setenv("QUERN_CACHE", "1", 1);
  setenv("QUERN_CACHE_DIR", folder, 1);
  shell("rm -rf \"$QUERN_CACHE_DIR\"");
  return 0;
}

static void a_second_process_needs_no_compiler(void **state) {
  (void)state;
  assert_kept("build", 42, "silent");
}

static void the_log_is_given_again(void **state) {
  (void)state;
  setenv("SOURCE", "kernel void k(global int *p) { int unused; *p = 3; }", 1);
  setenv("OPTIONS", "-Wall", 1);
  assert_kept("build", 3, "warned");
}

static void source_and_options_count(void **state) {
  (void)state;
  setenv("SOURCE", "kernel void k(global int *p) { *p = X; }", 1);
  setenv("OPTIONS", "-DX=1", 1);
  assert_kept("build", 1, "silent");
  setenv("OPTIONS", "-DX=2", 1);
  assert_kept("build", 2, "silent");
  setenv("SOURCE", "kernel void k(global int *p) { *p = X + 1; }", 1);
  assert_kept("build", 3, "silent");
}

static void the_environment_counts(void **state) {
  (void)state;
  setenv("SOURCE", "kernel void k(global int *p) { *p = X; }", 1);
  setenv("QUERN_EXTRA_BUILD_OPTIONS", "-DX=1", 1);
  assert_kept("build", 1, "silent");
  setenv("QUERN_EXTRA_BUILD_OPTIONS", "-DX=2", 1);
  assert_kept("build", 2, "silent");
  setenv("QUERN_CPU", "generic", 1);
  assert_kept("build", 2, "silent");
  setenv("QUERN_VECTORIZE", "0", 1);
  assert_kept("build", 2, "silent");
}

static void failures_are_not_kept(void **state) {
  (void)state;
  char output[text_size];
  setenv("SOURCE", "kernel void k(global int *p) { *p = ; }", 1);
  assert_int_equal(test_run_self("build", output, sizeof(output)), 1);
  assert_int_equal(test_run_self("build", output, sizeof(output)), 1);
}

static void write_file(const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof(path), "%s-include/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void included_files_count(void **state) {
  (void)state;
  char options[512];
  shell(
      "rm -rf \"$QUERN_CACHE_DIR-include\" && mkdir -p \"$QUERN_CACHE_DIR-include/first\""
      " \"$QUERN_CACHE_DIR-include/second\"");
  snprintf(options, sizeof(options), "-I %s-include/first -I %s-include/second", folder, folder);
  setenv("OPTIONS", options, 1);
  setenv("SOURCE", "#include \"value.h\"\nkernel void k(global int *p) { *p = VALUE; }", 1);
  write_file("second/value.h", "#include \"inner.h\"\n#define VALUE (INNER + 1)\n");
  write_file("second/inner.h", "#define INNER 1\n");
  assert_kept("build", 2, "silent");
  write_file("second/inner.h", "#define INNER 2\n");
  assert_kept("build", 3, "silent");
  /* A file that comes before the one that was found. */
  write_file("first/value.h", "#define VALUE 9\n");
  assert_kept("build", 9, "silent");
  setenv("SOURCE",
         "#if __has_include(\"other.h\")\n#define VALUE 5\n#else\n#define VALUE 4\n#endif\n"
         "kernel void k(global int *p) { *p = VALUE; }",
         1);
  assert_kept("build", 4, "silent");
  write_file("second/other.h", "");
  assert_kept("build", 5, "silent");
  shell("rm -rf \"$QUERN_CACHE_DIR-include\"");
}

static void the_time_of_day_is_compiled_anew(void **state) {
  (void)state;
  setenv("SOURCE", "kernel void k(global int *p) { *p = __TIME__[2]; }", 1);
  assert_child("build", "58 compiled silent");
  assert_child("build", "58 compiled silent");
  setenv("SOURCE", "kernel void k(global int *p) { *p = sizeof(\"__TIME__\"); }", 1);
  assert_kept("build", 9, "silent");
}

static void objects_and_links_are_kept(void **state) {
  (void)state;
  assert_kept("link", 7, "silent");
  setenv("HEADER", "#define VALUE 8\n", 1);
  assert_kept("link", 8, "silent");
  setenv("LINK_OPTIONS", "-cl-denorms-are-zero", 1);
  assert_child("link", "8 compiled silent");
  assert_child("link", "8 found silent");
}

static void specialization_constants_count(void **state) {
  (void)state;
  assert_kept("il", 5, "silent");
  setenv("CONSTANT", "6", 1);
  assert_kept("il", 6, "silent");
  setenv("CONSTANT", "7", 1);
  assert_kept("il", 7, "silent");
}

/** Not the objects, but what makes them. */
static void constructors_run_in_each_process(void **state) {
  (void)state;
  setenv("SOURCE",
         "int next(int x) { return x + 1; }\nglobal int first = next(40), second = next(first);\n"
         "kernel void k(global int *p) { *p = second; }",
         1);
  setenv("OPTIONS", "-cl-std=CLC++", 1);
  assert_kept("build", 42, "silent");
}

static void damaged_files_are_compiled_anew(void **state) {
  (void)state;
  assert_kept("build", 42, "silent");
  shell(
      "for file in \"$QUERN_CACHE_DIR\"/*/*; do printf x | dd of=\"$file\" bs=1 seek=900 conv=notrunc status=none; "
      "done");
  assert_kept("build", 42, "silent");
  shell("for file in \"$QUERN_CACHE_DIR\"/*/*; do truncate -s 700 \"$file\"; done");
  assert_kept("build", 42, "silent");
}

/** Whoever can write such a file can run code as the user anyhow; but it must not be code that the driver was fooled
 * into taking for another program's. */
static void a_file_moved_to_another_key_is_compiled_anew(void **state) {
  (void)state;
  setenv("SOURCE", "kernel void k(global int *p) { *p = X; }", 1);
  setenv("OPTIONS", "-DX=1", 1);
  assert_kept("build", 1, "silent");
  shell("mv \"$QUERN_CACHE_DIR\"/*/* \"$QUERN_CACHE_DIR-moved\"");
  setenv("OPTIONS", "-DX=2", 1);
  assert_kept("build", 2, "silent");
  shell("for file in \"$QUERN_CACHE_DIR\"/*/*; do mv \"$QUERN_CACHE_DIR-moved\" \"$file\"; done");
  assert_kept("build", 2, "silent");
}

static void it_can_be_switched_off(void **state) {
  (void)state;
  setenv("QUERN_CACHE", "0", 1);
  assert_child("build", "42 compiled silent");
  assert_child("build", "42 compiled silent");
  assert_int_not_equal(access(folder, F_OK), 0);
}

static void no_place_for_it_is_no_error(void **state) {
  (void)state;
  setenv("QUERN_CACHE_DIR", "/proc/nothing", 1);
  assert_child("build", "42 compiled silent");
  unsetenv("QUERN_CACHE_DIR");
  setenv("HOME", folder, 1);
  unsetenv("XDG_CACHE_HOME");
  assert_kept("build", 42, "silent");
  setenv("XDG_CACHE_HOME", "/proc/nothing", 1);
  assert_child("build", "42 compiled silent");
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  assert_child("build", "42 found silent");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  assert_child("build", "42 compiled silent");
  setenv("QUERN_CACHE_DIR", folder, 1);
}

static void processes_build_the_same_at_once(void **state) {
  (void)state;
  pid_t children[processes];
  for (int i = 0; i < processes; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] == 0) {
      char output[text_size];
      _exit(test_run_self("build", output, sizeof(output)) != 0 || strncmp(output, "42 ", 3) != 0);
    }
  }
  for (int i = 0; i < processes; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  assert_child("build", "42 found silent");
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "build") == 0) return in_child(build);
  if (argc == 2 && strcmp(argv[1], "link") == 0) return in_child(compile_and_link);
  if (argc == 2 && strcmp(argv[1], "il") == 0) return in_child(build_il);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_second_process_needs_no_compiler, begin),
      cmocka_unit_test_setup(the_log_is_given_again, begin),
      cmocka_unit_test_setup(source_and_options_count, begin),
      cmocka_unit_test_setup(constructors_run_in_each_process, begin),
      cmocka_unit_test_setup(the_environment_counts, begin),
      cmocka_unit_test_setup(failures_are_not_kept, begin),
      cmocka_unit_test_setup(included_files_count, begin),
      cmocka_unit_test_setup(the_time_of_day_is_compiled_anew, begin),
      cmocka_unit_test_setup(objects_and_links_are_kept, begin),
      cmocka_unit_test_setup(specialization_constants_count, begin),
      cmocka_unit_test_setup(damaged_files_are_compiled_anew, begin),
      cmocka_unit_test_setup(a_file_moved_to_another_key_is_compiled_anew, begin),
      cmocka_unit_test_setup(it_can_be_switched_off, begin),
      cmocka_unit_test_setup(no_place_for_it_is_no_error, begin),
      cmocka_unit_test_setup(processes_build_the_same_at_once, begin),
  };
  if (mkdtemp(folder) == NULL) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  (void)begin(NULL);
  return failed;
}
