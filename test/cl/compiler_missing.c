/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A driver without its compiler library: builds are refused saying why, and program binaries still run. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

static const char *const missing_path = "/nonexistent/libquern-compiler.so";
static const char *const source = "kernel void triple(global int *p) { p[get_global_id(0)] *= 3; }\n";

/** The child processes' programs: what they print on stdout is compared by the parent. */

static int print_refusals(void) {
  void *state = NULL;
  cl_int error;
  dup2(STDOUT_FILENO, STDERR_FILENO);
  setvbuf(stdout, NULL, _IONBF, 0);
  if (test_device_open(&state) != 0) return 1;
  cl_bool available = CL_TRUE, linker = CL_TRUE;
  clGetDeviceInfo(dut.device, CL_DEVICE_COMPILER_AVAILABLE, sizeof(available), &available, NULL);
  clGetDeviceInfo(dut.device, CL_DEVICE_LINKER_AVAILABLE, sizeof(linker), &linker, NULL);
  const char *text = source;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  printf("available %d %d\n", (int)available, (int)linker);
  printf("build %s\n", test_error_name(clBuildProgram(program, 0, NULL, NULL, NULL, NULL)));
  printf("compile %s\n", test_error_name(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL)));
  clReleaseProgram(program);
  const cl_uint il[] = {0x07230203, 0x00010000, 0, 1, 0};
  clCreateProgramWithIL(dut.context, il, sizeof(il), &error);
  printf("il %s\n", test_error_name(error));
  clCreateProgramWithIL(NULL, il, sizeof(il), &error);
  printf("il without a context %s\n", test_error_name(error));
  return test_device_close(&state) != 0;
}

/** Loads the compiled object from the file BINARY_FILE, and tells how its link is refused. */
static int print_link(void) {
  void *state = NULL;
  cl_int error;
  static unsigned char bytes[1 << 20];
  const unsigned char *data = bytes;
  FILE *file = fopen(getenv("BINARY_FILE"), "rb");
  if (file == NULL || test_device_open(&state) != 0) return 1;
  const size_t size = fread(bytes, 1, sizeof(bytes), file);
  fclose(file);
  cl_program object = clCreateProgramWithBinary(dut.context, 1, &dut.device, &size, &data, NULL, &error);
  if (error == CL_SUCCESS) clLinkProgram(dut.context, 0, NULL, NULL, 1, &object, NULL, NULL, &error);
  printf("link %s\n", test_error_name(error));
  if (object != NULL) clReleaseProgram(object);
  return test_device_close(&state) != 0;
}

/** Builds the program, or compiles it alone, and writes its binary to the file BINARY_FILE. In a process of its own, so
 * that under valgrind, too, both sides see the same CPU. */
static int write_binary(bool compile_alone) {
  void *state = NULL;
  size_t size = 0;
  static unsigned char bytes[1 << 20];
  unsigned char *data = bytes;
  FILE *file = fopen(getenv("BINARY_FILE"), "wb");
  if (file == NULL || test_device_open(&state) != 0) return 1;
  cl_program program = test_program(source, NULL);
  if (compile_alone) ASSERT_CL(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL));
  if (size > sizeof(bytes)) return 1;
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(data), &data, NULL));
  const bool written = fwrite(bytes, 1, size, file) == size;
  clReleaseProgram(program);
  return fclose(file) != 0 || !written || test_device_close(&state) != 0;
}

/** Loads the binary from the file BINARY_FILE, runs it, prints the result. */
static int run_binary(void) {
  void *state = NULL;
  cl_int error = CL_SUCCESS, value = 14;
  static unsigned char bytes[1 << 20];
  const unsigned char *data = bytes;
  const size_t one = 1;
  FILE *file = fopen(getenv("BINARY_FILE"), "rb");
  if (file == NULL || test_device_open(&state) != 0) return 1;
  const size_t size = fread(bytes, 1, sizeof(bytes), file);
  fclose(file);
  cl_program program = clCreateProgramWithBinary(dut.context, 1, &dut.device, &size, &data, NULL, &error);
  if (error == CL_SUCCESS) error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  cl_kernel kernel = error == CL_SUCCESS ? clCreateKernel(program, "triple", &error) : NULL;
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_COPY_HOST_PTR, sizeof(value), &value, NULL);
  if (error == CL_SUCCESS) error = clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
  if (error == CL_SUCCESS) error = clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
  printf("%s %d %d\n", test_error_name(error), (int)value, test_is_mapped("libquern-compiler"));
  clReleaseMemObject(buffer);
  if (kernel != NULL) clReleaseKernel(kernel);
  if (program != NULL) clReleaseProgram(program);
  return test_device_close(&state) != 0;
}

static void builds_are_refused_naming_the_path(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char output[2048];
  assert_int_equal(setenv("QUERN_COMPILER_PATH", missing_path, 1), 0);
  int status = test_run_self("refusals", output, sizeof(output));
  assert_int_equal(unsetenv("QUERN_COMPILER_PATH"), 0);
  assert_int_equal(status, 0);
  assert_non_null(strstr(output, "available 0 0\n"));
  assert_non_null(strstr(output, "build CL_COMPILER_NOT_AVAILABLE\n"));
  assert_non_null(strstr(output, "compile CL_COMPILER_NOT_AVAILABLE\n"));
  assert_non_null(strstr(output, "il CL_INVALID_OPERATION\n"));
  assert_non_null(strstr(output, "il without a context CL_INVALID_CONTEXT\n"));
  assert_non_null(strstr(output, missing_path));
}

/** What this program prints as `reader`, without a compiler, about the binary that it wrote as `writer`, with one. */
static void read_without_compiler(const char *writer, const char *reader, char *output, size_t capacity) {
  char path[] = "/tmp/cl-binary-XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  assert_int_equal(setenv("BINARY_FILE", path, 1), 0);
  assert_int_equal(test_run_self(writer, output, capacity), 0);
  assert_int_equal(setenv("QUERN_COMPILER_PATH", missing_path, 1), 0);
  int status = test_run_self(reader, output, capacity);
  assert_int_equal(unsetenv("QUERN_COMPILER_PATH"), 0);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(status, 0);
}

static void binaries_run_with_no_compiler_mapped(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char output[256];
  read_without_compiler("write", "binary", output, sizeof(output));
  assert_string_equal(output, "CL_SUCCESS 42 0\n");
}

static void objects_are_not_linked(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char output[256];
  read_without_compiler("write-object", "link", output, sizeof(output));
  assert_string_equal(output, "link CL_LINKER_NOT_AVAILABLE\n");
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "refusals") == 0) return print_refusals();
  if (argc == 2 && strcmp(argv[1], "write") == 0) return write_binary(false);
  if (argc == 2 && strcmp(argv[1], "write-object") == 0) return write_binary(true);
  if (argc == 2 && strcmp(argv[1], "link") == 0) return print_link();
  if (argc == 2 && strcmp(argv[1], "binary") == 0) return run_binary();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(builds_are_refused_naming_the_path),
      cmocka_unit_test(binaries_run_with_no_compiler_mapped),
      cmocka_unit_test(objects_are_not_linked),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
