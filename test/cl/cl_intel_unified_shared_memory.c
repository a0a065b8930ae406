/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_intel_unified_shared_memory: its twelve functions and its device queries. */
#include <CL/cl_ext.h>

#include "test_extension.h"

/* Entry points of the extension: FUNCTION(name). */
#define FUNCTIONS(X)               \
  X(clHostMemAllocINTEL)           \
  X(clDeviceMemAllocINTEL)         \
  X(clSharedMemAllocINTEL)         \
  X(clMemFreeINTEL)                \
  X(clMemBlockingFreeINTEL)        \
  X(clGetMemAllocInfoINTEL)        \
  X(clSetKernelArgMemPointerINTEL) \
  X(clEnqueueMemFillINTEL)         \
  X(clEnqueueMemsetINTEL)          \
  X(clEnqueueMemcpyINTEL)          \
  X(clEnqueueMigrateMemINTEL)      \
  X(clEnqueueMemAdviseINTEL)

TEST_EXTENSION_FUNCTIONS(usm, FUNCTIONS)

static int open_device(void **state) {
  return test_device_open(state) || !test_has_extension("cl_intel_unified_shared_memory") || !usm_load();
}

typedef enum kind_t { HOST, DEVICE, SHARED, KINDS } kind_t;

static void *allocate_with(kind_t kind, const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                           cl_int *error) {
  switch (kind) {
    case HOST: return usm.clHostMemAllocINTEL(dut.context, properties, size, alignment, error);
    case DEVICE: return usm.clDeviceMemAllocINTEL(dut.context, dut.device, properties, size, alignment, error);
    default: return usm.clSharedMemAllocINTEL(dut.context, dut.device, properties, size, alignment, error);
  }
}

static void *allocate(kind_t kind, size_t size) {
  cl_int error;
  void *pointer = allocate_with(kind, NULL, size, 0, &error);
  ASSERT_CL(error);
  assert_non_null(pointer);
  return pointer;
}

static void device_has_all_capabilities(void **state) {
  (void)state;
  static const cl_device_info queries[] = {
      CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
      CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
      CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL};
  SKIP_UNLESS_QUERN();
  for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
    ASSERT_INFO(clGetDeviceInfo, dut.device, queries[i], cl_device_unified_shared_memory_capabilities_intel, 15);
  }
}

static void every_kind_is_memory_of_host_and_device(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel("kernel void add(global int *p) { p[get_global_id(0)] += 1; }", NULL, "add");
  const size_t items = 100;
  for (kind_t kind = HOST; kind < KINDS; kind++) {
    cl_int *pointer = allocate(kind, items * sizeof(cl_int)), read[100];
    const cl_int five = 5;
    ASSERT_CL(usm.clEnqueueMemFillINTEL(dut.queue, pointer, &five, sizeof(five), sizeof(read), 0, NULL, NULL));
    ASSERT_CL(usm.clSetKernelArgMemPointerINTEL(kernel, 0, pointer));
    ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    ASSERT_CL(usm.clEnqueueMemcpyINTEL(dut.queue, CL_TRUE, read, pointer, sizeof(read), 0, NULL, NULL));
    for (size_t i = 0; i < items; i++) assert_int_equal(read[i], 6);
    ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

static void honours_alignments(void **state) {
  (void)state;
  cl_int error;
  for (cl_uint alignment = 1; alignment <= 4096; alignment *= 2) {
    for (kind_t kind = HOST; kind < KINDS; kind++) {
      void *pointer = allocate_with(kind, NULL, 8, alignment, &error);
      ASSERT_CL(error);
      assert_int_equal((uintptr_t)pointer % alignment, 0);
      ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
    }
  }
}

static void shared_memory_needs_no_device(void **state) {
  (void)state;
  cl_int error;
  cl_device_id device = dut.device;
  void *pointer = usm.clSharedMemAllocINTEL(dut.context, NULL, NULL, 64, 0, &error);
  ASSERT_CL(error);
  ASSERT_CL(usm.clGetMemAllocInfoINTEL(dut.context, pointer, CL_MEM_ALLOC_DEVICE_INTEL, sizeof(device), &device, NULL));
  assert_null(device);
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
}

static void allocation_refuses_bad_arguments(void **state) {
  (void)state;
  cl_int error;
  const size_t most = (size_t)test_device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  for (kind_t kind = HOST; kind < KINDS; kind++) {
    ASSERT_CL_REFUSED(allocate_with(kind, NULL, 0, 0, &error), error, CL_INVALID_BUFFER_SIZE);
    ASSERT_CL_REFUSED(allocate_with(kind, NULL, most + 1, 0, &error), error, CL_INVALID_BUFFER_SIZE);
    ASSERT_CL_REFUSED(allocate_with(kind, NULL, 64, 3, &error), error, CL_INVALID_VALUE);
    ASSERT_CL_REFUSED(allocate_with(kind, NULL, 64, 1u << 31, &error), error, CL_INVALID_VALUE);
    assert_null(allocate_with(kind, NULL, 0, 0, NULL));
  }
  ASSERT_CL_REFUSED(usm.clHostMemAllocINTEL(NULL, NULL, 64, 0, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(usm.clDeviceMemAllocINTEL(NULL, dut.device, NULL, 64, 0, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(usm.clSharedMemAllocINTEL(NULL, dut.device, NULL, 64, 0, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(usm.clDeviceMemAllocINTEL(dut.context, NULL, NULL, 64, 0, &error), error, CL_INVALID_DEVICE);
}

static void allocation_refuses_devices_of_other_contexts(void **state) {
  (void)state;
  cl_int error;
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[64];
  cl_uint count = 0;
  if (clCreateSubDevices(dut.device, properties, 64, parts, &count) != CL_SUCCESS) skip();
  ASSERT_CL_REFUSED(usm.clDeviceMemAllocINTEL(dut.context, parts[0], NULL, 64, 0, &error), error, CL_INVALID_DEVICE);
  ASSERT_CL_REFUSED(usm.clSharedMemAllocINTEL(dut.context, parts[0], NULL, 64, 0, &error), error, CL_INVALID_DEVICE);
  for (cl_uint i = 0; i < count; i++) ASSERT_CL(clReleaseDevice(parts[i]));
}

static void takes_and_checks_properties(void **state) {
  (void)state;
  const cl_mem_properties_intel none[] = {0};
  const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
  const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
  const cl_mem_properties_intel both[] = {
      CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
      0};
  const cl_mem_properties_intel unknown_flag[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 20, 0};
  const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
  const cl_mem_properties_intel unknown[] = {0x7FFF, 0, 0};
  const cl_mem_properties_intel *const bad[] = {both, unknown_flag, twice, unknown};
  cl_int error;
  for (kind_t kind = HOST; kind < KINDS; kind++) {
    void *pointer = allocate_with(kind, none, 64, 0, &error);
    ASSERT_CL(error);
    ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
    pointer = allocate_with(kind, combined, 64, 0, &error);
    ASSERT_CL(error);
    cl_mem_alloc_flags_intel flags = 0;
    ASSERT_CL(usm.clGetMemAllocInfoINTEL(dut.context, pointer, CL_MEM_ALLOC_FLAGS_INTEL, sizeof(flags), &flags, NULL));
    assert_int_equal(flags, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
      ASSERT_CL_REFUSED(allocate_with(kind, bad[i], 64, 0, &error), error, CL_INVALID_PROPERTY);
    }
  }
  ASSERT_CL_REFUSED(allocate_with(HOST, placed, 64, 0, &error), error, CL_INVALID_PROPERTY);
  ASSERT_CL_REFUSED(allocate_with(DEVICE, placed, 64, 0, &error), error, CL_INVALID_PROPERTY);
  void *pointer = allocate_with(SHARED, placed, 64, 0, &error);
  ASSERT_CL(error);
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
}

/* ------------------------------------------------------------ queries */

typedef struct answers_t {
  cl_unified_shared_memory_type_intel type;
  void *base;
  size_t size;
  cl_device_id device;
} answers_t;

static answers_t ask(const void *pointer) {
  answers_t got;
  size_t size = 0;
  memset(&got, 0xA5, sizeof(got));
#define ASK(parameter, member)                                                                                    \
  ASSERT_CL(usm.clGetMemAllocInfoINTEL(dut.context, pointer, parameter, sizeof(got.member), &got.member, &size)); \
  assert_int_equal(size, sizeof(got.member))
  ASK(CL_MEM_ALLOC_TYPE_INTEL, type);
  ASK(CL_MEM_ALLOC_BASE_PTR_INTEL, base);
  ASK(CL_MEM_ALLOC_SIZE_INTEL, size);
  ASK(CL_MEM_ALLOC_DEVICE_INTEL, device);
  return got;
}

static void answers_for_every_byte_of_an_allocation(void **state) {
  (void)state;
  static const cl_unified_shared_memory_type_intel types[] = {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL,
                                                              CL_MEM_TYPE_SHARED_INTEL};
  for (kind_t kind = HOST; kind < KINDS; kind++) {
    char *pointer = allocate(kind, 100);
    for (size_t offset = 0; offset < 100; offset += 33) {
      const answers_t got = ask(pointer + offset);
      assert_int_equal(got.type, types[kind]);
      assert_ptr_equal(got.base, pointer);
      assert_int_equal(got.size, 100);
      assert_ptr_equal(got.device, kind == HOST ? NULL : dut.device);
    }
    assert_int_equal(ask(pointer + 100).type, CL_MEM_TYPE_UNKNOWN_INTEL);
    ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
    assert_int_equal(ask(pointer).type, CL_MEM_TYPE_UNKNOWN_INTEL);
  }
}

static void answers_for_pointers_that_are_no_allocation(void **state) {
  (void)state;
  int host;
  void *svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 0);
  const void *const pointers[] = {&host, NULL, svm, (const void *)(uintptr_t)16, (const void *)UINTPTR_MAX};
  for (size_t i = 0; i < sizeof(pointers) / sizeof(*pointers); i++) {
    const answers_t got = ask(pointers[i]);
    assert_int_equal(got.type, CL_MEM_TYPE_UNKNOWN_INTEL);
    assert_null(got.base);
    assert_int_equal(got.size, 0);
    assert_null(got.device);
  }
  clSVMFree(dut.context, svm);
}

static void queries_refuse_bad_arguments(void **state) {
  (void)state;
  size_t size;
  char small[1];
  void *pointer = allocate(HOST, 64);
  ASSERT_CL_ERROR(usm.clGetMemAllocInfoINTEL(NULL, pointer, CL_MEM_ALLOC_TYPE_INTEL, 0, NULL, &size),
                  CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(usm.clGetMemAllocInfoINTEL(dut.context, pointer, 0x7FFF, 0, NULL, &size), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clGetMemAllocInfoINTEL(dut.context, pointer, CL_MEM_ALLOC_TYPE_INTEL, 1, small, NULL),
                  CL_INVALID_VALUE);
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
}

/* ------------------------------------------------------------ freeing */

static void freeing_refuses_what_is_no_allocation(void **state) {
  (void)state;
  int host;
  char *pointer = allocate(SHARED, 64), *svm = clSVMAlloc(dut.context, 0, 64, 0);
  ASSERT_CL_ERROR(usm.clMemFreeINTEL(NULL, pointer), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(usm.clMemBlockingFreeINTEL(NULL, pointer), CL_INVALID_CONTEXT);
  ASSERT_CL_ERROR(usm.clMemFreeINTEL(dut.context, &host), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clMemFreeINTEL(dut.context, pointer + 1), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clMemFreeINTEL(dut.context, svm), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clMemBlockingFreeINTEL(dut.context, &host), CL_INVALID_VALUE);
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, NULL));
  ASSERT_CL(usm.clMemBlockingFreeINTEL(dut.context, NULL));
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
  ASSERT_CL_ERROR(usm.clMemFreeINTEL(dut.context, pointer), CL_INVALID_VALUE);
  clSVMFree(dut.context, svm);
}

/* Commands that nobody flushed, on a queue of their own, still use the memory when it is freed. */
static void blocking_free_waits_for_all_queues(void **state) {
  (void)state;
  enum { bytes = 1 << 20 };
  cl_int error;
  cl_command_queue other = clCreateCommandQueueWithProperties(dut.context, dut.device, NULL, &error);
  ASSERT_CL(error);
  char *pointer = allocate(DEVICE, bytes), *kept = allocate(HOST, bytes);
  const char byte = 1;
  cl_event last;
  ASSERT_CL(usm.clEnqueueMemFillINTEL(other, pointer, &byte, 1, bytes, 0, NULL, NULL));
  ASSERT_CL(usm.clEnqueueMemcpyINTEL(other, CL_FALSE, kept, pointer, bytes, 0, NULL, &last));
  ASSERT_CL(usm.clMemBlockingFreeINTEL(dut.context, pointer));
  ASSERT_INFO(clGetEventInfo, last, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_COMPLETE);
  assert_int_equal(kept[bytes - 1], 1);
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, kept));
  ASSERT_CL(clReleaseEvent(last));
  ASSERT_CL(clReleaseCommandQueue(other));
}

/* ------------------------------------------------------------ commands */

static void copies_between_any_two_kinds_and_host_memory(void **state) {
  (void)state;
  enum { bytes = 300 };
  char host[bytes], back[bytes];
  for (int i = 0; i < bytes; i++) host[i] = (char)i;
  for (kind_t from = HOST; from < KINDS; from++) {
    for (kind_t to = HOST; to < KINDS; to++) {
      char *source = allocate(from, bytes), *destination = allocate(to, bytes);
      memset(back, 0, bytes);
      ASSERT_CL(usm.clEnqueueMemcpyINTEL(dut.queue, CL_FALSE, source, host, bytes, 0, NULL, NULL));
      ASSERT_CL(usm.clEnqueueMemcpyINTEL(dut.queue, CL_FALSE, destination, source, bytes, 0, NULL, NULL));
      ASSERT_CL(usm.clEnqueueMemcpyINTEL(dut.queue, CL_TRUE, back, destination, bytes, 0, NULL, NULL));
      assert_memory_equal(back, host, bytes);
      ASSERT_CL(usm.clMemFreeINTEL(dut.context, source));
      ASSERT_CL(usm.clMemFreeINTEL(dut.context, destination));
    }
  }
}

static void commands_have_their_types_and_wait(void **state) {
  (void)state;
  cl_int error;
  cl_event gate = clCreateUserEvent(dut.context, &error), events[5];
  char *pointer = allocate(SHARED, 64), host[64];
  static const cl_command_type types[] = {CL_COMMAND_MEMFILL_INTEL, CL_COMMAND_MEMFILL_INTEL, CL_COMMAND_MEMCPY_INTEL,
                                          CL_COMMAND_MIGRATEMEM_INTEL, CL_COMMAND_MEMADVISE_INTEL};
  const char byte = 4;
  memset(pointer, 0, 64);
  ASSERT_CL(usm.clEnqueueMemFillINTEL(dut.queue, pointer, &byte, 1, 32, 1, &gate, &events[0]));
  ASSERT_CL(usm.clEnqueueMemsetINTEL(dut.queue, pointer + 32, 0x105, 32, 0, NULL, &events[1]));
  ASSERT_CL(usm.clEnqueueMemcpyINTEL(dut.queue, CL_FALSE, host, pointer, 64, 0, NULL, &events[2]));
  ASSERT_CL(usm.clEnqueueMigrateMemINTEL(dut.queue, pointer, 64, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &events[3]));
  ASSERT_CL(usm.clEnqueueMemAdviseINTEL(dut.queue, pointer, 64, 0, 0, NULL, &events[4]));
  ASSERT_CL(clFlush(dut.queue));
  assert_int_equal(pointer[0], 0);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(5, events));
  assert_int_equal(host[31], 4);
  assert_int_equal(host[63], 5);
  for (int i = 0; i < 5; i++) {
    ASSERT_INFO(clGetEventInfo, events[i], CL_EVENT_COMMAND_TYPE, cl_command_type, types[i]);
    ASSERT_CL(clReleaseEvent(events[i]));
  }
  ASSERT_CL(clReleaseEvent(gate));
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
}

static void commands_refuse_bad_arguments(void **state) {
  (void)state;
  char *pointer = allocate(SHARED, 64);
  const char pattern[256] = {0};
  cl_command_queue queue = dut.queue;
  ASSERT_CL_ERROR(usm.clEnqueueMemFillINTEL(NULL, pointer, pattern, 4, 8, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemFillINTEL(queue, NULL, pattern, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemFillINTEL(queue, pointer, NULL, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemFillINTEL(queue, pointer, pattern, 3, 9, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemFillINTEL(queue, pointer, pattern, 256, 256, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemFillINTEL(queue, pointer + 1, pattern, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemFillINTEL(queue, pointer, pattern, 4, 6, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemFillINTEL(queue, pointer, pattern, 4, 8, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL_ERROR(usm.clEnqueueMemcpyINTEL(NULL, CL_TRUE, pointer, pattern, 8, 0, NULL, NULL),
                  CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, NULL, pattern, 8, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, pointer, NULL, 8, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, pointer, pointer + 4, 8, 0, NULL, NULL),
                  CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(usm.clEnqueueMemsetINTEL(queue, NULL, 0, 8, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMigrateMemINTEL(queue, NULL, 8, 0, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMigrateMemINTEL(queue, pointer, 8, 1 << 20, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemAdviseINTEL(queue, NULL, 8, 0, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(usm.clEnqueueMemAdviseINTEL(queue, pointer, 8, 1, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
}

/* ------------------------------------------------------------ kernels */

static void kernels_reach_memory_indirectly(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel(
      "kernel void follow(global int *global *table, uint n) {\n"
      "  for (uint i = 0; i < n; i++) table[i][0] += (int)i + 1;\n"
      "}\n",
      "-cl-std=CL3.0", "follow");
  static const cl_kernel_exec_info access[] = {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                               CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                               CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL};
  const cl_bool yes = CL_TRUE;
  const cl_uint count = KINDS;
  const size_t one = 1;
  cl_int **table = allocate(SHARED, sizeof(cl_int *) * KINDS);
  for (kind_t kind = HOST; kind < KINDS; kind++) {
    table[kind] = allocate(kind, sizeof(cl_int));
    *table[kind] = 100;
    ASSERT_CL(clSetKernelExecInfo(kernel, access[kind], sizeof(yes), &yes));
  }
  ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof(cl_int *) * KINDS, table));
  ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, NULL));
  ASSERT_CL_ERROR(clSetKernelExecInfo(kernel, access[0], 8, &yes), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clSetKernelExecInfo(kernel, access[0], sizeof(yes), NULL), CL_INVALID_VALUE);
  ASSERT_CL(usm.clSetKernelArgMemPointerINTEL(kernel, 0, table));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(count), &count));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  for (kind_t kind = HOST; kind < KINDS; kind++) {
    assert_int_equal(*table[kind], 101 + (int)kind);
    ASSERT_CL(usm.clMemFreeINTEL(dut.context, table[kind]));
  }
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, table));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void arguments_refuse_bad_kernels_and_indices(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel("kernel void k(global int *p, int v) { *p = v; }", NULL, "k");
  void *pointer = allocate(HOST, 64);
  ASSERT_CL_ERROR(usm.clSetKernelArgMemPointerINTEL(NULL, 0, pointer), CL_INVALID_KERNEL);
  ASSERT_CL_ERROR(usm.clSetKernelArgMemPointerINTEL(kernel, 2, pointer), CL_INVALID_ARG_INDEX);
  ASSERT_CL_ERROR(usm.clSetKernelArgMemPointerINTEL(kernel, 1, pointer), CL_INVALID_ARG_VALUE);
  ASSERT_CL(usm.clSetKernelArgMemPointerINTEL(kernel, 0, NULL));
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* As runtimes do it that have one path for both kinds of memory. */
static void functions_of_svm_take_it(void **state) {
  (void)state;
  cl_int *pointer = allocate(DEVICE, 64);
  const cl_int seven = 7;
  const void *pointers[1] = {pointer};
  ASSERT_CL(clEnqueueSVMMemFill(dut.queue, pointer, &seven, sizeof(seven), 64, 0, NULL, NULL));
  ASSERT_CL(clEnqueueSVMMigrateMem(dut.queue, 1, pointers, NULL, 0, 0, NULL, NULL));
  ASSERT_CL(clEnqueueSVMMap(dut.queue, CL_TRUE, CL_MAP_READ, pointer, 64, 0, NULL, NULL));
  assert_int_equal(pointer[15], 7);
  ASSERT_CL(clEnqueueSVMUnmap(dut.queue, pointer, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(usm.clMemFreeINTEL(dut.context, pointer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(device_has_all_capabilities),
      cmocka_unit_test(every_kind_is_memory_of_host_and_device),
      cmocka_unit_test(honours_alignments),
      cmocka_unit_test(shared_memory_needs_no_device),
      cmocka_unit_test(allocation_refuses_bad_arguments),
      cmocka_unit_test(allocation_refuses_devices_of_other_contexts),
      cmocka_unit_test(takes_and_checks_properties),
      cmocka_unit_test(answers_for_every_byte_of_an_allocation),
      cmocka_unit_test(answers_for_pointers_that_are_no_allocation),
      cmocka_unit_test(queries_refuse_bad_arguments),
      cmocka_unit_test(freeing_refuses_what_is_no_allocation),
      cmocka_unit_test(blocking_free_waits_for_all_queues),
      cmocka_unit_test(copies_between_any_two_kinds_and_host_memory),
      cmocka_unit_test(commands_have_their_types_and_wait),
      cmocka_unit_test(commands_refuse_bad_arguments),
      cmocka_unit_test(kernels_reach_memory_indirectly),
      cmocka_unit_test(arguments_refuse_bad_kernels_and_indices),
      cmocka_unit_test(functions_of_svm_take_it),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
