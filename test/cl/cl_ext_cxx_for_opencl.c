/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_ext_cxx_for_opencl: the version, and constructors of program-scope objects, which run before any kernel: their
 * order, in linked programs and in binaries, what they print, and what becomes of a program whose constructors fail. */
#include <stdio.h>
#include <stdlib.h>

#include "test_extension.h"
#include "test_process.h"

/** CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT */
enum { VERSION_QUERY = 0x4230 };

static int open_device(void **state) { return test_device_open(state) || !test_has_extension("cl_ext_cxx_for_opencl"); }

static cl_program create(const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  return program;
}

/** Runs kernel `name` on a buffer of one int, and gives the int it left. */
static cl_int run(cl_program program, const char *name) {
  cl_int error, result = -1;
  const size_t one = 1;
  cl_mem buffer = test_buffer(sizeof(result), &result);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof(result), &result);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseMemObject(buffer));
  return result;
}

static const char *const standards[] = {"-cl-std=CLC++1.0", "-cl-std=CLC++2021", "-cl-std=CLC++2021 -cl-opt-disable"};

/** The kernel `k` of the source writes `expected`, in each version of the language. */
static void assert_runs(const char *source, cl_int expected) {
  for (size_t i = 0; i < sizeof(standards) / sizeof(standards[0]); i++) {
    cl_program program = test_program(source, standards[i]);
    assert_int_equal(run(program, "k"), expected);
    ASSERT_CL(clReleaseProgram(program));
  }
}

/* ------------------------------------------------------------ the language */

/** cl_version has ten bits for the major version: 2021 cannot be told. */
static void tells_its_version(void **state) {
  (void)state;
  ASSERT_INFO(clGetDeviceInfo, dut.device, VERSION_QUERY, cl_version, CL_MAKE_VERSION(1, 0, 0));
  const char *source =
      "#if __CL_CPP_VERSION_1_0__ != 100 || __CL_CPP_VERSION_2021__ != 202100 || defined(cl_ext_cxx_for_opencl)\n"
      "#error\n#endif\n"
      "kernel void k(global int *p) { *p = __OPENCL_CPP_VERSION__; }";
  static const char *const options[] = {"-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021"};
  for (int i = 0; i < 3; i++) {
    cl_program program = test_program(source, options[i]);
    assert_int_equal(run(program, "k"), i < 2 ? 100 : 202100);
    ASSERT_CL(clReleaseProgram(program));
  }
}

static void objects_are_constructed_in_their_order(void **state) {
  (void)state;
  assert_runs(
      "int next() { static int count; return ++count; }\n"
      "struct ordered { int place; ordered() : place(next()) {} };\n"
      "ordered first, second;\n"
      "struct after { int value; after(const ordered &other) : value(other.place * 10) {} };\n"
      "after third(second);\n"
      "int fourth = third.value * 10 + first.place;\n"
      "kernel void k(global int *p) { *p = fourth * 10 + next(); }\n",
      2013);
}

static void objects_of_every_kind(void **state) {
  (void)state;
  assert_runs(
      "template <class T> struct cell {\n"
      "  T value;\n"
      "  int index = (int)get_global_id(0) + 5;\n"
      "  cell() : value(2) {}\n"
      "  cell(T by) : value(by) { for (int i = 0; i < 3; i++) value += index; }\n"
      "};\n"
      "cell<int> row[3] = {1, cell<int>(), 3};\n"
      "namespace inner { global cell<long> wide(100); }\n"
      "template <class T> struct shared { static T value; };\n"
      "template <class T> T shared<T>::value = T(7);\n"
      "struct base { int b; base(int x) : b(x) {} };\n"
      "struct derived : base { cell<int> part; derived() : base(4), part(0) {} } whole;\n"
      "auto closure = [] { return row[0].value; }();\n"
      "int &alias = row[2].value;\n"
      "float roots = sqrt(16.0f * whole.b);\n"
      "kernel void k(global int *p) {\n"
      "  *p = row[0].value + row[1].value + alias + (int)inner::wide.value + shared<cell<int>>::value.value +\n"
      "       whole.b + whole.part.value + closure + (int)roots;\n"
      "}\n",
      16 + 2 + 18 + 115 + 22 + 4 + 15 + 16 + 8);
}

/** When a kernel first comes by. */
static void static_objects_of_functions(void **state) {
  (void)state;
  assert_runs(
      "struct object { int value; object(int from) : value(from) {} };\n"
      "int get(int from) { static object kept(from); return kept.value++; }\n"
      "kernel void k(global int *p) { int a = get(5), b = get(9); *p = a * 100 + b * 10 + get(1); }\n",
      567);
}

/** Kernels change what their own program has, and no other. */
static void every_build_has_objects_of_its_own(void **state) {
  (void)state;
  const char *source =
      "struct counter { int value; counter() : value(4) {} } here;\n"
      "kernel void k(global int *p) { *p = ++here.value; }\n";
  cl_program one = test_program(source, "-cl-std=CLC++"), other = test_program(source, "-cl-std=CLC++");
  assert_int_equal(run(one, "k"), 5);
  assert_int_equal(run(one, "k"), 6);
  assert_int_equal(run(other, "k"), 5);
  ASSERT_CL(clBuildProgram(one, 0, NULL, "-cl-std=CLC++", NULL, NULL));
  assert_int_equal(run(one, "k"), 5);
  ASSERT_CL(clReleaseProgram(one));
  ASSERT_CL(clReleaseProgram(other));
}

/* ------------------------------------------------------------ programs */

static void assert_kernels(cl_program program, const char *names, cl_bool has_constructors) {
  char told[64];
  size_t count = 0;
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(told), told, NULL));
  assert_string_equal(told, names);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL));
  assert_int_equal(count, 1);
  ASSERT_INFO(clGetProgramInfo, program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, cl_bool, has_constructors);
  ASSERT_INFO(clGetProgramInfo, program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, cl_bool, CL_FALSE);
  cl_kernel kernels[2] = {NULL, NULL};
  cl_uint made;
  ASSERT_CL(clCreateKernelsInProgram(program, 2, kernels, &made));
  assert_int_equal(made, 1);
  ASSERT_CL(clReleaseKernel(kernels[0]));
  cl_int error;
  ASSERT_CL_REFUSED(clCreateKernel(program, "(constructors)", &error), error, CL_INVALID_KERNEL_NAME);
}

static void constructors_are_told_and_are_no_kernels(void **state) {
  (void)state;
  cl_program with =
      test_program("struct a { int v; a() : v(1) {} } g;\nkernel void k(global int *p) { *p = g.v; }", "-cl-std=CLC++");
  cl_program without = test_program(
      "struct a { int v; constexpr a() : v(1) {} } g;\nkernel void k(global int *p) { *p = g.v; }", "-cl-std=CLC++");
  assert_kernels(with, "k", CL_TRUE);
  assert_kernels(without, "k", CL_FALSE);
  ASSERT_CL(clReleaseProgram(with));
  ASSERT_CL(clReleaseProgram(without));
}

static cl_program compiled(const char *source, const char *options) {
  cl_program program = create(source);
  ASSERT_CL(clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
  return program;
}

static cl_program linked(const char *options, cl_uint count, cl_program *inputs) {
  cl_int error;
  cl_program program = clLinkProgram(dut.context, 0, NULL, options, count, inputs, NULL, NULL, &error);
  ASSERT_CL(error);
  for (cl_uint i = 0; i < count; i++) ASSERT_CL(clReleaseProgram(inputs[i]));
  return program;
}

/** Two programs of C++, one of which comes from a library, with the same template in both, and one of C. */
static void constructors_of_linked_programs(void **state) {
  (void)state;
  const char *common =
      "template <class T> struct shared { static T value; };\n"
      "extern int calls;\n"
      "template <class T> T shared<T>::value = T(100 * ++calls);\n";
  char first[512], second[512];
  snprintf(first, sizeof(first), "%s%s", common,
           "int calls;\nint one = 1 + calls;\n"
           "int get_first() { return one + shared<int>::value; }\n");
  snprintf(second, sizeof(second), "%s%s", common,
           "static int two(int x) { return x * 10; }\nglobal int ten = two(2);\n"
           "extern \"C\" int get_second() { return ten + shared<int>::value; }\n"
           "int get_first();\nkernel void k(global int *p) { *p = get_first() * 1000 + get_second(); }\n");
  cl_program library = compiled(first, "-cl-std=CLC++");
  library = linked("-create-library", 1, &library);
  cl_program c =
      compiled("int get_second(void);\nkernel void c(global int *p) { *p = get_second(); }", "-cl-std=CL3.0");
  cl_program program = linked("", 3, (cl_program[]){compiled(second, "-cl-std=CLC++2021"), library, c});
  const cl_int both = run(program, "k");
  /* The template's object is one, constructed once; whether it comes before `one` is left open. */
  assert_true(both == 101120 || both == 102120);
  assert_int_equal(run(program, "c"), 120);
  ASSERT_CL(clReleaseProgram(program));
}

static void *binary_of(cl_program program, size_t *size) {
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(*size), size, NULL));
  unsigned char *binary = malloc(*size);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
  return binary;
}

static cl_program with_binary(const void *binary, size_t size) {
  cl_int error;
  const unsigned char *bytes = binary;
  cl_program program = clCreateProgramWithBinary(dut.context, 1, &dut.device, &size, &bytes, NULL, &error);
  ASSERT_CL(error);
  return program;
}

static void constructors_of_binaries(void **state) {
  (void)state;
  cl_program built = test_program(
      "struct counter { int value; counter() : value(4) {} } here;\n"
      "kernel void k(global int *p) { *p = ++here.value; }\n",
      "-cl-std=CLC++");
  assert_int_equal(run(built, "k"), 5);
  size_t size;
  void *binary = binary_of(built, &size);
  cl_program program = with_binary(binary, size);
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  assert_kernels(program, "k", CL_TRUE);
  assert_int_equal(run(program, "k"), 5);
  /* It is the same executable, and so are its objects. */
  ASSERT_CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  assert_int_equal(run(program, "k"), 6);
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseProgram(built));
  free(binary);
}

static void what_constructors_print(void **state) {
  (void)state;
  char text[64];
  test_capture_t capture;
  test_capture_begin(&capture, 1);
  cl_program program = test_program(
      "struct a { a(int x) { printf(\"made %d\\n\", x); } };\na one(1), two(2);\nkernel void k(global int *p) { *p = "
      "3; }",
      "-cl-std=CLC++");
  test_capture_end(&capture, text, sizeof(text));
  assert_string_equal(text, "made 1\nmade 2\n");
  assert_int_equal(run(program, "k"), 3);
  ASSERT_CL(clReleaseProgram(program));
}

/* ------------------------------------------------------------ what fails */

static const char *const faulty =
    "global int *nowhere() { return (global int *)(1l << 62); }\n"
    "struct a { int v; a(global int *from) : v(*from) {} };\na g(nowhere());\n"
    "kernel void k(global int *p) { *p = g.v; }\n";

static void assert_log_has(cl_program program, const char *text) {
  char *log = test_build_log(program);
  assert_non_null(strstr(log, text));
  free(log);
}

static void assert_no_kernels(cl_program program) {
  cl_int error;
  ASSERT_CL_REFUSED(clCreateKernel(program, "k", &error), error, CL_INVALID_PROGRAM_EXECUTABLE);
}

/** The build fails, the log says why, and the process goes on. */
static void a_constructor_that_faults(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_program program = create(faulty);
  ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, "-cl-std=CLC++", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  assert_log_has(program, "constructors of program-scope objects failed: kernel '(constructors)'");
  cl_build_status status;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL));
  assert_int_equal(status, CL_BUILD_ERROR);
  assert_no_kernels(program);
  ASSERT_CL(clReleaseProgram(program));

  cl_int error;
  program = compiled(faulty, "-cl-std=CLC++");
  cl_program result = clLinkProgram(dut.context, 0, NULL, "", 1, &program, NULL, NULL, &error);
  assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
  if (result) ASSERT_CL(clReleaseProgram(result));
  ASSERT_CL(clReleaseProgram(program));
  assert_runs("struct a { int v; a() : v(8) {} } g;\nkernel void k(global int *p) { *p = g.v; }", 8);
}

/** In a process that runs no constructors: prints the binary. */
static int print_faulty_binary(void) {
  void *state = NULL;
  if (test_device_open(&state) != 0) return 1;
  size_t size;
  cl_program program = test_program(faulty, "-cl-std=CLC++");
  unsigned char *binary = binary_of(program, &size);
  for (size_t i = 0; i < size; i++) printf("%02x", binary[i]);
  free(binary);
  ASSERT_CL(clReleaseProgram(program));
  return test_device_close(&state);
}

static void *faulty_binary(size_t *out_size) {
  enum { largest = 1 << 20 };
  char *text = malloc(largest);
  setenv("QUERN_CONSTRUCTORS", "0", 1);
  assert_int_equal(test_run_self("faulty", text, largest), 0);
  unsetenv("QUERN_CONSTRUCTORS");
  *out_size = strlen(text) / 2;
  for (size_t i = 0; i < *out_size; i++) {
    const char digits[3] = {text[2 * i], text[2 * i + 1], 0};
    text[i] = (char)strtoul(digits, NULL, 16);
  }
  return text;
}

/** What was constructed when it failed cannot be undone, so that another build of the same executable fails too. */
static void a_binary_whose_constructor_faults(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  size_t size;
  void *binary = faulty_binary(&size);
  cl_program program = with_binary(binary, size);
  ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  assert_log_has(program, "(constructors)");
  assert_no_kernels(program);
  ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  assert_log_has(program, "failed before");
  assert_no_kernels(program);
  ASSERT_CL(clReleaseProgram(program));
  free(binary);
}

static void CL_CALLBACK ignore(cl_program program, void *user_data) { (void)program, (void)user_data; }

/** They are optional (C++ for OpenCL, section "Construction, initialization and destruction"), and there are none. */
static void destructors_are_refused(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_program program = test_program(
      "#ifdef __opencl_cpp_global_destructor\n#error\n#endif\n"
      "struct a { int v; a() : v(5) {} ~a() { v = 0; } };\n"
      "kernel void k(global int *p) { a own; *p = own.v; }\n",
      "-cl-std=CLC++");
  assert_int_equal(run(program, "k"), 5);
  ASSERT_CL_ERROR(clSetProgramReleaseCallback(program, ignore, NULL), CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseProgram(program));
  static const char *const sources[] = {
      "struct a { int v; a() : v(5) {} ~a(); };\na::~a() { v = 0; }\na g;\nkernel void k(global int *p) { *p = g.v; }",
      "struct a { int v; a() : v(5) {} ~a() { v = 0; } };\nkernel void k(global int *p) { static a g; *p = g.v; }",
  };
  for (int i = 0; i < 2; i++) {
    program = create(sources[i]);
    ASSERT_CL_ERROR(clBuildProgram(program, 0, NULL, "-cl-std=CLC++", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_log_has(program, "destructor");
    ASSERT_CL(clReleaseProgram(program));
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "faulty") == 0) return print_faulty_binary();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_its_version),
      cmocka_unit_test(objects_are_constructed_in_their_order),
      cmocka_unit_test(objects_of_every_kind),
      cmocka_unit_test(static_objects_of_functions),
      cmocka_unit_test(every_build_has_objects_of_its_own),
      cmocka_unit_test(constructors_are_told_and_are_no_kernels),
      cmocka_unit_test(constructors_of_linked_programs),
      cmocka_unit_test(constructors_of_binaries),
      cmocka_unit_test(what_constructors_print),
      cmocka_unit_test(a_constructor_that_faults),
      cmocka_unit_test(a_binary_whose_constructor_faults),
      cmocka_unit_test(destructors_are_refused),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
