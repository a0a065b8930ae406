/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clCreateProgramWithIL, clCreateProgramWithILKHR, clSetProgramSpecializationConstant, and what links with them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl_ext.h>

#include "test_il.h"

static const char twice[] =
    "int twice(int x);\n"
    "kernel void k(global int *p) { p[get_global_id(0)] = twice(p[get_global_id(0)]); }\n";
static const char twice_body[] = "int twice(int x) { return 2 * x; }\n";
static const char whole[] = "kernel void k(global int *p) { p[get_global_id(0)] *= 2; }\n";

/* Two specialization constants: an int with SpecId 7 that is 5, a bool with SpecId 9 that is true. */
static const char specialized[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %main \"k\"\n"
    "OpDecorate %number SpecId 7\nOpDecorate %flag SpecId 9\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%int = OpTypeInt 32 0\n"
    "%pointer = OpTypePointer CrossWorkgroup %int\n"
    "%type = OpTypeFunction %void %pointer\n"
    "%number = OpSpecConstant %int 5\n%flag = OpSpecConstantTrue %bool\n"
    "%one = OpConstant %int 1\n"
    "%sum = OpSpecConstantOp %int IAdd %number %one\n"
    "%chosen = OpSpecConstantOp %int Select %flag %sum %one\n"
    "%main = OpFunction %void None %type\n%p = OpFunctionParameter %pointer\n"
    "%entry = OpLabel\nOpStore %p %chosen\nOpReturn\nOpFunctionEnd\n";

/* Runs kernel "k" on one int. */
static cl_int run(cl_program program, cl_int value) {
  cl_int error;
  const size_t one = 1;
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  cl_mem buffer = test_buffer(sizeof(value), &value);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, sizeof(value), &value);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  return value;
}

static const char inverses[] =
    "kernel void k(global const float *in, global float *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = 1.0f / in[i];\n"
    "}\n";

enum { QUOTIENTS = 8192 };

/* How far the kernel's quotients are from what C says, at most, in units of the last place. */
static double worst_quotient(cl_program program) {
  static float in[QUOTIENTS], out[QUOTIENTS];
  const size_t count = QUOTIENTS;
  double worst = 0;
  cl_int error;
  for (int i = 0; i < QUOTIENTS; i++) in[i] = 1.0f + (float)i * (1.0f / QUOTIENTS);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(out), NULL)};
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
  test_read(buffers[1], sizeof(out), out);
  for (int i = 0; i < QUOTIENTS; i++) worst = fmax(worst, fabs((double)out[i] - 1.0 / in[i]) * 0x1p24);
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
  return worst;
}

/* All results are between a half and one, in which a unit is 2^-24. */
static void quotients_are_exact_where_asked(void **state) {
  (void)state;
  cl_device_fp_config config = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(config), &config, NULL));
  size_t size = 0;
  void *il = test_compile_il(inverses, NULL, "-O2", &size);
  static const char *const options[] = {"", "-cl-fp32-correctly-rounded-divide-sqrt"};
  const int last = config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? 1 : 0;
  for (int exact = 0; exact <= last; exact++) {
    cl_program program = test_create_with_il(il, size);
    ASSERT_CL(clBuildProgram(program, 1, &dut.device, options[exact], NULL, NULL));
    assert_true(worst_quotient(program) <= (exact ? 0.5 : 2.5));
    ASSERT_CL(clReleaseProgram(program));
  }
  free(il);
}

static void runs_and_gives_the_il_back(void **state) {
  (void)state;
  size_t size = 0, got = 0;
  void *il = test_compile_il(whole, NULL, "-O2", &size);
  cl_program program = test_create_with_il(il, size);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &got));
  assert_int_equal(got, size);
  void *copy = malloc(got);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_IL, got, copy, NULL));
  assert_memory_equal(copy, il, size);
  char source[2] = "x";
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(source), source, &got));
  assert_int_equal(got, 1);
  test_build(program, NULL);
  assert_int_equal(run(program, 21), 42);
  free(copy);
  free(il);
  ASSERT_CL(clReleaseProgram(program));
}

typedef cl_program(CL_API_CALL *create_khr_t)(cl_context, const void *, size_t, cl_int *);

static void the_extension_does_the_same(void **state) {
  (void)state;
  union {
    void *object;
    create_khr_t function;
  } create = {clGetExtensionFunctionAddressForPlatform(dut.platform, "clCreateProgramWithILKHR")};
  assert_non_null(create.object);
  size_t size = 0;
  cl_int error;
  void *il = test_compile_il(whole, NULL, "-O0", &size);
  cl_program program = create.function(dut.context, il, size, &error);
  ASSERT_CL(error);
  test_build(program, NULL);
  assert_int_equal(run(program, 4), 8);
  free(il);
  ASSERT_CL(clReleaseProgram(program));
}

static cl_program compiled(cl_program program) {
  ASSERT_CL(clCompileProgram(program, 1, &dut.device, NULL, 0, NULL, NULL, NULL, NULL));
  return program;
}

static cl_program il_program(const char *source) {
  size_t size = 0;
  void *il = test_compile_il(source, NULL, "-O2", &size);
  cl_program program = test_create_with_il(il, size);
  free(il);
  return compiled(program);
}

static void kernels_have_no_words_of_a_source(void **state) {
  (void)state;
  static const char text[] =
      "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int *p) { *p = 1; }";
  cl_int error;
  char attributes[128] = "x";
  cl_kernel_arg_address_qualifier space;
  size_t size = 0, group[3];
  void *il = test_compile_il(text, NULL, "-O2", &size);
  cl_program program = test_create_with_il(il, size);
  free(il);
  ASSERT_CL(clBuildProgram(program, 1, &dut.device, "-cl-kernel-arg-info", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "fixed", &error);
  ASSERT_CL(error);
  ASSERT_CL(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(attributes), attributes, NULL));
  assert_string_equal(attributes, "");
  error = clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space, NULL);
  assert_int_equal(error, CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  ASSERT_CL(
      clGetKernelWorkGroupInfo(kernel, dut.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(group), group, NULL));
  assert_int_equal(group[0], 4);
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseProgram(program));
}

static cl_program source_program(const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(dut.context, 1, &source, NULL, &error);
  ASSERT_CL(error);
  return compiled(program);
}

static void check_link(cl_program first, cl_program second) {
  cl_int error;
  const cl_program inputs[] = {first, second};
  cl_program program = clLinkProgram(dut.context, 1, &dut.device, NULL, 2, inputs, NULL, NULL, &error);
  ASSERT_CL(error);
  assert_int_equal(run(program, -3), -6);
  ASSERT_CL(clReleaseProgram(program));
  ASSERT_CL(clReleaseProgram(first));
  ASSERT_CL(clReleaseProgram(second));
}

static void links_with_il_and_with_source(void **state) {
  (void)state;
  check_link(il_program(twice), il_program(twice_body));
  check_link(il_program(twice), source_program(twice_body));
  check_link(source_program(twice), il_program(twice_body));
}

static void links_with_a_library(void **state) {
  (void)state;
  cl_int error;
  cl_program body = il_program(twice_body);
  cl_program library = clLinkProgram(dut.context, 1, &dut.device, "-create-library", 1, &body, NULL, NULL, &error);
  ASSERT_CL(error);
  check_link(il_program(twice), library);
  ASSERT_CL(clReleaseProgram(body));
}

static void its_binary_runs(void **state) {
  (void)state;
  size_t size = 0;
  cl_int error;
  void *il = test_compile_il(whole, NULL, "-O2", &size);
  cl_program program = test_create_with_il(il, size);
  test_build(program, NULL);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL));
  unsigned char *binary = malloc(size);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
  ASSERT_CL(clReleaseProgram(program));
  const unsigned char *bytes = binary;
  program = clCreateProgramWithBinary(dut.context, 1, &dut.device, &size, &bytes, NULL, &error);
  ASSERT_CL(error);
  test_build(program, NULL);
  assert_int_equal(run(program, 50), 100);
  free(binary);
  free(il);
  ASSERT_CL(clReleaseProgram(program));
}

static cl_program create_specialized(void) {
  size_t size = 0;
  void *il = test_assemble_il(specialized, &size);
  cl_program program = test_create_with_il(il, size);
  free(il);
  return program;
}

static void specialization_constants_take_effect(void **state) {
  (void)state;
  const cl_int number = 41, other = 99;
  const cl_uchar no = 0;
  cl_program program = create_specialized();
  test_build(program, NULL);
  assert_int_equal(run(program, 0), 6);
  ASSERT_CL(clSetProgramSpecializationConstant(program, 7, sizeof(other), &other));
  ASSERT_CL(clSetProgramSpecializationConstant(program, 7, sizeof(number), &number));
  test_build(program, NULL);
  assert_int_equal(run(program, 0), 42);
  ASSERT_CL(clSetProgramSpecializationConstant(program, 9, sizeof(no), &no));
  test_build(program, NULL);
  assert_int_equal(run(program, 0), 1);
  ASSERT_CL(clReleaseProgram(program));
}

static void specialization_obeys_its_rules(void **state) {
  (void)state;
  const cl_long value = 1;
  cl_program program = create_specialized();
  ASSERT_CL_ERROR(clSetProgramSpecializationConstant(program, 8, 4, &value), CL_INVALID_SPEC_ID);
  ASSERT_CL_ERROR(clSetProgramSpecializationConstant(program, 7, 8, &value), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetProgramSpecializationConstant(program, 9, 4, &value), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetProgramSpecializationConstant(program, 7, 4, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetProgramSpecializationConstant(NULL, 7, 4, &value), CL_INVALID_PROGRAM);
  ASSERT_CL(clReleaseProgram(program));
  program = source_program(whole);
  ASSERT_CL_ERROR(clSetProgramSpecializationConstant(program, 7, 4, &value), CL_INVALID_PROGRAM);
  ASSERT_CL(clReleaseProgram(program));
}

/** "If program was created using clCreateProgramWithIL, then [the headers] are ignored." */
static void compiling_ignores_headers(void **state) {
  (void)state;
  size_t size = 0;
  void *il = test_compile_il(whole, NULL, "-O2", &size);
  cl_program program = test_create_with_il(il, size), header = source_program("");
  const char *name = "a.h";
  ASSERT_CL(clCompileProgram(program, 0, NULL, NULL, 1, &header, &name, NULL, NULL));
  ASSERT_CL(clCompileProgram(program, 0, NULL, NULL, 1, &program, &name, NULL, NULL));
  ASSERT_CL(clCompileProgram(program, 0, NULL, NULL, 1, NULL, NULL, NULL, NULL));
  ASSERT_CL(clCompileProgram(program, 0, NULL, NULL, 0, &header, &name, NULL, NULL));
  free(il);
  ASSERT_CL(clReleaseProgram(header));
  ASSERT_CL(clReleaseProgram(program));
}

static void refuses_what_is_no_il(void **state) {
  (void)state;
  cl_int error;
  const cl_uint header[] = {0x07230203, 0x00010600, 0, 1, 0};
  const cl_uint newer[] = {0x07230203, 0x00010700, 0, 1, 0};
  ASSERT_CL_REFUSED(clCreateProgramWithIL(NULL, header, sizeof(header), &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(clCreateProgramWithIL(dut.context, NULL, 4, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithIL(dut.context, header, 0, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithIL(dut.context, header, 4, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithIL(dut.context, header, 18, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithIL(dut.context, newer, sizeof(newer), &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateProgramWithIL(dut.context, whole, sizeof(whole) / 4 * 4, &error), error, CL_INVALID_VALUE);
}

/* The other byte order is allowed. */
static void byte_order_does_not_matter(void **state) {
  (void)state;
  size_t size = 0;
  cl_uint *il = test_compile_il(whole, NULL, "-O2", &size);
  for (size_t i = 0; i < size / sizeof(*il); i++) il[i] = __builtin_bswap32(il[i]);
  cl_program program = test_create_with_il(il, size);
  test_build(program, NULL);
  assert_int_equal(run(program, 5), 10);
  free(il);
  ASSERT_CL(clReleaseProgram(program));
}

static void the_device_names_its_versions(void **state) {
  (void)state;
  char versions[256] = "";
  cl_name_version list[16];
  size_t size = 0;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_IL_VERSION, sizeof(versions), versions, NULL));
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_ILS_WITH_VERSION, sizeof(list), list, &size));
  assert_true(size >= sizeof(*list));
  for (size_t i = 0; i < size / sizeof(*list); i++) {
    char name[CL_NAME_VERSION_MAX_NAME_SIZE + 32];
    snprintf(name, sizeof(name), "%s_%u.%u", list[i].name, CL_VERSION_MAJOR(list[i].version),
             CL_VERSION_MINOR(list[i].version));
    assert_non_null(strstr(versions, name));
  }
}

/* cl_khr_spirv_queries; its names are younger than the packaged headers. */
enum { query_sets = 0x12B9, query_extensions = 0x12BA, query_capabilities = 0x12BB };

static bool has_text(cl_device_info query, const char *wanted) {
  const char *list[256];
  size_t size = 0;
  bool found = false;
  ASSERT_CL(clGetDeviceInfo(dut.device, query, sizeof(list), list, &size));
  for (size_t i = 0; i < size / sizeof(*list); i++) found = found || strcmp(list[i], wanted) == 0;
  return found;
}

static bool has_capability(cl_uint wanted) {
  cl_uint list[512];
  size_t size = 0;
  bool found = false;
  ASSERT_CL(clGetDeviceInfo(dut.device, query_capabilities, sizeof(list), list, &size));
  for (size_t i = 0; i < size / sizeof(*list); i++) found = found || list[i] == wanted;
  return found;
}

static void the_device_lists_what_it_imports(void **state) {
  (void)state;
  char extensions[8192] = "";
  enum { shader = 1, kernel = 6 };
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL));
  if (!strstr(extensions, "cl_khr_spirv_queries")) skip();
  assert_true(has_text(query_sets, "OpenCL.std"));
  assert_true(has_text(query_extensions, "SPV_KHR_no_integer_wrap_decoration"));
  assert_false(has_text(query_extensions, "SPV_KHR_ray_tracing"));
  assert_true(has_capability(kernel));
  assert_false(has_capability(shader));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_and_gives_the_il_back),
      cmocka_unit_test(quotients_are_exact_where_asked),
      cmocka_unit_test(the_extension_does_the_same),
      cmocka_unit_test(links_with_il_and_with_source),
      cmocka_unit_test(kernels_have_no_words_of_a_source),
      cmocka_unit_test(links_with_a_library),
      cmocka_unit_test(its_binary_runs),
      cmocka_unit_test(specialization_constants_take_effect),
      cmocka_unit_test(specialization_obeys_its_rules),
      cmocka_unit_test(compiling_ignores_headers),
      cmocka_unit_test(refuses_what_is_no_il),
      cmocka_unit_test(byte_order_does_not_matter),
      cmocka_unit_test(the_device_names_its_versions),
      cmocka_unit_test(the_device_lists_what_it_imports),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
