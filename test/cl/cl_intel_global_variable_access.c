/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_intel_global_variable_access: reading and writing program-scope variables, through every way that a program may
 * come, and every error. */
#include <stdlib.h>

#include "test_extension.h"
#include "test_il.h"

enum { READ_TYPE = 0x418E, WRITE_TYPE = 0x418F };

typedef cl_int(CL_API_CALL *pointer_fn)(cl_device_id device, cl_program program, const char *name, size_t *size,
                                        void **pointer);
typedef cl_int(CL_API_CALL *read_fn)(cl_command_queue queue, cl_program program, const char *name, cl_bool blocking,
                                     size_t size, size_t offset, void *data, cl_uint wait_count, const cl_event *waits,
                                     cl_event *event);
typedef cl_int(CL_API_CALL *write_fn)(cl_command_queue queue, cl_program program, const char *name, cl_bool blocking,
                                      size_t size, size_t offset, const void *data, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event);
#define FUNCTIONS(X)                                   \
  X(clGetDeviceGlobalVariablePointerINTEL, pointer_fn) \
  X(clEnqueueReadGlobalVariableINTEL, read_fn)         \
  X(clEnqueueWriteGlobalVariableINTEL, write_fn)
TEST_EXTENSION_FUNCTIONS_OF(variables, FUNCTIONS)

static const char source[] =
    "global int number = 42;\n"
    "global float table[4] = {1, 2, 3, 4};\n"
    "global int unused;\n"
    "global int *global pointer;\n"
    "static global int hidden = 9;\n"
    "constant int fixed = 7;\n"
    "global int memcpy;\n"
    "kernel void add(int value) {\n"
    "  number += value + hidden - 9 + fixed - 7;\n"
    "  table[get_global_id(0)] *= 2;\n"
    "  memcpy = 1;\n"
    "}\n"
    "kernel void store(global int *out) { out[0] = number; pointer = out; }\n";

static cl_program program;

static cl_program build(cl_program fresh, cl_int error) {
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(fresh, 1, &dut.device, "-cl-std=CL3.0", NULL, NULL));
  return fresh;
}

static int open_device(void **state) {
  const char *text = source;
  cl_int error;
  if (test_device_open(state) || !test_has_extension("cl_intel_global_variable_access") || !variables_load()) return 1;
  program = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  program = build(program, error);
  return 0;
}

static int close_device(void **state) { return clReleaseProgram(program) || test_device_close(state); }

static cl_int read_number(cl_program of) {
  cl_int value = -1;
  ASSERT_CL(variables.clEnqueueReadGlobalVariableINTEL(dut.queue, of, "number", CL_TRUE, sizeof(value), 0, &value, 0,
                                                       NULL, NULL));
  return value;
}

static void write_number(cl_program of, cl_int value) {
  ASSERT_CL(variables.clEnqueueWriteGlobalVariableINTEL(dut.queue, of, "number", CL_TRUE, sizeof(value), 0, &value, 0,
                                                        NULL, NULL));
}

static void add(cl_program of, cl_int value) {
  cl_int error;
  const size_t items = 1;
  cl_kernel kernel = clCreateKernel(of, "add", &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(value), &value));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void check_program(cl_program of) {
  assert_int_equal(read_number(of), 42);
  add(of, 8);
  assert_int_equal(read_number(of), 50);
  write_number(of, -5);
  add(of, 1);
  assert_int_equal(read_number(of), -4);
  write_number(of, 42);
}

static void kernels_and_the_host_see_the_same_variable(void **state) {
  (void)state;
  check_program(program);
}

static void parts_of_arrays_are_reached(void **state) {
  (void)state;
  cl_float values[4];
  const cl_float ten = 10;
  ASSERT_CL(
      variables.clEnqueueWriteGlobalVariableINTEL(dut.queue, program, "table", CL_FALSE, 4, 8, &ten, 0, NULL, NULL));
  ASSERT_CL(variables.clEnqueueReadGlobalVariableINTEL(dut.queue, program, "table", CL_TRUE, sizeof(values), 0, values,
                                                       0, NULL, NULL));
  assert_true(values[1] == 2 && values[2] == 10 && values[3] == 4);
  ASSERT_CL(
      variables.clEnqueueReadGlobalVariableINTEL(dut.queue, program, "table", CL_TRUE, 0, 16, values, 0, NULL, NULL));
}

static void variables_that_no_kernel_uses_are_there(void **state) {
  (void)state;
  cl_int value = 3, read = 0;
  ASSERT_CL(
      variables.clEnqueueWriteGlobalVariableINTEL(dut.queue, program, "unused", CL_TRUE, 4, 0, &value, 0, NULL, NULL));
  ASSERT_CL(
      variables.clEnqueueReadGlobalVariableINTEL(dut.queue, program, "unused", CL_TRUE, 4, 0, &read, 0, NULL, NULL));
  assert_int_equal(read, 3);
}

static void pointers_are_of_the_device(void **state) {
  (void)state;
  size_t size = 0;
  void *address = NULL, *stored = NULL;
  cl_int error;
  cl_int *out = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 0);
  const size_t items = 1;
  cl_kernel kernel = clCreateKernel(program, "store", &error);
  ASSERT_CL(error);
  ASSERT_CL(variables.clGetDeviceGlobalVariablePointerINTEL(dut.device, program, "number", &size, &address));
  assert_int_equal(size, 4);
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, out));
  const cl_int value = 77, old = 42;
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, address, &value, 4, 0, NULL, NULL));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  ASSERT_CL(variables.clEnqueueReadGlobalVariableINTEL(dut.queue, program, "pointer", CL_TRUE, sizeof(stored), 0,
                                                       &stored, 0, NULL, NULL));
  assert_ptr_equal(stored, out);
  assert_int_equal(out[0], 77);
  ASSERT_CL(clEnqueueSVMMemcpy(dut.queue, CL_TRUE, address, &old, 4, 0, NULL, NULL));
  ASSERT_CL(variables.clGetDeviceGlobalVariablePointerINTEL(dut.device, program, "table", NULL, &address));
  ASSERT_CL(clReleaseKernel(kernel));
  clSVMFree(dut.context, out);
}

static void binaries_have_their_variables(void **state) {
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
  write_number(program, 1);
  check_program(loaded);
  assert_int_equal(read_number(program), 1);
  write_number(program, 42);
  ASSERT_CL(clReleaseProgram(loaded));
}

static void linked_programs_have_those_of_their_parts(void **state) {
  (void)state;
  cl_int error;
  const char *parts[] = {"extern global int number;\nkernel void add(int value) { number += value; }",
                         "global int number = 42;"};
  cl_program objects[2];
  for (int i = 0; i < 2; i++) {
    objects[i] = clCreateProgramWithSource(dut.context, 1, &parts[i], NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL(clCompileProgram(objects[i], 1, &dut.device, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
  }
  cl_program linked = clLinkProgram(dut.context, 1, &dut.device, NULL, 2, objects, NULL, NULL, &error);
  ASSERT_CL(error);
  check_program(linked);
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseProgram(objects[i]));
  ASSERT_CL(clReleaseProgram(linked));
}

static void exported_variables_of_il_have_their_names(void **state) {
  (void)state;
  size_t size;
  void *il = test_compile_il(source, "-cl-std=CL3.0", "-O2", &size);
  cl_int error;
  cl_program of_il = clCreateProgramWithIL(dut.context, il, size, &error);
  free(il);
  check_program(build(of_il, error));
  ASSERT_CL(clReleaseProgram(of_il));
}

/* Two variables with names for the host, by the published decoration and by the one before it, as SYCL's device_global
 * has them: the one is exported under another name, the other is not visible to other modules. */
static const char named_il[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability !6146\nOpCapability !6187\n"
    "OpExtension \"SPV_INTEL_global_variable_host_access\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"add\"\n"
    "OpDecorate %v LinkageAttributes \"exported\" Export\n"
    "!0x00060047 %v !6188 !2 !0x626d756e !0x00007265\n" /* number */
    "!0x00060047 %w !6147 !2 !0x7473616c !0x00000000\n" /* last */
    "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%pg = OpTypePointer CrossWorkgroup %uint\n"
    "%kt = OpTypeFunction %void %uint\n%n = OpConstant %uint 42\n"
    "%v = OpVariable %pg CrossWorkgroup %n\n%w = OpVariable %pg CrossWorkgroup %n\n"
    "%k = OpFunction %void None %kt\n%a = OpFunctionParameter %uint\n%e = OpLabel\n"
    "%b = OpLoad %uint %v Aligned 4\n%c = OpIAdd %uint %a %b\nOpStore %v %c Aligned 4\nOpStore %w %a Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

static void variables_of_il_have_the_names_for_the_host(void **state) {
  (void)state;
  size_t size;
  void *il = test_assemble_il(named_il, &size);
  cl_int error, last = 0;
  cl_program named = clCreateProgramWithIL(dut.context, il, size, &error);
  free(il);
  check_program(build(named, error));
  ASSERT_CL(variables.clEnqueueReadGlobalVariableINTEL(dut.queue, named, "last", CL_TRUE, 4, 0, &last, 0, NULL, NULL));
  assert_int_equal(last, 1);
  ASSERT_CL(clReleaseProgram(named));
}

static void commands_wait_and_have_their_types(void **state) {
  (void)state;
  cl_int error, value = 5, read = 0;
  cl_event gate = clCreateUserEvent(dut.context, &error), events[2];
  ASSERT_CL(error);
  ASSERT_CL(variables.clEnqueueWriteGlobalVariableINTEL(dut.queue, program, "unused", CL_FALSE, 4, 0, &value, 1, &gate,
                                                        &events[0]));
  ASSERT_CL(variables.clEnqueueReadGlobalVariableINTEL(dut.queue, program, "unused", CL_FALSE, 4, 0, &read, 1,
                                                       &events[0], &events[1]));
  ASSERT_INFO(clGetEventInfo, events[0], CL_EVENT_COMMAND_TYPE, cl_command_type, WRITE_TYPE);
  ASSERT_INFO(clGetEventInfo, events[1], CL_EVENT_COMMAND_TYPE, cl_command_type, READ_TYPE);
  value = 6;
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &events[1]));
  assert_int_equal(read, 6);
  ASSERT_CL(clReleaseEvent(gate));
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(events[i]));
}

/* ---------------------------------------------------------------- errors */

static cl_int access_both(cl_command_queue queue, cl_program of, const char *name, size_t size, size_t offset,
                          void *data) {
  cl_int read = variables.clEnqueueReadGlobalVariableINTEL(queue, of, name, CL_TRUE, size, offset, data, 0, NULL, NULL);
  cl_int written =
      variables.clEnqueueWriteGlobalVariableINTEL(queue, of, name, CL_TRUE, size, offset, data, 0, NULL, NULL);
  assert_int_equal(read, written);
  return read;
}

static void other_names_are_refused(void **state) {
  (void)state;
  cl_int data[4];
  void *address;
  static const char *const names[] = {"", "numbe", "numbers", "hidden", "fixed", "add", "number.program", "store"};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
    ASSERT_CL_ERROR(access_both(dut.queue, program, names[i], 4, 0, data), CL_INVALID_ARG_VALUE);
    ASSERT_CL_ERROR(variables.clGetDeviceGlobalVariablePointerINTEL(dut.device, program, names[i], NULL, &address),
                    CL_INVALID_ARG_VALUE);
  }
  ASSERT_CL_ERROR(access_both(dut.queue, program, NULL, 4, 0, data), CL_INVALID_VALUE);
}

static void ranges_outside_are_refused(void **state) {
  (void)state;
  cl_int data[8];
  ASSERT_CL_ERROR(access_both(dut.queue, program, "table", 17, 0, data), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(access_both(dut.queue, program, "table", 4, 13, data), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(access_both(dut.queue, program, "table", 1, 16, data), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(access_both(dut.queue, program, "table", SIZE_MAX - 3, 8, data), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(access_both(dut.queue, program, "table", 4, SIZE_MAX - 3, data), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(access_both(dut.queue, program, "table", 4, 0, NULL), CL_INVALID_VALUE);
}

static void bad_objects_are_refused(void **state) {
  (void)state;
  cl_int data[4], error;
  void *address;
  const char *text = source;
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  cl_program unbuilt = clCreateProgramWithSource(dut.context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  cl_event failed = clCreateUserEvent(dut.context, &error);
  ASSERT_CL(clSetUserEventStatus(failed, -3));
  ASSERT_CL_ERROR(access_both(NULL, program, "number", 4, 0, data), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(access_both(dut.queue, NULL, "number", 4, 0, data), CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(access_both(queue, program, "number", 4, 0, data), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(access_both(dut.queue, unbuilt, "number", 4, 0, data), CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL_ERROR(
      variables.clEnqueueReadGlobalVariableINTEL(dut.queue, program, "number", CL_TRUE, 4, 0, data, 1, NULL, NULL),
      CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(
      variables.clEnqueueReadGlobalVariableINTEL(dut.queue, program, "number", CL_TRUE, 4, 0, data, 1, &failed, NULL),
      CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  ASSERT_CL_ERROR(variables.clGetDeviceGlobalVariablePointerINTEL(NULL, program, "number", NULL, &address),
                  CL_INVALID_DEVICE);
  ASSERT_CL_ERROR(variables.clGetDeviceGlobalVariablePointerINTEL(dut.device, NULL, "number", NULL, &address),
                  CL_INVALID_PROGRAM);
  ASSERT_CL_ERROR(variables.clGetDeviceGlobalVariablePointerINTEL(dut.device, program, "number", NULL, NULL),
                  CL_INVALID_VALUE);
  ASSERT_CL_ERROR(variables.clGetDeviceGlobalVariablePointerINTEL(dut.device, unbuilt, "number", NULL, &address),
                  CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_CL(clReleaseEvent(failed));
  ASSERT_CL(clReleaseProgram(unbuilt));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_and_the_host_see_the_same_variable),
      cmocka_unit_test(parts_of_arrays_are_reached),
      cmocka_unit_test(variables_that_no_kernel_uses_are_there),
      cmocka_unit_test(pointers_are_of_the_device),
      cmocka_unit_test(binaries_have_their_variables),
      cmocka_unit_test(linked_programs_have_those_of_their_parts),
      cmocka_unit_test(exported_variables_of_il_have_their_names),
      cmocka_unit_test(variables_of_il_have_the_names_for_the_host),
      cmocka_unit_test(commands_wait_and_have_their_types),
      cmocka_unit_test(other_names_are_refused),
      cmocka_unit_test(ranges_outside_are_refused),
      cmocka_unit_test(bad_objects_are_refused),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
