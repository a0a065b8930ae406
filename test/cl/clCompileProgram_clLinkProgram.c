/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCompileProgram and clLinkProgram. */
#include <stdlib.h>

#include "test_device.h"

static cl_program create_in(cl_context context, const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  return program;
}

static cl_program create(const char *source) { return create_in(dut.context, source); }

static cl_program compiled(const char *source) {
  cl_program program = create(source);
  ASSERT_CL(clCompileProgram(program, 1, &dut.device, NULL, 0, NULL, NULL, NULL, NULL));
  return program;
}

static cl_program link_well(const char *options, cl_uint count, const cl_program *inputs) {
  cl_int error;
  cl_program linked = clLinkProgram(dut.context, 1, &dut.device, options, count, inputs, NULL, NULL, &error);
  ASSERT_CL(error);
  assert_non_null(linked);
  return linked;
}

static cl_program_binary_type binary_type(cl_program program) {
  cl_program_binary_type type = 0;
  ASSERT_CL(clGetProgramBuildInfo(program, dut.device, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, NULL));
  return type;
}

/** Runs kernel `name` of `program` on one buffer with one int, and gives the int it left. */
static cl_int run(cl_program program, const char *name) {
  cl_int error, result = 0;
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

static const char *const caller =
    "int callee(int x);\n"
    "kernel void run(global int *p) { *p = callee(20) + 1; }\n";
static const char *const callee = "int callee(int x) { return 2 * x; }\n";

static void links_a_function_of_another_program(void **state) {
  (void)state;
  cl_program inputs[2] = {compiled(caller), compiled(callee)};
  assert_int_equal(binary_type(inputs[0]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  cl_program linked = link_well(NULL, 2, inputs);
  assert_int_equal(binary_type(linked), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  ASSERT_CL(clReleaseProgram(inputs[0]));
  ASSERT_CL(clReleaseProgram(inputs[1]));
  assert_int_equal(run(linked, "run"), 41);
  ASSERT_CL(clReleaseProgram(linked));
}

static void links_against_a_library(void **state) {
  (void)state;
  cl_program object = compiled(callee);
  cl_program library = link_well("-create-library", 1, &object);
  assert_int_equal(binary_type(library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
  cl_program inputs[2] = {compiled(caller), library};
  cl_program linked = link_well("", 2, inputs);
  assert_int_equal(run(linked, "run"), 41);
  ASSERT_CL(clReleaseProgram(linked));
  ASSERT_CL(clReleaseProgram(inputs[0]));
  ASSERT_CL(clReleaseProgram(library));
  ASSERT_CL(clReleaseProgram(object));
}

static void kernels_of_all_inputs_are_in_the_executable(void **state) {
  (void)state;
  cl_program inputs[2] = {compiled("kernel void a(global int *p) { *p = 1; }"),
                          compiled("kernel void b(global int *p) { *p = 2; }")};
  cl_program linked = link_well(NULL, 2, inputs);
  assert_int_equal(run(linked, "a"), 1);
  assert_int_equal(run(linked, "b"), 2);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseProgram(inputs[i]));
  ASSERT_CL(clReleaseProgram(linked));
}

static void one_object_links_into_two_executables(void **state) {
  (void)state;
  cl_program inputs[2] = {compiled(caller), compiled(callee)};
  cl_program first = link_well(NULL, 2, inputs), second = link_well(NULL, 2, inputs);
  assert_int_equal(run(first, "run"), 41);
  assert_int_equal(run(second, "run"), 41);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseProgram(inputs[i]));
  ASSERT_CL(clReleaseProgram(first));
  ASSERT_CL(clReleaseProgram(second));
}

static void headers_are_found_under_their_include_names(void **state) {
  (void)state;
  const char *names[2] = {"value.h", "deep/scale.h"};
  cl_program headers[2] = {create("#define VALUE 6\n"), create("int scale(int x) { return x * 7; }\n")};
  cl_program program = create(
      "#include \"value.h\"\n"
      "#include <deep/scale.h>\n"
      "kernel void run(global int *p) { *p = scale(VALUE); }\n");
  ASSERT_CL(clCompileProgram(program, 1, &dut.device, NULL, 2, headers, names, NULL, NULL));
  cl_program linked = link_well(NULL, 1, &program);
  assert_int_equal(run(linked, "run"), 42);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseProgram(headers[i]));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseProgram(linked));
}

static void headers_may_include_each_other(void **state) {
  (void)state;
  const char *names[2] = {"outer.h", "inner.h"};
  cl_program headers[2] = {create("#include \"inner.h\"\n#define OUTER (INNER + 1)\n"), create("#define INNER 4\n")};
  cl_program program = create("#include \"outer.h\"\nkernel void run(global int *p) { *p = OUTER; }\n");
  ASSERT_CL(clCompileProgram(program, 1, &dut.device, NULL, 2, headers, names, NULL, NULL));
  cl_program linked = link_well(NULL, 1, &program);
  assert_int_equal(run(linked, "run"), 5);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseProgram(headers[i]));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseProgram(linked));
}

/** "If multiple entries refer to the same header name, the first one encountered will be used." */
static void the_first_of_two_headers_of_a_name_is_used(void **state) {
  (void)state;
  const char *names[2] = {"value.h", "value.h"};
  cl_program headers[2] = {create("#define VALUE 1\n"), create("#define VALUE 2\n")};
  cl_program program = create("#include \"value.h\"\nkernel void run(global int *p) { *p = VALUE; }\n");
  ASSERT_CL(clCompileProgram(program, 1, &dut.device, NULL, 2, headers, names, NULL, NULL));
  cl_program linked = link_well(NULL, 1, &program);
  assert_int_equal(run(linked, "run"), 1);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseProgram(headers[i]));
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseProgram(linked));
}

static void a_missing_header_fails_with_a_log(void **state) {
  (void)state;
  cl_program program = create("#include \"nowhere.h\"\n");
  ASSERT_CL_ERROR(clCompileProgram(program, 1, &dut.device, NULL, 0, NULL, NULL, NULL, NULL),
                  CL_COMPILE_PROGRAM_FAILURE);
  char *log = test_build_log(program);
  assert_non_null(strstr(log, "nowhere.h"));
  free(log);
  ASSERT_CL(clReleaseProgram(program));
}

static void a_missing_function_fails_the_link_with_a_log(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN(); /* others may give no program to ask for the log */
  cl_int error;
  cl_program object = compiled(caller);
  cl_program linked = clLinkProgram(dut.context, 1, &dut.device, NULL, 1, &object, NULL, NULL, &error);
  ASSERT_CL_ERROR(error, CL_LINK_PROGRAM_FAILURE);
  if (linked != NULL) {
    char *log = test_build_log(linked);
    assert_non_null(strstr(log, "callee"));
    free(log);
    ASSERT_CL(clReleaseProgram(linked));
  }
  ASSERT_CL(clReleaseProgram(object));
}

static void compile_refuses_bad_arguments(void **state) {
  (void)state;
  const char *name = "a.h";
  cl_program program = create(callee), header = create("");
#define COMPILE(devices_count, devices, headers_count, headers, names) \
  clCompileProgram(program, devices_count, devices, NULL, headers_count, headers, names, NULL, NULL)
  ASSERT_CL_ERROR(COMPILE(1, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(COMPILE(0, &dut.device, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(COMPILE(0, NULL, 1, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(COMPILE(0, NULL, 1, &header, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(COMPILE(0, NULL, 0, &header, &name), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(COMPILE(0, NULL, 0, NULL, &name), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clCompileProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, &program), CL_INVALID_VALUE);
  const cl_device_id no_device = NULL;
  ASSERT_CL_ERROR(COMPILE(1, &no_device, 0, NULL, NULL), CL_INVALID_DEVICE);
  const cl_program no_program = NULL;
  const char *no_name = NULL;
  ASSERT_CL_ERROR(COMPILE(0, NULL, 1, &no_program, &name), CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(COMPILE(0, NULL, 1, &header, &no_name), CL_INVALID_VALUE);
  cl_context context = test_other_context();
  cl_program foreign = create_in(context, "");
  ASSERT_CL_ERROR(COMPILE(0, NULL, 1, &foreign, &name), CL_INVALID_CONTEXT);
  ASSERT_CL(clReleaseProgram(foreign));
  ASSERT_CL(clReleaseContext(context));
  ASSERT_CL_ERROR(clCompileProgram(program, 0, NULL, "-no-such-option", 0, NULL, NULL, NULL, NULL),
                  CL_INVALID_COMPILER_OPTIONS);
#undef COMPILE
  ASSERT_CL(clReleaseProgram(header));
  ASSERT_CL(clReleaseProgram(program));
}

static void compile_refuses_programs_in_use_and_without_source(void **state) {
  (void)state;
  cl_int error;
  cl_program object = compiled("kernel void run(global int *p) { *p = 1; }");
  cl_program linked = link_well(NULL, 1, &object);
  ASSERT_CL_ERROR(clCompileProgram(linked, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL_ERROR(clBuildProgram(linked, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseProgram(linked));
  ASSERT_CL(clReleaseProgram(object));
  cl_program built = test_program("kernel void run(global int *p) { *p = 1; }", NULL);
  cl_kernel kernel = clCreateKernel(built, "run", &error);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clCompileProgram(built, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(built));
}

static void link_refuses_bad_arguments(void **state) {
  (void)state;
  cl_int error;
  cl_program object = compiled(callee), null_program = NULL;
  cl_context context = dut.context, other = test_other_context();
  cl_program mixed[2] = {object, create_in(other, callee)};
  const cl_device_id no_device = NULL;
#define LINK(where, devices_count, devices, options, count, inputs) \
  clLinkProgram(where, devices_count, devices, options, count, inputs, NULL, NULL, &error)
  ASSERT_CL_REFUSED(LINK(NULL, 0, NULL, NULL, 1, &object), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(LINK(context, 1, NULL, NULL, 1, &object), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LINK(context, 0, &dut.device, NULL, 1, &object), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LINK(context, 0, NULL, NULL, 0, &object), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LINK(context, 0, NULL, NULL, 0, NULL), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LINK(context, 0, NULL, NULL, 1, NULL), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(LINK(context, 0, NULL, NULL, 1, &null_program), error, CL_INVALID_PROGRAM);
  ASSERT_CL_REFUSED(LINK(context, 0, NULL, "-no-such-option", 1, &object), error, CL_INVALID_LINKER_OPTIONS);
  ASSERT_CL_REFUSED(LINK(context, 0, NULL, "-enable-link-options", 1, &object), error, CL_INVALID_LINKER_OPTIONS);
  ASSERT_CL_REFUSED(LINK(context, 1, &no_device, NULL, 1, &object), error, CL_INVALID_DEVICE);
  ASSERT_CL_REFUSED(LINK(context, 0, NULL, NULL, 2, mixed), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(LINK(other, 0, NULL, NULL, 1, &object), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(clLinkProgram(context, 0, NULL, NULL, 1, &object, NULL, &error, &error), error, CL_INVALID_VALUE);
#undef LINK
  ASSERT_CL(clReleaseProgram(mixed[1]));
  ASSERT_CL(clReleaseContext(other));
  ASSERT_CL(clReleaseProgram(object));
}

static void link_refuses_programs_that_were_not_compiled(void **state) {
  (void)state;
  cl_int error;
  cl_program source = create(callee);
  ASSERT_CL_REFUSED(clLinkProgram(dut.context, 1, &dut.device, NULL, 1, &source, NULL, NULL, &error), error,
                    CL_INVALID_OPERATION);
  ASSERT_CL(clReleaseProgram(source));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_a_function_of_another_program),
      cmocka_unit_test(links_against_a_library),
      cmocka_unit_test(kernels_of_all_inputs_are_in_the_executable),
      cmocka_unit_test(one_object_links_into_two_executables),
      cmocka_unit_test(headers_are_found_under_their_include_names),
      cmocka_unit_test(headers_may_include_each_other),
      cmocka_unit_test(the_first_of_two_headers_of_a_name_is_used),
      cmocka_unit_test(a_missing_header_fails_with_a_log),
      cmocka_unit_test(a_missing_function_fails_the_link_with_a_log),
      cmocka_unit_test(compile_refuses_bad_arguments),
      cmocka_unit_test(compile_refuses_programs_in_use_and_without_source),
      cmocka_unit_test(link_refuses_bad_arguments),
      cmocka_unit_test(link_refuses_programs_that_were_not_compiled),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
