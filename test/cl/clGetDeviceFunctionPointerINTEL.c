/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clGetDeviceFunctionPointerINTEL: addresses of functions, which kernels call, and every error. */
#include <stdlib.h>

#include "test_extension.h"
#include "test_il.h"

typedef cl_int(CL_API_CALL *pointer_fn)(cl_device_id device, cl_program program, const char *name, cl_ulong *pointer);
#define FUNCTIONS(X) X(clGetDeviceFunctionPointerINTEL, pointer_fn)
TEST_EXTENSION_FUNCTIONS_OF(functions, FUNCTIONS)

enum { items = 67 };

#define HEAD                                                                                \
  "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int64\n" \
  "OpCapability FunctionPointersINTEL\nOpCapability IndirectReferencesINTEL\n"              \
  "OpExtension \"SPV_INTEL_function_pointers\"\nOpMemoryModel Physical64 OpenCL\n"
#define REFERENCED(name) \
  "OpDecorate %" name " LinkageAttributes \"" name "\" Export\nOpDecorate %" name " ReferencedIndirectlyINTEL\n"
#define TYPES                                                                                              \
  "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n%v3 = OpTypeVector %ulong 3\n"     \
  "%pv = OpTypePointer Input %v3\n%gid = OpVariable %pv Input\n%pg = OpTypePointer CrossWorkgroup %uint\n" \
  "%pgl = OpTypePointer CrossWorkgroup %ulong\n%ft = OpTypeFunction %uint %uint\n"                         \
  "%pf = OpTypePointer CodeSectionINTEL %ft\n%one = OpConstant %uint 1\n%three = OpConstant %uint 3\n"
#define FUNCTION(name, body)                                                                                     \
  "%" name " = OpFunction %uint None %ft\n%" name "_a = OpFunctionParameter %uint\n%" name "_e = OpLabel\n" body \
  "OpReturnValue %" name "_r\nOpFunctionEnd\n"

/* `apply` calls one function for all work-items, `choose` one for each; `place` asks where it runs, `hidden` is none
 * that is called through pointers. */
static const char il_text[] = HEAD
    "OpEntryPoint Kernel %apply \"apply\" %gid\nOpEntryPoint Kernel %choose \"choose\" %gid\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\n"
    "OpDecorate %hidden LinkageAttributes \"hidden\" Export\n" REFERENCED("plus") REFERENCED("times")
        REFERENCED("place") TYPES
    "%at = OpTypeFunction %void %pg %ulong\n%ct = OpTypeFunction %void %pg %pgl\n" FUNCTION(
        "plus", "%plus_r = OpIAdd %uint %plus_a %one\n") FUNCTION("times", "%times_r = OpIMul %uint %times_a %three\n")
        FUNCTION("hidden", "%hidden_r = OpIMul %uint %hidden_a %hidden_a\n")
            FUNCTION("place", "%place_v = OpLoad %v3 %gid\n%place_x = OpCompositeExtract %ulong %place_v 0\n"
                              "%place_i = OpUConvert %uint %place_x\n%place_r = OpISub %uint %place_a %place_i\n")
    "%apply = OpFunction %void None %at\n%ap = OpFunctionParameter %pg\n%aa = OpFunctionParameter %ulong\n"
    "%ae = OpLabel\n%av = OpLoad %v3 %gid\n%ai = OpCompositeExtract %ulong %av 0\n"
    "%aq = OpInBoundsPtrAccessChain %pg %ap %ai\n%ax = OpLoad %uint %aq Aligned 4\n"
    "%af = OpConvertUToPtr %pf %aa\n%ar = OpFunctionPointerCallINTEL %uint %af %ax\n"
    "OpStore %aq %ar Aligned 4\nOpReturn\nOpFunctionEnd\n"
    "%choose = OpFunction %void None %ct\n%cp = OpFunctionParameter %pg\n%cl = OpFunctionParameter %pgl\n"
    "%ce = OpLabel\n%cv = OpLoad %v3 %gid\n%ci = OpCompositeExtract %ulong %cv 0\n"
    "%cq = OpInBoundsPtrAccessChain %pg %cp %ci\n%cx = OpLoad %uint %cq Aligned 4\n"
    "%cg = OpInBoundsPtrAccessChain %pgl %cl %ci\n%cu = OpLoad %ulong %cg Aligned 8\n"
    "%cf = OpConvertUToPtr %pf %cu\n%cr = OpFunctionPointerCallINTEL %uint %cf %cx\n"
    "OpStore %cq %cr Aligned 4\nOpReturn\nOpFunctionEnd\n";

static cl_program program;

static cl_program build(cl_program fresh, cl_int error) {
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(fresh, 1, &dut.device, "", NULL, NULL));
  return fresh;
}

static cl_program build_text(const char *text) {
  size_t size;
  cl_int error;
  void *il = test_assemble_il(text, &size);
  cl_program made = clCreateProgramWithIL(dut.context, il, size, &error);
  free(il);
  return build(made, error);
}

static int open_device(void **state) {
  if (test_device_open(state) || !functions_load()) return 1;
  program = build_text(il_text);
  return 0;
}

static int close_device(void **state) { return clReleaseProgram(program) || test_device_close(state); }

static cl_ulong find(cl_program of, const char *name) {
  cl_ulong address = 0;
  ASSERT_CL(functions.clGetDeviceFunctionPointerINTEL(dut.device, of, name, &address));
  assert_true(address != 0);
  return address;
}

static cl_uint result(const char *name, cl_uint value, cl_uint item) {
  if (!strcmp(name, "plus")) return value + 1;
  return strcmp(name, "times") ? value - item : value * 3;
}

static void run(cl_kernel kernel, cl_uint *values) {
  const size_t size = items;
  for (cl_uint i = 0; i < items; i++) values[i] = 1000 + i * 7;
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, values));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseKernel(kernel));
}

static cl_kernel kernel_of(cl_program of, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(of, name, &error);
  ASSERT_CL(error);
  return kernel;
}

static void check_apply(cl_program of, cl_program functions_of, const char *name) {
  cl_uint *values = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, items * sizeof(*values), 0);
  const cl_ulong address = find(functions_of, name);
  cl_kernel kernel = kernel_of(of, "apply");
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(address), &address));
  run(kernel, values);
  for (cl_uint i = 0; i < items; i++) assert_int_equal(values[i], result(name, 1000 + i * 7, i));
  clSVMFree(dut.context, values);
}

static void all_work_items_call_one_function(void **state) {
  (void)state;
  check_apply(program, program, "plus");
  check_apply(program, program, "times");
}

static void a_function_may_ask_where_it_runs(void **state) {
  (void)state;
  check_apply(program, program, "place");
}

static void each_work_item_calls_a_function_of_its_own(void **state) {
  (void)state;
  static const char *const names[] = {"plus", "times", "place"};
  cl_uint *values = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, items * sizeof(*values), 0);
  cl_ulong *table = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, items * sizeof(*table), 0);
  for (cl_uint i = 0; i < items; i++) table[i] = find(program, names[i * i % 3]);
  cl_kernel kernel = kernel_of(program, "choose");
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, table));
  run(kernel, values);
  for (cl_uint i = 0; i < items; i++) assert_int_equal(values[i], result(names[i * i % 3], 1000 + i * 7, i));
  clSVMFree(dut.context, values);
  clSVMFree(dut.context, table);
}

static void another_program_calls_it(void **state) {
  (void)state;
  cl_program other = build_text(il_text);
  check_apply(other, program, "times");
  ASSERT_CL(clReleaseProgram(other));
}

static void binaries_have_their_functions(void **state) {
  (void)state;
  size_t size;
  cl_int error;
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL));
  unsigned char *binary = malloc(size);
  ASSERT_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
  const unsigned char *data = binary;
  cl_program loaded = clCreateProgramWithBinary(dut.context, 1, &dut.device, &size, &data, NULL, &error);
  free(binary);
  loaded = build(loaded, error);
  assert_true(find(loaded, "plus") != find(program, "plus"));
  check_apply(loaded, loaded, "plus");
  check_apply(loaded, loaded, "place");
  ASSERT_CL(clReleaseProgram(loaded));
}

/* The other program's copy of the function has been inlined there, and the address leads nowhere. */
static void a_function_of_another_program_that_asks_where_it_runs_ends_the_command(void **state) {
  (void)state;
  cl_program other = build_text(il_text);
  cl_uint *values = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, items * sizeof(*values), 0);
  const cl_ulong addresses[] = {find(program, "place"), 64};
  for (int i = 0; i < 2; i++) {
    const size_t size = items;
    cl_event event;
    cl_int status;
    cl_kernel kernel = kernel_of(other, "apply");
    ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, values));
    ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(addresses[i]), &addresses[i]));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event));
    assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
    assert_true(status < 0);
    ASSERT_CL(clReleaseEvent(event));
    ASSERT_CL(clReleaseKernel(kernel));
  }
  clSVMFree(dut.context, values);
  ASSERT_CL(clReleaseProgram(other));
}

/* ---------------------------------------------------------------- errors */

static void other_names_are_refused(void **state) {
  (void)state;
  static const char *const names[] = {"", "plu", "plus1", "hidden", "apply", "quern.function.plus", "plus.program"};
  cl_ulong address;
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
    ASSERT_CL_ERROR(functions.clGetDeviceFunctionPointerINTEL(dut.device, program, names[i], &address),
                    CL_INVALID_ARG_VALUE);
  }
}

/* A variable of that name would be read as a function's address. */
static void variables_cannot_pass_for_functions(void **state) {
  (void)state;
  static const char text[] = HEAD "OpDecorate %v LinkageAttributes \"quern.function.f\" Export\n" TYPES
                                  "%v = OpVariable %pgl CrossWorkgroup\n";
  size_t size;
  cl_int error;
  void *il = test_assemble_il(text, &size);
  cl_program made = clCreateProgramWithIL(dut.context, il, size, &error);
  free(il);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(clBuildProgram(made, 1, &dut.device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  ASSERT_CL(clReleaseProgram(made));
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  cl_ulong address;
  size_t size;
  cl_int error;
  void *il = test_assemble_il(il_text, &size);
  cl_program unbuilt = clCreateProgramWithIL(dut.context, il, size, &error);
  free(il);
  ASSERT_CL(error);
  ASSERT_CL_ERROR(functions.clGetDeviceFunctionPointerINTEL(dut.device, NULL, "plus", &address), CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(functions.clGetDeviceFunctionPointerINTEL(NULL, program, "plus", &address), CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(functions.clGetDeviceFunctionPointerINTEL(dut.device, program, NULL, &address), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(functions.clGetDeviceFunctionPointerINTEL(dut.device, program, "plus", NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(functions.clGetDeviceFunctionPointerINTEL(dut.device, unbuilt, "plus", &address),
                  CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL(clReleaseProgram(unbuilt));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_work_items_call_one_function),
      cmocka_unit_test(a_function_may_ask_where_it_runs),
      cmocka_unit_test(each_work_item_calls_a_function_of_its_own),
      cmocka_unit_test(another_program_calls_it),
      cmocka_unit_test(binaries_have_their_functions),
      cmocka_unit_test(a_function_of_another_program_that_asks_where_it_runs_ends_the_command),
      cmocka_unit_test(other_names_are_refused),
      cmocka_unit_test(variables_cannot_pass_for_functions),
      cmocka_unit_test(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
