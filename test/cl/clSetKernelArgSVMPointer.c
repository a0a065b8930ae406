/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clSetKernelArgSVMPointer and clSetKernelExecInfo, and what kernels do with addresses of the host. */
#include <stdatomic.h>
#include <stdlib.h>

#include "test_device.h"

static const char source[] =
    "typedef struct node { global struct node *next; int value; } node;\n"
    "kernel void add(global int *out, int by) { out[get_global_id(0)] += by; }\n"
    "kernel void is_null(global const int *p, global int *out) { *out = p == 0; }\n"
    "kernel void sum(global const node *list, global int *out) {\n"
    "  int total = 0;\n"
    "  for (; list; list = list->next) total += list->value;\n"
    "  *out = total;\n"
    "}\n"
    "kernel void mixed(local int *scratch, global int *p, constant int *c, int value) {\n"
    "  scratch[0] = c[0]; *p = value + scratch[0];\n"
    "}\n"
    "kernel void meet(global atomic_int *flag, global int *out) {\n"
    "  atomic_store_explicit(flag, 1, memory_order_release, memory_scope_all_svm_devices);\n"
    "  while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_all_svm_devices) != 2);\n"
    "  *out = *out + 1;\n"
    "}\n"
    "kernel void count(global atomic_int *counter) {\n"
    "  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_all_svm_devices);\n"
    "}\n";

static cl_program program;

static int open_device(void **state) {
  if (test_device_open(state)) return 1;
  program = test_program(source, "-cl-std=CL3.0");
  return 0;
}

static int close_device(void **state) { return clReleaseProgram(program) || test_device_close(state); }

static cl_kernel kernel_of(const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  return kernel;
}

static void run(cl_kernel kernel, size_t items) {
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
}

static void run_on(const char *name, size_t items, const void *a, const void *b) {
  cl_kernel kernel = kernel_of(name);
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, a));
  if (b) ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, b));
  run(kernel, items);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void kernels_work_on_allocations_and_inside_them(void **state) {
  (void)state;
  const cl_int by = 5;
  cl_int *svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64 * sizeof(cl_int), 0);
  cl_kernel kernel = kernel_of("add");
  for (int i = 0; i < 64; i++) svm[i] = i;
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, svm + 3));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(by), &by));
  run(kernel, 60);
  for (int i = 0; i < 64; i++) assert_int_equal(svm[i], i < 3 || i >= 63 ? i : i + 5);
  ASSERT_CL(clReleaseKernel(kernel));
  clSVMFree(dut.context, svm);
}

#define NEEDS(capability) \
  if (!(test_device_number(CL_DEVICE_SVM_CAPABILITIES) & (capability))) skip()

static void kernels_work_on_any_memory_of_the_process(void **state) {
  (void)state;
  NEEDS(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  struct node {
    struct node *next;
    cl_int value;
  } stack = {NULL, 1}, *heap = malloc(sizeof(*heap));
  static struct node global = {NULL, 100};
  static cl_int total;
  *heap = (struct node){&stack, 10};
  global.next = heap;
  run_on("sum", 1, &global, &total);
  assert_int_equal(total, 111);
  free(heap);
}

static void null_is_a_null_pointer(void **state) {
  (void)state;
  NEEDS(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  cl_int out = 7;
  run_on("is_null", 1, NULL, &out);
  assert_int_equal(out, 1);
}

static void the_last_way_of_setting_wins(void **state) {
  (void)state;
  NEEDS(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  const cl_int by = 1;
  cl_int host = 0, read = 0;
  cl_mem buffer = test_buffer(sizeof(cl_int), &read);
  cl_kernel kernel = kernel_of("add");
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(by), &by));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, &host));
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  run(kernel, 1);
  test_read(buffer, sizeof(read), &read);
  assert_int_equal(read, 1);
  assert_int_equal(host, 0);
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, &host));
  ASSERT_CL(clReleaseMemObject(buffer)); /* No argument any more. */
  run(kernel, 1);
  assert_int_equal(host, 1);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void clones_have_the_pointer(void **state) {
  (void)state;
  NEEDS(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  const cl_int by = 2;
  cl_int host = 0, other = 0, error;
  cl_kernel kernel = kernel_of("add");
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(by), &by));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, &host));
  cl_kernel clone = clCloneKernel(kernel, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, &other));
  run(clone, 1);
  run(kernel, 1);
  assert_int_equal(host, 2);
  assert_int_equal(other, 2);
  ASSERT_CL(clReleaseKernel(clone));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* Host and kernel wait for each other while the kernel runs. */
static void host_and_kernel_meet_in_atomics(void **state) {
  (void)state;
  NEEDS(CL_DEVICE_SVM_ATOMICS);
  const size_t one = 1;
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  _Atomic cl_int *flag = clSVMAlloc(dut.context, flags, sizeof(cl_int), 0);
  cl_int *out = clSVMAlloc(dut.context, flags, sizeof(cl_int), 0);
  cl_kernel kernel = kernel_of("meet");
  atomic_store(flag, 0);
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, (const void *)(uintptr_t)flag));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, out));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  ASSERT_CL(clFlush(dut.queue));
  while (atomic_load(flag) != 1) continue;
  *out = 41;
  atomic_store(flag, 2);
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(*out, 42);
  ASSERT_CL(clReleaseKernel(kernel));
  clSVMFree(dut.context, (void *)(uintptr_t)flag);
  clSVMFree(dut.context, out);
}

static void host_and_kernel_count_together(void **state) {
  (void)state;
  NEEDS(CL_DEVICE_SVM_ATOMICS);
  enum { mine = 20000 };
  const size_t items = 100000;
  _Atomic cl_int *counter =
      clSVMAlloc(dut.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(cl_int), 0);
  cl_kernel kernel = kernel_of("count");
  atomic_store(counter, 0);
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, (const void *)(uintptr_t)counter));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  ASSERT_CL(clFlush(dut.queue));
  for (int i = 0; i < mine; i++) atomic_fetch_add(counter, 1);
  ASSERT_CL(clFinish(dut.queue));
  assert_int_equal(atomic_load(counter), (cl_int)items + mine);
  ASSERT_CL(clReleaseKernel(kernel));
  clSVMFree(dut.context, (void *)(uintptr_t)counter);
}

static void refuses_bad_kernels_and_arguments(void **state) {
  (void)state;
  int host = 0;
  cl_kernel kernel = kernel_of("mixed");
  ASSERT_CL_ERROR(clSetKernelArgSVMPointer(NULL, 0, &host), CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(clSetKernelArgSVMPointer(kernel, 4, &host), CL_INVALID_ARG_INDEX);
  ASSERT_CL_ERROR(clSetKernelArgSVMPointer(kernel, 0, &host), CL_INVALID_ARG_VALUE);
  ASSERT_CL_ERROR(clSetKernelArgSVMPointer(kernel, 3, &host), CL_INVALID_ARG_VALUE);
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 2, &host));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void takes_execution_information(void **state) {
  (void)state;
  void *svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 0);
  const void *pointers[2] = {svm, svm};
  const cl_bool no = CL_FALSE, yes = CL_TRUE;
  cl_kernel kernel = kernel_of("sum");
  ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointers), pointers));
  ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(no), &no));
  if (test_device_number(CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) {
    ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), &yes));
  }
  ASSERT_CL(clReleaseKernel(kernel));
  clSVMFree(dut.context, svm);
}

static void refuses_bad_execution_information(void **state) {
  (void)state;
  const void *pointer = NULL;
  const cl_bool no = CL_FALSE;
  cl_kernel kernel = kernel_of("sum");
  ASSERT_CL_ERROR(clSetKernelExecInfo(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointer), &pointer),
                  CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(clSetKernelExecInfo(kernel, 0x7FFF, sizeof(no), &no), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointer), NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 5, &pointer), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 8, &pointer),
                  CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(no), NULL),
                  CL_INVALID_VALUE);
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_work_on_allocations_and_inside_them),
      cmocka_unit_test(kernels_work_on_any_memory_of_the_process),
      cmocka_unit_test(null_is_a_null_pointer),
      cmocka_unit_test(the_last_way_of_setting_wins),
      cmocka_unit_test(clones_have_the_pointer),
      cmocka_unit_test(host_and_kernel_meet_in_atomics),
      cmocka_unit_test(host_and_kernel_count_together),
      cmocka_unit_test(refuses_bad_kernels_and_arguments),
      cmocka_unit_test(takes_execution_information),
      cmocka_unit_test(refuses_bad_execution_information),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
